"""What is printed is read back from its pixels, in mm, by OpenCV and by our own eyes."""

import cv2
import numpy as np
import pypdfium2
import pytest

from tableref.cli import main
from tableref.printing.calibration import print_calibration
from tableref.printing.dice_mat import print_mat
from tableref.printing.overlay import print_overlay
from tableref.printing.paper import PAPERS, RULER, RULER_AT, Document, tiling
from tableref.printing.pieces import print_pieces
from tableref.printing.players import print_chart, print_log_sheet
from tableref.printing.tags import print_tags
from tableref.referee.games import load_game
from tableref.rulebook.text import LANGUAGES
from tableref.rules.autoscooter import Layout
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import board_names, chessboard, load_board
from tableref_vision.camera import Frame
from tableref_vision.dice import mat
from tableref_vision.reader import BoardReader

DPI = 150
MM = DPI / 25.4  # pixels


def pdf(document, tmp_path):
    path = tmp_path / "sheet.pdf"
    document.write(path)
    return pypdfium2.PdfDocument(path)


def pixels(page, scale=MM, grey=True):
    """A page as it comes out of a printer: grey, or blue, green and red, `scale` pixels a mm, row 0
    on top."""
    return page.render(scale=scale * 25.4 / 72, grayscale=grey).to_numpy().squeeze()


