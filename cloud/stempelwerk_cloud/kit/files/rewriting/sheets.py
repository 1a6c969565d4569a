"""A workbook becomes the rows of its first sheet as JSON: `[[number, [cell, …]], …]`, each cell as a person writes it.

Numbers are plain ones, days are ISO, what a formula would say stays a formula (`=…`). Empty rows are left out.
"""

import io
import json
from datetime import date, datetime, time, timedelta
from typing import Any

from openpyxl import load_workbook

from stempelwerk_cloud.kit.files.rewriting.refused import MOST_ROWS, Reason, Refused

_FORMULA = "="


def rewritten(content: bytes, _media_type: str) -> bytes:
    """The rows. Refused."""
    book = load_workbook(io.BytesIO(content), read_only=True)
    if not book.worksheets:
        raise Refused(Reason.DAMAGED)
    sheet = book.worksheets[0]
    sheet.reset_dimensions()  # what a file says of its own size need not be so
    rows: list[tuple[int, list[str]]] = []
    for number, row in enumerate(sheet.iter_rows(), start=1):
        cells = [_written(cell) for cell in row]
        if any(cell.strip() for cell in cells):
            rows.append((number, cells))
        if len(rows) > MOST_ROWS:
            raise Refused(Reason.TOO_MANY_ROWS)
    return json.dumps(rows).encode()


def _written(cell: Any) -> str:
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
