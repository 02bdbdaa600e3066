"""Printed boards and pieces, read back from their pages at true size, in every language."""

import math
import tomllib
from collections import Counter
from string import Formatter

import cv2
import numpy as np
import pypdfium2
import pytest

from tableref.cli import main
from tableref.printing.dice_mat import print_mat
from tableref.printing.overlay import print_overlay
from tableref.printing.paper import Sheet, tiling
from tableref.printing.pieces import CHIPS, cuts, print_pieces
from tableref.printing.words import Words
from tableref.referee.games import load_game
from tableref.rulebook.text import FOLDER, LANGUAGES
from tableref_hardware import board_names, load_board

SCALE = 4.0
"""Pixels a mm."""
PIECES = {"autoscooter": 0, "scorpion": 16, "skorpion-deep": 18, "arrows-and-stars": 26}


def pages(document, tmp_path):
    path = tmp_path / "sheet.pdf"
    document.write(path)
    return pypdfium2.PdfDocument(path)


def picture(page):
    """Red, green, blue of a page, row 0 on top."""
    return page.render(scale=SCALE * 25.4 / 72).to_numpy()[..., 2::-1].astype(int)


def said(page):
    """All words of a page, also those that are clipped; a reader of PDF tells spaces not apart."""
    return page.get_textpage().get_text_range()


def plain(text):
    return text.replace("\u00a0", " ")


def corner(tile, page):
    """Where the board's south-west corner lies on a page with this tile, in mm from its own."""
    width, height = (side / 72 * 25.4 for side in page.get_size())
    left, bottom, room_width, room_height = Sheet(None, width, height).room
    x, y = left + (room_width - tile.width) / 2, bottom + (room_height - tile.height) / 2
    return x - tile.x, y - tile.y


class Printed:
    """A printed board: its pages laid edge to edge, in colour; places are in the board's frame."""

    def __init__(self, board, lang, tmp_path):
        self.board = board
        width, depth = board.plate.width, board.plate.depth
        self.pages = pages(print_overlay(board, "a4", lang), tmp_path)
        self.tiles = tiling("a4", width, depth).tiles
        self.whole = np.full((round(depth * SCALE), round(width * SCALE), 3), 255)
        for tile, page in zip(self.tiles, self.pages, strict=True):
            x, y = corner(tile, page)
            drawn = picture(page)
            top = drawn.shape[0] - round((y + depth) * SCALE)
            rows = [round((depth - edge) * SCALE) for edge in (tile.y + tile.height, tile.y)]
            columns = [round(edge * SCALE) for edge in (tile.x, tile.x + tile.width)]
            left = round(x * SCALE)
            self.whole[rows[0] : rows[1], columns[0] : columns[1]] = drawn[
                top + rows[0] : top + rows[1], left + columns[0] : left + columns[1]
            ]

    def colour(self, x, y, reach=0.6):
        """The mean colour around a place."""
        board = self.board.plate
        row, column = (board.depth / 2 - y) * SCALE, (x + board.width / 2) * SCALE
        half = round(reach * SCALE)
        at = self.whole[round(row) - half : round(row) + half + 1]
        return at[:, round(column) - half : round(column) + half + 1].reshape(-1, 3).mean(axis=0)

    def places(self, words):
        """Middles of all places where exactly these words stand."""
        page = self.pages[0]
        x, y = corner(self.tiles[0], page)
        text = page.get_textpage()
        found = []
        search = text.search(words, match_case=True, match_whole_word=True)
        while hit := search.get_next():
            boxes = np.array([text.get_charbox(hit[0] + n) for n in range(hit[1])]) / 72 * 25.4
            middle = (boxes[:, 0].min() + boxes[:, 2].max()) / 2 - x - self.board.plate.width / 2
            north = (boxes[:, 1].min() + boxes[:, 3].max()) / 2 - y - self.board.plate.depth / 2
            found.append((middle, north))
        return found


@pytest.fixture(params=LANGUAGES)
def lang(request):
    return request.param


@pytest.fixture(params=board_names())
def named(request):
    return load_board(request.param)


