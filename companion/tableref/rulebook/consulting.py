"""The rules looked up from inside a game: all titles, one paragraph, or what answers a question."""

from __future__ import annotations

from tableref.rulebook.book import Rulebook, UnknownParagraph
from tableref.rulebook.render import heading, plain
from tableref.rulebook.text import GAMES, typed_id


def consulted(book: Rulebook, game: str, asked: str, command: str, width: int) -> list[str]:
    """What is shown in so many columns. `asked` is empty, an id with or without the letters of the
    game, or a question; `command` is what is typed for this."""
    letters = {name: key for key, name in GAMES.items()}.get(game)
    labels = book.words.labels
    if letters is None:
        return [labels["no_rulebook"]]
    if not asked:
        titles = [heading(book.paragraph(each)) for each in book.ids(game)]
        return [*titles, labels["consult"].format(to=f"{command} {letters}-1.1", what=command)]
    id = typed_id(asked) or typed_id(f"{letters}-{asked}") or _looked_up(book, game, asked)
    if id is None:
        return [labels["none"]]
    try:
        return plain(book, book.paragraph(id), width).splitlines()
    except UnknownParagraph:
        return [labels["no_paragraph"].format(what=id)]


def _looked_up(book: Rulebook, game: str, asked: str) -> str | None:
    """The paragraph that answers a question, or None."""
    # The look-up loads its index: only for whoever asks.
    from tableref.rulebook.lookup import Lookup

    answer = Lookup(book.lang).ask(asked, game)
    return None if answer.none else answer.results[0].id
