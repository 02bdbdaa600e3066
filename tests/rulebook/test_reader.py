"""The Markdown form of the rulebook is read as people write it, and trouble is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.rulebook import asked, stamps
from tableref.rulebook.text import TextError, load, read, typed_id

PARAGRAPH = """# A game

A preface that is not read.

## AS-5.7 Too few chips

A player pays what he has,
down to nothing.

* one item
* another

- **Standing:** stated, ruling
- **Ruling:** the part
  payment.
- **See also:** AS-5.0, AS-7.4

- `short`: {who} owes {amount:chip|chips}
  more.
  > {who} is broke: / owes
  {amount}
"""


def test_a_paragraph_is_read_with_all_its_parts() -> None:
    (paragraph,) = read(PARAGRAPH, "a").values()
    assert paragraph.id == "AS-5.7"
    assert paragraph.title == "Too few chips"
    assert paragraph.text == (
        "A player pays what he has,\ndown to nothing.\n\n* one item\n* another"
    )
    assert paragraph.standing == ("stated", "ruling")
    assert paragraph.ruling == "the part payment."
    assert paragraph.see_also == ("AS-5.0", "AS-7.4")
    case = paragraph.case("short")
    assert case is not None
    assert case.sentence == "{who} owes {amount:chip|chips} more."
    assert case.screen == "{who} is broke: / owes {amount}"
    assert paragraph.case("long") is None


def test_breaking_lines_elsewhere_does_not_make_a_translation_stale() -> None:
    (one,) = read(PARAGRAPH, "a").values()
    (other,) = read(PARAGRAPH.replace("has,\ndown", "has, down"), "a").values()
    assert one.digest() == other.digest()


def test_another_word_makes_a_translation_stale() -> None:
    (one,) = read(PARAGRAPH, "a").values()
    for old, new in (("nothing", "zero"), ("Too few", "No"), ("broke", "poor"), ("part", "whole")):
        (other,) = read(PARAGRAPH.replace(old, new), "a").values()
        assert one.digest() != other.digest(), old


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("## AS 5.7 Title\n", "line 1: no paragraph heading"),
        ("## AS-5.7 Title\n", "AS-5.7 has no text"),
        ("## AS-5.7 A\n\nX.\n\n## AS-5.7 B\n\nX.\n", "line 5: AS-5.7 stands here twice"),
        ("## AS-5.7 A\n\nX.\n\n- **Colour:** red\n", "line 5: no field 'Colour'"),
        ("## AS-5.7 A\n\nX.\n\n- **Ruling:** a\n- **Ruling:** b\n", "two fields 'Ruling'"),
        ("## AS-5.7 A\n\nX.\n\n- **Standing:** guessed\n", "no standing 'guessed'"),
        ("## AS-5.7 A\n\nX.\n\n- `a`: A.\n", "no short form for the case 'a'"),
        ("## AS-5.7 A\n\nX.\n\n- `a`: A.\n  > A\n- `a`: A.\n  > A\n", "two cases 'a'"),
        ("## AS-5.7 A\n\nX.\n\n- **Ruling:** a\n  > A\n", "a short form without its sentence"),
        ("## AS-5.7 A\n\nX.\n\n- **Ruling:** a\nloose\n", "line 6: not understood here: 'loose'"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, words: str) -> None:
    with pytest.raises(TextError, match=r"a\.md, ") as error:
        read(text, "a.md")
    assert words in str(error.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for lang in ("en", "fr"):
        (tmp_path / lang).mkdir()
        for game in ("autoscooter", "scorpion", "skorpion-deep", "arrows-and-stars", "squod"):
            (tmp_path / lang / f"{game}.md").write_text("")
        (tmp_path / lang / "house.md").write_text("")
    (tmp_path / "en" / "house.md").write_text(
        "# House\n\n## HR-1.3 Draw\n\nAll agree.\n\n- **Standing:** ruling\n- **Option:** `x = 1`\n"
    )
    (tmp_path / "fr" / "house.md").write_text(
        "# Maison\n\n## HR-1.3 Nulle\n\nTous d'accord.\n\n- `drawn`: Nulle.\n  > Nulle\n"
    )
    return tmp_path


def test_what_no_language_changes_comes_from_the_english(folder: Path) -> None:
    paragraph = load("fr", "house", folder)["HR-1.3"]
    assert paragraph.standing == ("ruling",)
    assert paragraph.option == "`x = 1`"
    assert paragraph.title == "Nulle"


def test_a_translation_is_stale_until_it_is_accepted_and_again_when_the_english_changes(
    folder: Path,
) -> None:
    assert stamps.stale("fr", folder) == ("HR-1.3",)
    stamps.accept("fr", ["HR-1.3"], folder)
    assert stamps.stale("fr", folder) == ()
    once = (folder / "fr" / "house.md").read_text()
    stamps.accept("fr", ["HR-1.3"], folder)
    assert (folder / "fr" / "house.md").read_text() == once
    english = folder / "en" / "house.md"
    english.write_text(english.read_text().replace("All agree", "All players agree"))
    assert stamps.stale("fr", folder) == ("HR-1.3",)


def test_phrases_are_parted_by_semicolons_over_lines(tmp_path: Path) -> None:
    path = tmp_path / "en" / "asked" / "squod.md"
    path.parent.mkdir(parents=True)
    path.write_text("# T\n\nPreface.\n\n## SQ-1.1\none; two\nwords;\n\n## none\nthree\n")
    assert asked.load("en", "squod", tmp_path) == {
        "SQ-1.1": ["one", "two words"],
        "none": ["three"],
    }
    path.write_text("## SQ-1.1\none\n## SQ-1.1\ntwo\n")
    with pytest.raises(TextError, match=r"squod\.md, line 3"):
        asked.load("en", "squod", tmp_path)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_every_paragraph_says_how_people_ask(lang: str) -> None:
    for game in ("autoscooter", "scorpion", "skorpion-deep", "arrows-and-stars", "squod", "house"):
        phrases = asked.load(lang, game)
        assert set(phrases) == {*load(lang, game), asked.NONE}
        assert all(len(own) >= 6 for own in phrases.values())


@pytest.mark.parametrize(
    ("typed", "id"),
    [("AS-4.5", "AS-4.5"), ("hr 2.1", "HR-2.1"), ("sd4,6", "SD-4.6"), ("4.5", None), ("as", None)],
)
def test_an_id_is_understood_in_the_usual_ways(typed: str, id: str | None) -> None:
    assert typed_id(typed) == id