def test_each_cell_is_named_beside_itself_in_every_language(named, lang, tmp_path):
    printed = Printed(named, lang, tmp_path)
    words = Words(lang)
    for cell in named.cells.values():
        beside = [
            min(named.cells.values(), key=lambda other: math.dist(place, (other.x, other.y))).name
            for place in printed.places(words.name(cell.name))
        ]
        assert cell.name in beside


def test_the_note_and_the_sides_are_in_the_language(named, lang, tmp_path):
    printed = Printed(named, lang, tmp_path)
    text = plain(said(printed.pages[0]))
    words = Words(lang)
    assert plain(words("south")) in text
    assert words("north") in text
    assert words.game(named) in text
    assert all(words.heading(heading) in text for heading in named.headings)


def test_nothing_is_printed_over_a_corner_tag_or_its_white_edge(named, lang, tmp_path):
    printed = Printed(named, lang, tmp_path)
    quiet, square = named.data["corner_tags"]["quiet"] / 2, named.corner_tags[0].square / 2
    for tag in named.corner_tags:
        for along in np.linspace(-quiet + 0.5, quiet - 0.5, 40):
            for across in (-(quiet + square) / 2, (quiet + square) / 2):
                assert printed.colour(tag.x + along, tag.y + across, 0.4).min() > 250
                assert printed.colour(tag.x + across, tag.y + along, 0.4).min() > 250


def test_a_board_without_corner_tags_is_not_printed(tmp_path, capsys):
    from dataclasses import replace

    from tableref.errors import UserError

    with pytest.raises(UserError, match="no corner tags"):
        print_overlay(replace(load_board("squod"), corner_tags=()), "a4")


@pytest.mark.parametrize("name", board_names())
def test_a_board_of_any_game_is_printed_though_its_file_says_no_more_than_its_cells(name, tmp_path):
    from dataclasses import replace

    board = load_board(name)
    kept = ("cells", "spots", "corner_tags", "plate")
    bare = {key: board.data[key] for key in kept if key in board.data}
    bare = replace(board, game="chess", title="Chess", pieces=(), looks={}, data=bare)
    text = said(pages(print_overlay(bare, "a3"), tmp_path)[0])
    assert "Chess" in text
    assert all(name in text for name in board.cells)


# -- what each game needs -------------------------------------------------------------------------


def inked(printed, one, other):
    """Whether a line is drawn between two cells: dark all along its middle third."""
    return all(
        printed.colour(
            one.x + share * (other.x - one.x), one.y + share * (other.y - one.y), 0.3
        ).max()
        < 215
        for share in np.linspace(0.42, 0.58, 7)
    )


def test_skorpion_deep_has_its_lines_and_no_others(tmp_path):
    board = load_board("skorpion-deep")
    printed = Printed(board, "en", tmp_path)
    lines = {frozenset(line) for line in board.data["graph"]["lines"]}
    cells = list(board.cells.values())
    near = [
        (one, other)
        for n, one in enumerate(cells)
        for other in cells[n + 1 :]
        if (
            math.dist((one.x, one.y), (other.x, other.y)) < 90
            # what another spot or line lies across is no line of its own
            and frozenset((one.name, other.name)) in lines
        )
        or math.dist((one.x, one.y), (other.x, other.y)) < 60
    ]
    assert len(lines) <= len(near)
    for one, other in near:
        assert inked(printed, one, other) == (frozenset((one.name, other.name)) in lines)


def test_skorpion_deep_has_spots_in_their_colours_and_starts_with_a_second_ring(tmp_path):
    board = load_board("skorpion-deep")
    printed = Printed(board, "en", tmp_path)
    starts = {name for names in board.data["starts"].values() for name in names}
    for name, cell in board.cells.items():
        colour = board.data["spots"][name]["colour"]
        red, _, blue = printed.colour(cell.x + 7.2 * 0.94, cell.y + 7.2 * 0.34, 0.3)
        if colour == "red":
            assert red > blue + 80
        elif colour == "blue":
            assert blue > red + 80
        else:
            assert abs(red - blue) < 12
            assert (red < 90) == (colour == "black")
        outside = printed.colour(cell.x + 10.1 * 0.94, cell.y + 10.1 * 0.34, 0.2)
        assert (np.ptp(outside) > 60) == (name in starts)


