"""A workbook becomes the rows of its sheets as JSON, each cell as a person writes it.

`[[name, hidden, [[number, [cell, …], [index, …]], …]], …]`: the indexes are those of the cells that hold a number, a
day or a time instead of a text. Numbers are plain ones, days are ISO, a formula stays a formula (`=…`).
Empty rows are left out. A sheet is read up to one row beyond `MOST_ROWS`, which shows its reader that it is too long.
"""

import io
import json
from datetime import date, datetime, time, timedelta
from typing import Any

from openpyxl import load_workbook

from stempelwerk_cloud.kit.files.rewriting.refused import MOST_COLUMNS, MOST_ROWS, Reason, Refused

_FORMULA = "="


def rewritten(content: bytes, _media_type: str) -> bytes:
    """Returns the rows. Refused."""
    book = load_workbook(io.BytesIO(content), read_only=True)
    if not book.worksheets:
        raise Refused(Reason.DAMAGED)
    return json.dumps(
        [(sheet.title, sheet.sheet_state != "visible", _rows(sheet)) for sheet in book.worksheets]
    ).encode()


def _rows(sheet: Any) -> list[tuple[int, list[str], list[int]]]:
    sheet.reset_dimensions()  # a file's own dimensions may be wrong
    rows: list[tuple[int, list[str], list[int]]] = []
    for number, row in enumerate(sheet.iter_rows(), start=1):
        cells = [_cell_text(cell) for cell in row]
        while cells and not cells[-1]:  # Excel keeps empty cells that have a format
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            raise Refused(Reason.TOO_MANY_COLUMNS)
        if any(cell.strip() for cell in cells):
            rows.append((number, cells, [index for index, _ in enumerate(cells) if _is_typed(row[index].value)]))
        if len(rows) > MOST_ROWS:
            break
    return rows


def _is_typed(value: Any) -> bool:
    return value is not None and not isinstance(value, str)


def _cell_text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type in {"f", "e"}:
        return _FORMULA
    return _written_value(value, cell.number_format)


def _written_value(value: Any, form: str) -> str:
    if isinstance(value, bool):
        return "WAHR" if value else "FALSCH"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        hours, minutes = divmod(round(value.total_seconds() / 60), 60)
        return f"{hours}:{minutes:02d}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and set(form) == {"0"}:
        return f"{value:0{len(form)}d}"  # "00123" is shown so, and kept as 123
    return str(value)
