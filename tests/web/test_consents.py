"""What others have to agree to happens when the last of them has, and not before."""

from __future__ import annotations

from tableref.web.consents import MOST, Consents


def test_a_wish_is_granted_by_the_last_who_agrees() -> None:
    consents = Consents()
    wish = consents.ask("take-back", 0, {1, 2})
    assert consents.agree(wish.number, 1) is None
    granted = consents.agree(wish.number, 2)
    assert granted is not None
    assert granted.kind == "take-back"
    assert consents.open() == ()


def test_who_is_not_asked_grants_nothing() -> None:
    consents = Consents()
    wish = consents.ask("redo", 0, {1})
    assert consents.agree(wish.number, 0) is None
    assert consents.agree(wish.number, 2) is None
    assert consents.open() == (wish,)


def test_agreeing_twice_counts_once() -> None:
    consents = Consents()
    wish = consents.ask("redo", 0, {1, 2})
    assert consents.agree(wish.number, 1) is None
    assert consents.agree(wish.number, 1) is None
    assert consents.open() != ()


def test_one_no_is_enough() -> None:
    consents = Consents()
    wish = consents.ask("redo", 0, {1, 2})
    consents.refuse(wish.number, 2)
    assert consents.open() == ()
    assert consents.agree(wish.number, 1) is None


def test_an_onlooker_refuses_nothing() -> None:
    consents = Consents()
    wish = consents.ask("seat", None, {1})
    consents.refuse(wish.number, None)
    assert consents.open() == (wish,)


def test_where_nobody_is_asked_it_is_granted_at_once() -> None:
    consents = Consents()
    assert consents.ask("take-back", 0, ()).needs == frozenset()
    assert consents.open() == ()


def test_the_same_wish_twice_is_one_and_many_do_not_pile_up() -> None:
    consents = Consents()
    consents.ask("redo", 0, {1})
    consents.ask("redo", 0, {1})
    assert len(consents.open()) == 1
    for number in range(3 * MOST):
        consents.ask("seat", None, {1}, str(number))
    assert len(consents.open()) == MOST