def test_scorpion_is_yellow_on_one_side_and_black_on_the_other(tmp_path):
    board = load_board("scorpion")
    printed = Printed(board, "en", tmp_path)
    for name, cell in board.cells.items():
        red, _, blue = printed.colour(cell.x, cell.y)
        assert (red > blue + 60) == (name[0] == "Y")
        assert (red < 160) == (name[0] == "K")


def test_scorpion_says_where_one_comes_in_and_goes_out(lang, tmp_path):
    board, words = load_board("scorpion"), Words(lang)
    printed = Printed(board, lang, tmp_path)
    for key, name in (("in", "Y1"), ("out", "K20")):
        cell = board.cells[name]
        assert min(math.dist(p, (cell.x, cell.y)) for p in printed.places(words(key))) < 30


def test_arrows_and_stars_has_its_lattice_and_its_starts(tmp_path):
    board = load_board("arrows-and-stars")
    printed = Printed(board, "en", tmp_path)
    cells = list(board.cells.values())
    for number, one in enumerate(cells):
        for other in cells[number + 1 :]:
            if math.dist((one.x, one.y), (other.x, other.y)) < 41:
                assert inked(printed, one, other), (one.name, other.name)
    free = board.cells["d5"]
    floor = free.x + 5.0, free.y - 8.0  # off the lines that meet in its middle
    for key, names in board.data["starts"].items():
        for name in names if isinstance(names, list) else ():
            cell = board.cells[name]
            paler = printed.colour(cell.x, cell.y).mean() > printed.colour(*floor).mean()
            assert paler == key.startswith("white")


def test_squod_has_a_yellow_ring_four_ramps_and_the_names_of_their_sides(lang, tmp_path):
    board, words = load_board("squod"), Words(lang)
    printed = Printed(board, lang, tmp_path)
    for name, cell in board.cells.items():
        red, _, blue = printed.colour(cell.x, cell.y)
        assert (red > blue + 60) == name[0].islower()
    outside = {"S": (0, -150), "N": (0, 150), "W": (-150, 0), "E": (150, 0)}
    for side, place in outside.items():
        assert min(math.dist(p, place) for p in printed.places(words.name(side))) < 12


@pytest.mark.parametrize("name", ["autoscooter", "squod"])
def test_a_rose_points_where_sentences_say(name, lang, tmp_path):
    board, words = load_board(name), Words(lang)
    printed = Printed(board, lang, tmp_path)
    from tableref.printing.overlay import POINTS

    named = board.headings or POINTS
    found = {heading: printed.places(words.heading(heading)) for heading in named}
    # the names of the rose stand together; the same letters may stand elsewhere, too
    around = [places for places in found.values() if len(places) == 1]
    middle = np.mean([places[0] for places in around], axis=0)
    for heading, degrees in named.items():
        x, y = min(found[heading], key=lambda place: math.dist(place, middle))
        seen = math.degrees(math.atan2(y - middle[1], x - middle[0]))
        assert abs((seen - degrees + 180) % 360 - 180) < 25, heading


# -- pieces ---------------------------------------------------------------------------------------


def blobs(page):
    """Contours of all that is cut out on a page, in mm."""
    drawn = picture(page)
    foot = round(35 * SCALE)
    dark = (drawn[round(22 * SCALE) : -foot].min(axis=2) < 252).astype(np.uint8)
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [np.squeeze(contour) / SCALE for contour in contours if len(contour) > 40]


@pytest.mark.parametrize(("name", "count"), PIECES.items())
def test_discs_to_cut_out_have_the_sizes_and_number_of_the_game(name, count, lang, tmp_path):
    board = load_board(name)
    game = load_game(name, board)
    wanted = Counter(round(cut.look.length) for cut in cuts(board, game) if cut.look.told == "side")
    assert wanted.total() == count
    document = pages(print_pieces(board, game, "a4", lang), tmp_path)
    if not count:
        return
    found = Counter(round(np.ptp(contour[:, 0])) for page in document for contour in blobs(page))
    assert found == wanted
    assert Words(lang)("pieces", game=Words(lang).game(board)) in said(document[0])


