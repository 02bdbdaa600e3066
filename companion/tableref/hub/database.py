"""A database that is read and written; what goes wrong there is an OSError for all others."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection to read. OSError"""
    try:
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise OSError(errno.EIO, why(error)) from error


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection to write, all of it or nothing. OSError"""
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise OSError(errno.EIO, why(error)) from error


def why(error: Exception) -> str:
    """The first line of what a database says, without what was asked of it."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]