def words(document):
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def tags(picture, name="4X4_50"):
    """Tag id -> its corners (4, 2) in mm from the picture's upper left corner."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{name}"))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    found = [] if ids is None else np.ravel(ids).tolist()
    assert len(set(found)) == len(found)
    return {i: (c.reshape(4, 2) + 0.5) / MM for i, c in zip(found, corners, strict=True)}


def square(x, y, side):
    """Corners of an upright tag around (x, y) mm, y down, as OpenCV gives them."""
    h = side / 2
    return np.array([(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sheet_has_its_ruler_its_paper_and_clean_margins(board, paper, lang, tmp_path):
    for document in (
        print_tags(board, paper, lang),
        print_overlay(board, paper, lang),
        print_mat(paper, lang),
        print_calibration(paper, lang),
        print_log_sheet(board, paper, lang),
        print_chart(board, paper, lang),
        *(print_pieces(load_board(name), load_game(name), paper, lang) for name in board_names()),
    ):
        for page in pdf(document, tmp_path):
            picture = pixels(page)
            size = np.array(picture.shape[::-1]) / MM
            assert sorted(size) == pytest.approx(sorted(PAPERS[paper]), abs=0.3)
            row = picture[round((size[1] - RULER_AT[1]) * MM) - 1 :][:2].min(axis=0)
            line = np.flatnonzero(row[: round((RULER_AT[0] + RULER + 2) * MM)] < 128)
            assert line[0] / MM == pytest.approx(RULER_AT[0], abs=0.3)
            assert (line[-1] + 1 - line[0]) / MM == pytest.approx(RULER, abs=0.5)
            edge = round(5 * MM)  # nothing where no printer reaches
            assert picture[:edge].min() == picture[-edge:].min() == 255
            assert picture[:, :edge].min() == picture[:, -edge:].min() == 255


def test_roof_tags_are_upright_and_of_the_board_files_size(board, tmp_path):
    found = tags(pixels(pdf(print_tags(board, "a4"), tmp_path)[0]))
    assert found.keys() == {piece.tag for piece in board.pieces}
    for corners in found.values():
        middle = corners.mean(axis=0)
        assert corners == pytest.approx(square(*middle, board.piece_tag.square), abs=0.15)


def test_roof_tags_keep_their_white_edge(board, tmp_path):
    picture = pixels(pdf(print_tags(board, "a4"), tmp_path)[0])
    for corners in tags(picture).values():
        x, y = corners.mean(axis=0)
        half = board.piece_tag.quiet / 2
        left, top, right, bottom = (round(v * MM) for v in (x - half, y - half, x + half, y + half))
        edge = round((board.piece_tag.quiet - board.piece_tag.square) / 2 * MM) - 2
        assert picture[top : top + edge, left:right].min() == 255
        assert picture[bottom - edge : bottom, left:right].min() == 255
        assert picture[top:bottom, left : left + edge].min() == 255
        assert picture[top:bottom, right - edge : right].min() == 255


def test_a_folded_car_has_its_tag_ahead_of_the_middle_and_the_body_of_the_board_file(
    board, tmp_path
):
    picture = pixels(pdf(print_tags(board, "a4"), tmp_path)[1])
    corners = tags(picture)[3]
    x, y = corners.mean(axis=0)
    body = board.looks["car"]
    middle = y + board.piece_tag.ahead
    half = body.width / 2 + body.height + 3
    left, right = (round(v * MM) for v in (x - half, x + half))
    row = picture[round((middle + body.length / 2 - 5) * MM), left:right]
    inked = np.flatnonzero(row < 200)
    assert (inked[-1] + 1 - inked[0]) / MM == pytest.approx(body.width + 2 * body.height, abs=0.6)
    column = picture[:, round((x - body.width / 2 - body.height / 2) * MM)]
    side = np.flatnonzero(column[round((middle - 24) * MM) : round((middle + 24) * MM)] < 200)
    assert (side[-1] + 1 - side[0]) / MM >= body.length


def test_corner_tags_for_a_wooden_board_say_where_they_go(board, tmp_path):
    document = pdf(print_tags(board, "a4"), tmp_path)
    found = tags(pixels(document[2]))
    assert found.keys() == {tag.id for tag in board.corner_tags}
    for corners in found.values():
        assert corners == pytest.approx(square(*corners.mean(axis=0), 27.0), abs=0.15)
    assert "SW corner, tag 40" in words(document)
    assert "x -163, y -163 mm" in words(document)


def joined(document, width, depth, tmp_path, scale, grey=True):
    """What was tiled, cut at its marks and laid edge to edge: as `pixels` has it."""
    cut = tiling(document.paper, width, depth)
    shape = (round(depth * scale), round(width * scale))
    whole = np.full(shape if grey else (*shape, 3), 255, np.uint8)
    for tile, page in zip(cut.tiles, pdf(document, tmp_path), strict=True):
        picture = pixels(page, scale, grey)
        left, bottom, room_width, room_height = _room(page)
        x, y = left + (room_width - tile.width) / 2, bottom + (room_height - tile.height) / 2
        north = round((depth - tile.y - tile.height) * scale)
        south = round((depth - tile.y) * scale)
        west, east = (round(v * scale) for v in (tile.x, tile.x + tile.width))
        top = picture.shape[0] - round((y + tile.height) * scale)
        start = round(x * scale)
        part = picture[top : top + south - north, start : start + east - west]
        whole[north:south, west:east] = part
    return whole


def joined_board(board, paper, tmp_path, scale):
    plate = board.plate
    return joined(print_overlay(board, paper), plate.width, plate.depth, tmp_path, scale)


def _room(page):
    from tableref.printing.paper import Sheet

    return Sheet(None, page.get_width() / 72 * 25.4, page.get_height() / 72 * 25.4).room


@pytest.mark.parametrize(("paper", "pages"), [("a4", 4), ("letter", 4), ("a3", 2)])
def test_the_joined_overlay_has_its_corner_tags_where_the_board_file_says(
    board, paper, pages, tmp_path
):
    assert print_overlay(board, paper).pages == pages
    found = tags(joined_board(board, paper, tmp_path, MM))
    assert len(found) == 4
    for tag in board.corner_tags:
        expected = square(tag.x + board.plate.width / 2, board.plate.depth / 2 - tag.y, tag.square)
        assert found[tag.id] == pytest.approx(expected, abs=0.3)


def test_a_game_on_the_printed_board_can_be_read(board, tmp_path):
    printed = np.repeat(joined_board(board, "a4", tmp_path, 4.0)[..., None], 3, axis=2)
    camera = Camera.above(tilt=20.0, side=30.0, turn=10.0)
    table = Stage(board, 4, camera, printed)
    table.set_up()
    observation = BoardReader(board).read(Frame(table.picture(), 0.0, "printed"))
    seen = {(piece.id, piece.cell, piece.heading) for piece in observation.pieces}
    assert seen == {(piece.id, piece.start, piece.heading) for piece in board.pieces}


@pytest.mark.parametrize("name", board_names())
def test_every_board_has_an_overlay_with_its_cells_named(name, tmp_path):
    board = load_board(name)
    text = words(pdf(print_overlay(board, "a3"), tmp_path))
    whole = [cell.name for cell in board.cells.values() if abs(cell.y) > 20]
    assert [cell for cell in whole if cell not in text] == []


@pytest.mark.parametrize(("paper", "pages"), [("a4", 3), ("letter", 3), ("a3", 1)])
def test_the_joined_dice_mat_has_its_tags_where_the_reader_of_dice_looks(paper, pages, tmp_path):
    document = print_mat(paper)
    assert document.pages == pages
    found = tags(joined(document, mat.WIDTH, mat.DEPTH, tmp_path, MM))
    assert found.keys() == mat.TAGS.keys()
    for tag in mat.TAGS.values():
        expected = square(tag.x + mat.WIDTH / 2, mat.DEPTH / 2 - tag.y, tag.square)
        assert found[tag.id] == pytest.approx(expected, abs=0.4)


def test_a_photograph_of_the_printed_dice_mat_shows_its_trays_where_they_are(tmp_path):
    printed = joined(print_mat("a4"), mat.WIDTH, mat.DEPTH, tmp_path, 3.0)
    table = np.full((720, 1280), 120, np.uint8)  # grey: yellow is light, black is dark
    top, left = (720 - printed.shape[0]) // 2, (1280 - printed.shape[1]) // 2
    table[top : top + printed.shape[0], left : left + printed.shape[1]] = printed
    view = mat.MatTracker().find(np.repeat(table[..., None], 3, axis=2))
    assert view is not None
    for tray, (x, y) in mat.TRAYS.items():
        edges = [(x + dx, y + dy, 0.0) for dx, dy in ((-59, 30), (59, 30), (20, -59), (20, 59))]
        seen = [int(table[round(py), round(px)]) for px, py in view.pixels(np.array(edges))]
        assert max(seen) - min(seen) < 4, tray
        rim = view.pixels(np.array([(x - 63, y, 0.0)]))[0]
        assert abs(int(table[round(rim[1]), round(rim[0])]) - seen[0]) > 8, tray


@pytest.mark.parametrize("paper", PAPERS)
def test_the_calibration_sheet_is_the_chessboard_that_eyes_look_for(paper, tmp_path):
    picture = pixels(pdf(print_calibration(paper), tmp_path)[0])
    dictionary = cv2.aruco.getPredefinedDictionary(
        getattr(cv2.aruco, f"DICT_{chessboard.DICTIONARY}")
    )
    size = (chessboard.COLUMNS, chessboard.ROWS)
    expected = cv2.aruco.CharucoBoard(size, chessboard.SQUARE, chessboard.MARKER, dictionary)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(expected).detectBoard(picture)
    assert np.ravel(ids).tolist() == list(range((size[0] - 1) * (size[1] - 1)))
    off = corners.reshape(-1, 2) / MM - expected.getChessboardCorners()[:, :2]
    assert np.ptp(off, axis=0) == pytest.approx([0, 0], abs=0.3)


def test_no_tag_of_the_calibration_sheet_is_taken_for_a_board(tmp_path):
    assert tags(pixels(pdf(print_calibration("a4"), tmp_path)[0])) == {}


def test_the_log_sheet_has_every_number_and_car(board, tmp_path):
    text = words(pdf(print_log_sheet(board, "a4"), tmp_path)).split()
    for column in Layout(board.data).numbers:
        assert {str(number) for number in column} <= set(text)
    assert {piece.id for piece in board.pieces} <= set(text)


def test_the_chart_shows_every_letter_and_what_each_speed_allows(board, tmp_path):
    text = words(pdf(print_chart(board, "letter"), tmp_path))
    layout = Layout(board.data)
    for speed, letters in layout.by_speed.items():
        assert f"{speed}: {' '.join(letters)}." in text
    assert set(layout.letters) <= set(text.split())


def test_sheets_say_what_has_not_been_checked_against_the_printed_game(board, tmp_path):
    assert "Not checked" in words(pdf(print_chart(board, "a4"), tmp_path))
    assert "Not checked" in words(pdf(print_log_sheet(board, "a4"), tmp_path))


def test_the_same_sheet_is_the_same_file(board, tmp_path):
    for name in ("one", "two"):
        print_overlay(board, "a4").write(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_page_is_not_shrunk_by_the_reader_of_the_file(board, tmp_path):
    document = Document("a4", "Sheet")
    document.page("empty")
    document.write(tmp_path / "sheet.pdf")
    assert b"/PrintScaling /None" in (tmp_path / "sheet.pdf").read_bytes()


def test_the_command_writes_the_file_and_says_how_to_print_it(tmp_path, capsys):
    path = tmp_path / "out.pdf"
    assert main(["print", "tags", "--paper", "letter", "--out", str(path)]) == 0
    assert "3 pages letter" in capsys.readouterr().out
    assert len(pypdfium2.PdfDocument(path)) == 3


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["chart", "scorpion"], "Scorpion has no movement chart"),
        (["overlay", "chess"], "there is no board named 'chess'"),
        (["tags", "--out", "nowhere/out.pdf"], "nowhere/out.pdf: cannot be written"),
    ],
)
def test_the_command_refuses_in_one_line(arguments, word, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["print", *arguments]) == 2
    error = capsys.readouterr().err
    assert word in error
    assert error.count("\n") == 1
