"""The virtual table: what hands do to it, and that its pictures are true."""

import math

import cv2
import numpy as np
import pytest

from tableref.devices.lights import Meaning
from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.rules.pieces import Piece, text_of
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand, turned
from tableref.sim.stage import JITTER, Stage
from tableref_hardware import board_names, load_board
from tableref_vision.camera import Frame
from tableref_vision.reader import BoardReader


@pytest.fixture
def table(board):
    return Stage(board, seed=5)


def tags(picture):
    """Tag id -> its corners (4, 2) in the picture, as OpenCV alone finds them."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    found = [] if ids is None else np.ravel(ids).tolist()
    return {number: corner.reshape(4, 2) for number, corner in zip(found, corners, strict=True)}


def scattered(board, seed):
    """Eight cars on eight cells, any heading, nothing on their pins."""
    table, rng = Stage(board, seed), np.random.default_rng(seed)
    cells = rng.permutation(list(board.cells))
    for car, cell in zip([piece.id for piece in board.pieces], cells, strict=False):
        table.put(car, str(cell), str(rng.choice(list(board.headings))))
    return table


def test_set_up_puts_all_cars_on_their_start_cells(table, board):
    table.set_up()
    assert {
        name: (car.cell, car.piece.facing, car.markers) for name, car in table.pieces.items()
    } == {piece.id: (piece.start, piece.heading, 0) for piece in board.pieces}


def test_people_set_cars_down_a_little_off_and_never_more_than_the_table_allows(table, board):
    off = []
    for _ in range(60):
        table.put("red", "c4", "E")
        car = table.pieces["red"]
        off.append(math.hypot(car.x - board.cells["c4"].x, car.y - board.cells["c4"].y))
        assert abs(car.yaw - board.headings["E"]) <= JITTER[1]
    assert 4.0 < max(off) <= JITTER[0]


def test_cars_nose_to_nose_do_not_stand_in_each_other(board):
    for seed in range(20):
        table = Stage(board, seed)
        table.put("red", "c4", "E")
        table.put("blue", "d4", "W")
        red, blue = table.pieces["red"], table.pieces["blue"]
        assert math.hypot(red.x - blue.x, red.y - blue.y) >= 41.0


def test_a_lifted_car_is_gone_and_its_switch_opens(table):
    table.put("red", "c4", "E")
    assert table.occupied() == {"c4"}
    table.lift("red")
    assert table.occupied() == frozenset()
    assert 0 not in tags(table.picture())


def test_markers_stay_on_a_car_that_is_moved(table):
    table.put("red", "c4", "E", markers=2)
    table.put("red", "d4", "E")
    assert table.pieces["red"].markers == 2


def test_a_car_between_two_cells_closes_no_switch(table, board):
    c4, d4 = board.cells["c4"], board.cells["d4"]
    table.put_at("red", (c4.x + d4.x) / 2, c4.y, 0.0)
    assert table.occupied() == frozenset()


@pytest.mark.parametrize(
    ("act", "word"),
    [
        (lambda t: t.put("pink", "c4", "E"), "pink"),
        (lambda t: t.put("red", "z9", "E"), "z9"),
        (lambda t: t.put("red", "c4", "N"), "'N'"),
        (lambda t: t.lift("red"), "red is not on the table"),
    ],
)
def test_what_cannot_be_done_says_why(table, act, word):
    with pytest.raises(UserError, match=word):
        act(table)


def test_the_same_seed_and_hands_give_the_same_picture(board):
    first, second = (scattered(board, 3).picture() for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("seed", range(4))
def test_tags_are_seen_where_the_camera_model_says(board, seed):
    table = scattered(board, seed)
    camera = Camera.somewhere(np.random.default_rng(seed))
    seen = tags(table.picture(camera))
    expected = {}
    for tag in board.corner_tags:
        h = tag.square / 2
        square = [(-h, h, 0.0), (h, h, 0.0), (h, -h, 0.0), (-h, -h, 0.0)]
        expected[tag.id] = turned(square, tag.x, tag.y, 0.0, board.plate.top)
    measures = board.piece_tag
    for piece in board.pieces:
        car, h, z = table.pieces[piece.id], measures.square / 2, measures.height
        ahead = measures.ahead
        square = [(ahead + h, h, z), (ahead + h, -h, z), (ahead - h, -h, z), (ahead - h, h, z)]
        expected[piece.tag] = turned(square, car.x, car.y, car.yaw, board.plate.top)
    hidden = expected.keys() - seen.keys()  # behind the pin of a neighbour, at a low look
    assert len(hidden) <= 1
    for number in seen:
        assert camera.project(expected[number]) == pytest.approx(seen[number], abs=2.5)


@pytest.mark.parametrize("seed", range(3))
def test_the_eyes_read_cells_and_headings_off_the_pictures(board, seed):
    table = scattered(board, 20 + seed)
    camera = Camera.somewhere(np.random.default_rng(seed))
    observation = BoardReader(board).read(Frame(table.picture(camera), 0.0, "picture"))
    seen = {piece.id: (piece.cell, piece.heading) for piece in observation.pieces}
    assert len(seen) >= 7
    assert seen.items() <= {n: (c.cell, c.piece.facing) for n, c in table.pieces.items()}.items()


def test_a_move_by_hand_shows_a_hand_then_the_car_at_its_new_place(table):
    table.put("red", "c4", "E")
    over, away, after = table.move("red", "c6", "NE")
    assert 0 not in tags(over)
    assert 0 not in tags(away)
    assert 0 in tags(after)
    assert (table.pieces["red"].cell, table.pieces["red"].piece.facing) == ("c6", "NE")


def test_a_move_without_hands_is_one_picture(table):
    table.set_up()
    assert len(list(table.move("red", "b2", "NE", markers=1, hands=False))) == 1
    assert table.pieces["red"].markers == 1


def test_an_arm_covers_what_lies_under_it_and_nothing_else(table):
    table.set_up()
    white = table.pieces["white"]
    seen = tags(table.picture(hands=[Hand(white.x, white.y, side=180.0)]))
    assert 6 not in seen
    assert seen.keys() >= {0, 1, 2, 3, 4, 5}


def test_a_lit_cell_glows_in_its_colour(table, board):
    camera = Camera.above(tilt=0.0)
    cell = board.cells["c4"]
    x, y = np.round(camera.project(np.array([(cell.x, cell.y, 20.0)]))[0]).astype(int)
    dark = table.picture(camera)[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1))
    table.lights = {"c4": Meaning.LAST_MOVE.value}
    lit = table.picture(camera)[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1))
    assert lit[0] > dark[0] + 60  # more blue
    assert lit[2] < dark[2] - 60  # less red


def test_a_folder_is_written_in_order(table, tmp_path):
    table.set_up()
    paths = table.write(tmp_path / "pictures", table.move("red", "b2", "E"))
    assert [path.name for path in paths] == ["0000.jpg", "0001.jpg", "0002.jpg"]
    assert cv2.imread(str(paths[2])).shape == (720, 1280, 3)


def test_a_folder_that_cannot_be_written_says_so(table, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file"):
        table.write(tmp_path / "file", [table.picture()])


@pytest.mark.parametrize("name", board_names())
def test_the_start_of_every_game_is_drawn(name):
    board, game = load_board(name), load_game(name)
    stage = Stage(board, 2)
    before = stage.picture().astype(int)
    start = game.board(game.start({})) or {next(iter(board.cells)): game.stacks[0]}
    stage.show(start)
    assert stage.stacks() == start
    assert stage.occupied() == start.keys()
    changed = np.abs(stage.picture().astype(int) - before).max(axis=2) > 30
    for cell in start:
        where = board.cells[cell]
        [[x, y]] = stage.camera.project(np.array([(where.x, where.y, board.plate.top + 8.0)]))
        assert changed[round(y) - 12 : round(y) + 13, round(x) - 12 : round(x) + 13].sum() > 40


def test_what_shows_of_a_piece_is_drawn(board):
    """Sides, ways, faces and ends differ in the picture; a face that is hidden is not drawn."""
    squod, arrows = load_board("squod"), load_board("arrows-and-stars")
    pairs = [
        (arrows, Piece("arrow", "white", "up"), Piece("arrow", "white", "down")),
        (arrows, Piece("arrow", "white", "up"), Piece("star", "white", "up")),
        (arrows, Piece("star", "white", "up"), Piece("star", "black", "up")),
        (squod, Piece("piece", "0", face="rock"), Piece("piece", "0", face="paper")),
        (squod, Piece("piece", "0", face="rock"), Piece("piece", "2", face="rock")),
        (squod, Piece("piece", "0", face="rock"), Piece("piece", "0", face="?")),
    ]
    stages = {owner.game: Stage(owner, 4) for owner in (squod, arrows)}
    for owner, one, other in pairs:
        stage, pictures = stages[owner.game], []
        for piece in (one, other):
            turn = 0.0 if not piece.facing else owner.headings[piece.facing]
            name = stage.put_at(piece, 0.0, 0.0, turn)
            pictures.append(stage.picture().astype(int))
            stage.lift(name)
        assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 60).sum() > 30, (one, other)


def test_two_pieces_on_a_cell_are_both_seen():
    """A disc lies on the other one, a ball beside it."""
    for name, stack in (("skorpion-deep", ("skorpion", "tail")), ("scorpion", ("blue", "red"))):
        board, game = load_board(name), load_game(name)
        cell = "gate" if name == "skorpion-deep" else "Y5"
        [both] = [s for s in game.stacks if len(s) == 2 and text_of(s) == " ".join(sorted(stack))]
        stage = Stage(board, 3)
        pictures = []
        for piece in both:
            stage.stand(piece, cell)
            pictures.append(stage.picture().astype(int))
        assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 60).sum() > 20
        assert stage.occupied() == {cell}
        stage.take(cell, both[0])
        assert stage.occupied() == {cell}
        assert stage.stacks() == {cell: both[1:]}


def test_pieces_beside_the_board_are_drawn_and_close_no_switch():
    board, game = load_board("scorpion"), load_game("scorpion")
    stage = Stage(board, 3)
    before = stage.picture().astype(int)
    stage.beside = [stack[0] for stack in game.stacks if len(stack) == 1]
    assert (np.abs(stage.picture().astype(int) - before).max(axis=2) > 60).sum() > 200
    assert stage.occupied() == frozenset()


def test_a_piece_that_no_look_knows_is_refused(board):
    with pytest.raises(UserError, match="how a wheel looks"):
        Stage(board).stand(Piece("wheel", "red"), "c4")


@pytest.mark.parametrize("side", [-90.0, 0.0, 90.0, 180.0])
def test_of_two_discs_on_one_cell_the_upper_one_hides_the_lower_from_any_side(side):
    board, red, blue = load_board("scorpion"), Piece("scorpion", "red"), Piece("scorpion", "blue")
    stage = Stage(board, 4, Camera.above(tilt=30.0, side=side))
    for cell in ("Y4", "Y9", "Y14", "K5", "K11", "K16"):
        stage.show({cell: (red, blue)})
        upper = next(placed for placed in stage.pieces.values() if placed.piece == blue)
        top = np.array([[upper.x, upper.y, board.plate.top + 12.0]])
        column, row = np.rint(stage.camera.project(top)[0]).astype(int)
        colour = stage.picture()[row, column].astype(int)
        assert colour[0] > colour[2] + 40, cell
