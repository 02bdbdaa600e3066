"""Broken files of every format become a sentence. `make fuzz` runs 2,000 a format."""

from __future__ import annotations

import pytest

from tests.fuzz.formats import FORMATS, Format, named
from tests.fuzz.run import cases, fault, fault_as_program, kept

SHORT = 25
"""Inputs a format in `make test`."""


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_a_broken_file_becomes_a_sentence(format: Format) -> None:
    for case in cases(format, SHORT):
        assert fault(case) == "", case


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_what_was_found_once_is_not_found_again(format: Format) -> None:
    for case in kept(format.name):
        assert fault(case) == "", case


def test_a_program_of_its_own_does_the_same() -> None:
    for name in ("plots", "command"):
        case = next(cases(named(name), 1, seed=1))
        assert fault_as_program(case) == ""


def test_the_same_files_come_for_the_same_seed() -> None:
    plots = named("plots")
    assert list(cases(plots, 5)) == list(cases(plots, 5))
    assert list(cases(plots, 5)) != list(cases(plots, 5, seed=1))
