"""The quickest `loops` that there are here: those in C where the image brings them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tableref_firmware.loops import raise_words, shine, sketch, tally, unwrap, wrap
else:
    try:
        from tableref_loops import raise_words, shine, sketch, tally, unwrap, wrap
    except ImportError:
        from tableref_firmware.loops import raise_words, shine, sketch, tally, unwrap, wrap

__all__ = ("raise_words", "shine", "sketch", "tally", "unwrap", "wrap")