def ends(contour):
    """On which side (-1 west, 1 east) the end that tells is, and its form."""
    west, east = contour[:, 0].min(), contour[:, 0].max()
    middle = (contour[:, 1].min() + contour[:, 1].max()) / 2
    near = contour[np.abs(contour[:, 1] - middle) < 1.0]
    away = contour[np.abs(contour[:, 1] - middle) > 6.5]
    for side, edge in ((-1, west), (1, east)):
        if np.abs(near[:, 0] - edge).min() > 1.5:
            return side, "hollow"
        if np.abs(away[:, 0] - edge).min() > 1.5:
            return side, "round"
    raise AssertionError("both ends are straight")


def test_squods_tokens_have_faces_backs_and_both_forms_of_end(lang, tmp_path):
    board = load_board("squod")
    game = load_game("squod", board)
    kinds = Counter((cut.side, cut.face) for cut in cuts(board, game))
    assert len(kinds) == 12
    assert set(kinds.values()) == {2}  # SQ-1.3
    faces, backs = pages(print_pieces(board, game, "a4", lang), tmp_path)
    for page in (faces, backs):
        found = blobs(page)
        assert len(found) == 24
        for contour in found:
            assert np.ptp(contour[:, 0]) == pytest.approx(24.0, abs=0.6)
            assert np.ptp(contour[:, 1]) == pytest.approx(16.0, abs=0.6)
    assert sorted(map(ends, blobs(faces))) == sorted((-a, b) for a, b in map(ends, blobs(backs)))
    assert {form for _, form in map(ends, blobs(faces))} == {"round", "hollow"}


def test_autoscooters_chips_are_ten_of_each_colour(tmp_path):
    board = load_board("autoscooter")
    document = pages(print_pieces(board, load_game("autoscooter", board), "letter"), tmp_path)
    found = [c for c in blobs(document[1]) if abs(np.ptp(c[:, 0]) - 20.0) < 0.6]
    assert len(found) == CHIPS * len(board.looks["car"].sides)
    markers = [c for c in blobs(document[2]) if abs(np.ptp(c[:, 0]) - 9.0) < 0.6]
    assert len(markers) == 24


# -- words ----------------------------------------------------------------------------------------


def texts(lang):
    with (FOLDER / lang / "print.toml").open("rb") as file:
        return tomllib.load(file)


def test_the_mat_names_its_trays_in_the_language(lang, tmp_path):
    text = plain("".join(said(page) for page in pages(print_mat("a4", lang), tmp_path)))
    for key in ("tray-yellow", "tray-black", "mat-north", "mat-south"):
        assert plain(Words(lang)(key)) in text


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_text_is_in_every_language_with_the_same_gaps(lang):
    english, other = texts("en"), texts(lang)
    assert english.keys() == other.keys()
    for key, text in english.items():
        gaps = [{field for _, field, _, _ in Formatter().parse(t)} for t in (text, other[key])]
        assert gaps[0] == gaps[1], key
    same = {key for key in english if english[key] == other[key]}
    assert same <= {"page", "pieces"}


def test_french_sets_a_space_that_does_not_break_before_its_marks():
    for key, text in texts("fr").items():
        for mark in ":;?!":
            for at, letter in enumerate(text):
                if letter == mark and text[at - 1 : at] != "":
                    assert text[at - 1] == "\u00a0", (key, text)


@pytest.mark.parametrize("sheet", ["tags", "overlay", "pieces", "mat", "log-sheet", "chart"])
def test_the_command_prints_every_sheet_in_every_language(sheet, lang, tmp_path, capsys):
    path = tmp_path / "out.pdf"
    assert main(["print", sheet, "--lang", lang, "--out", str(path)]) == 0
    assert "100 mm" in capsys.readouterr().out
    assert plain(Words(lang)("ruler")) in plain(said(pypdfium2.PdfDocument(path)[0]))


@pytest.mark.parametrize("typed", ["Skorpion Deep", "SD", "skorpion_deep"])
def test_a_game_is_named_in_any_form(typed, tmp_path, capsys):
    path = tmp_path / "out.pdf"
    assert main(["print", "overlay", typed, "--out", str(path)]) == 0
