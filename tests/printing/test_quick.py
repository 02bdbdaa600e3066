"""The quick reference: one page a game that says every paragraph and keeps to its room."""

import re
from functools import cache

import numpy as np
import pypdfium2
import pytest

from tableref.cli import main
from tableref.printing import quick
from tableref.printing.paper import MARGIN, PAPERS
from tableref.referee.games import GAMES
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES

ID = re.compile(r"[A-Z]{2}-\d\.\d")
DPI = 72
COMMON = ("a4", "letter")


@cache
def page(game, lang, paper, folder):
    path = folder / f"{game}-{lang}-{paper}.pdf"
    arguments = ["rules", game, "--pdf", "--lang", lang, "--paper", paper, "--out", str(path)]
    assert main(arguments) == 0
    document = pypdfium2.PdfDocument(path)
    assert len(document) == 1
    return document[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("quick")


@pytest.mark.parametrize("paper", COMMON)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_one_page_that_cites_every_paragraph(game, lang, paper, folder):
    sheet = page(game, lang, paper, folder)
    text = sheet.get_textpage().get_text_bounded()
    cited = set(ID.findall(text))
    book = Rulebook(lang)
    assert cited >= {*book.ids(game), *book.ids("house")}
    assert all(book.paragraph(id) for id in cited)
    assert not re.search("[\ufffd\u25a0{}`]", text)


@pytest.mark.parametrize("paper", COMMON)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_leaves_its_column(game, lang, paper, folder):
    sheet = page(game, lang, paper, folder)
    picture = sheet.render(scale=2, grayscale=True).to_numpy().squeeze()
    mm = 2 * DPI / 25.4
    width, height = PAPERS[paper]
    assert picture.shape[::-1] == pytest.approx((width * mm, height * mm), abs=2)
    edge = round((MARGIN - 1) * mm)
    assert picture[:edge].min() == picture[-edge:].min() == 255
    assert picture[:, :edge].min() == picture[:, -edge:].min() == 255
    middle = round(width / 2 * mm)
    gutter = picture[round(0.45 * height * mm) :, middle - 2 : middle + 3]
    foot = round((MARGIN + 6) * mm)
    assert np.all(gutter[:-foot] == 255)


def test_words_too_many_for_a_page_are_refused(monkeypatch, capsys, folder):
    monkeypatch.setattr(quick, "SMALLEST", quick.LARGEST)
    path = folder / "none.pdf"
    assert main(["rules", "autoscooter", "--pdf", "--out", str(path)]) == 2
    assert "does not fit one page" in capsys.readouterr().err
    assert not path.exists()


def test_the_drawing_is_made_of_vectors(folder):
    for game in GAMES:
        objects = list(page(game, "en", "a4", folder).get_objects())
        kinds = {each.type for each in objects}
        assert 3 not in kinds, "no image"
        assert len(objects) > 100


def test_a_paragraph_alone_is_not_printed(capsys):
    assert main(["rules", "squod", "4.1", "--pdf"]) == 2
    assert "leave the paragraph out" in capsys.readouterr().err


def test_house_paragraphs_have_no_page(capsys):
    assert main(["rules", "house", "--pdf"]) == 2
    assert "no game 'house'" in capsys.readouterr().err
