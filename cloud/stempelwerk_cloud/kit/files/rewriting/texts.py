"""Converts a CSV of any Excel dialect to the rows of one sheet, in the format of `sheets.py`."""

import csv
import io
import json
import re
from collections.abc import Iterator

from stempelwerk_cloud.kit.files.rewriting.refused import MOST_COLUMNS, MOST_ROWS, Reason, Refused

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_OF_EXCEL = ("windows-1252", "mac-roman", "cp850")
"""Excel's "CSV", "CSV (Macintosh)" and "CSV (MS-DOS)"; nothing in the file names its encoding."""
_UMLAUT = re.compile("[A-Za-z][äöü][a-z]")
_SEPARATORS = (";", ",", "\t")
_BYTE_ORDER_MARK = "\ufeff"
_STATED = re.compile(r"sep=(.)(\r\n|\r|\n)", re.IGNORECASE)

Row = tuple[int, list[str], list[int]]


def rewritten(content: bytes, _media_type: str) -> bytes:
    """Returns the rows as JSON. Raises Refused."""
    return json.dumps([("", False, list(_rows(_decoded(content))))]).encode()


def _rows(text: str) -> Iterator[Row]:
    stated = _STATED.match(text)
    head = next((line for line in text.splitlines() if any(mark in line for mark in _SEPARATORS)), "")
    separator = stated[1] if stated else max(_SEPARATORS, key=head.count)
    read = 0
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text, ""), delimiter=separator, strict=True), start=1):
            if len(cells) > MOST_COLUMNS:
                raise Refused(Reason.TOO_MANY_COLUMNS)
            if not any(cell.strip() for cell in cells) or (number == 1 and stated):
                continue
            read += 1
            yield number, cells, []
            if read > MOST_ROWS:
                return
    except (csv.Error, TypeError, ValueError):  # an invalid separator, an open quote
        raise Refused(Reason.UNBALANCED) from None


def _decoded(content: bytes) -> str:
    encodings = [name for bom, name in _BOMS if content.startswith(bom)]
    for encoding in encodings or ["utf-8", max(_OF_EXCEL, key=lambda name: _umlauts(content, name))]:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.lstrip(_BYTE_ORDER_MARK)
    raise Refused(Reason.UNSUPPORTED)


def _umlauts(content: bytes, encoding: str) -> int:
    """Counts umlauts at places where German has them, if the text is in this encoding."""
    return len(_UMLAUT.findall(content.decode(encoding, "ignore")))
