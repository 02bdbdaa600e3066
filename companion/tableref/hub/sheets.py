"""Tables of the hub as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from starlette.responses import Response

_FORMULA = ("=", "+", "-", "@", "\t")


def sheet(name: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> Response:
    """A file of this name, its head and its rows."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    told = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(stream.getvalue(), media_type="text/csv", headers=told)


def _plain(cell: object) -> object:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
