"""Packs a person's data into an archive: a page to read, tables as JSON, and files. It runs in a process
(`kit/files/packing`).
"""

import html
import json
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from stempelwerk_cloud.kit import csv_tables, german
from stempelwerk_cloud.kit.files.packing.frames import File, Rows
from stempelwerk_cloud.kit.files.packing.sink import Sink


class Begin(msgspec.Struct, tag="begin"):
    """A frame: the beginning of a person's page. The files of the frames after it are in `folder`."""

    folder: str
    whose: str
    now: datetime
    zone: str


class Column(msgspec.Struct, frozen=True):
    """A column of a table. The page has those with a `label`, in this form and with these words for values
    (`kit/database/described.ColumnDescription`).
    """

    name: str
    label: str | None = None
    form: str = "plain"
    words: dict[str, str] = {}


class Table(msgspec.Struct, tag="table"):
    """A frame: the beginning of a table, with its columns; its rows follow."""

    name: str
    title: str
    columns: list[Column]


class Left(msgspec.Struct, tag="left"):
    """A frame: the end of the person's page, with the missing parts as (title, reason)."""

    left: list[tuple[str, str]]


class Sheet(msgspec.Struct, tag="sheet"):
    """A frame: the beginning of a table as CSV, with its head; its rows follow."""

    name: str
    heads: list[str]


_LEVEL: Final = 4
"""The compression level of zlib: files are 3 % larger than at its default, in two thirds of the time."""
Frame = Begin | Table | Rows | File | Left | Sheet
"""All frames. `Rows` belong to the table or sheet that has begun. The person's page lists each `File`."""


class Writer:
    """Writes frames into an archive. Any frame except `Rows` ends an open table or sheet."""

    FRAMES = Frame

    def __init__(self, file: Sink) -> None:
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._person: Begin | None = None
        self._table: _Table | _Sheet | None = None
        self._page: list[str] = []
        self._files: list[str] = []

    def take(self, frame: Frame) -> None:
        if isinstance(frame, Rows):
            assert self._table is not None
            self._table.add(frame.rows)
            return
        self._end_table()
        match frame:
            case Begin():
                self._person, self._files = frame, []
                self._page = [_head(frame.whose, _local(frame.now, ZoneInfo(frame.zone)))]
            case Table():
                assert self._person is not None
                path = f"{self._person.folder}daten/{frame.name}.json"
                self._table = _Table(self._archive, path, frame, ZoneInfo(self._person.zone))
            case File():
                self._archive.writestr(self._inside(frame.name), frame.content)
                self._files.append(frame.name)
            case Left():
                page = "".join([*self._page, _tail(self._files, frame.left)])
                self._archive.writestr(self._inside("auskunft.html"), page)
                self._person = None
            case Sheet():
                self._table = _Sheet(self._archive, frame)

    def close(self) -> None:
        self._end_table()
        self._archive.close()

    def _end_table(self) -> None:
        if self._table is not None:
            self._page.append(self._table.end())
            self._table = None

    def _inside(self, name: str) -> str:
        return name if self._person is None else self._person.folder + name


class _Table:
    """A table that is written as JSON and shown on the page."""

    def __init__(self, archive: zipfile.ZipFile, path: str, table: Table, zone: ZoneInfo) -> None:
        self._file = archive.open(path, "w")
        self._told, self._zone = table, zone
        self._names = [column.name for column in table.columns]
        self._cells: dict[str, list[str]] = {column.name: [] for column in table.columns if column.label is not None}
        self._is_empty = True

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        encoded_rows = _json([dict(zip(self._names, _json_row(row), strict=True)) for row in rows])
        self._file.write((b"[" if self._is_empty else b",") + encoded_rows)
        self._is_empty = False
        for column, values in zip(self._told.columns, zip(*rows, strict=True), strict=True):
            if column.label is not None:
                self._cells[column.name] += [_cell(column, value, self._zone) for value in values]

    def end(self) -> str:
        """Closes the JSON file and returns the table as HTML."""
        self._file.write(b"[]\n" if self._is_empty else b"\n]\n")
        self._file.close()
        title = self._told.title
        if self._is_empty:
            return f"<h2>{html.escape(title)}</h2><p>Keine.</p>\n"
        columns = {name: cells for name, cells in self._cells.items() if any(cells)}
        labels = [column.label or "" for column in self._told.columns if column.name in columns]
        body = "\n".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in zip(*columns.values(), strict=True))
        return f"{_table_head(title, labels)}{body}</tbody></table>\n"


class _Sheet:
    """A table that is written as CSV only."""

    def __init__(self, archive: zipfile.ZipFile, sheet: Sheet) -> None:
        self._file = archive.open(sheet.name, "w")
        self._file.write(csv_tables.table(sheet.heads, ()))

    def add(self, rows: Sequence[csv_tables.Row]) -> None:
        self._file.write(csv_tables.lines(rows))

    def end(self) -> str:
        self._file.close()
        return ""


def _json(rows: Sequence[Any]) -> bytes:
    """Returns the rows as the lines of a JSON list, without its brackets."""
    return msgspec.json.format(_ENCODER.encode(rows), indent=1)[1:-2]


def _json_row(row: Sequence[Any]) -> list[Any]:
    """Returns the row with its instants as text, because the encoder writes them without milliseconds."""
    return [_instant(value) if type(value) is datetime else value for value in row]


def _instant(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _local(instant: datetime, zone: ZoneInfo, *, seconds: bool = False) -> str:
    local_time = instant.astimezone(zone)
    minute = f"{german.day_in_table(local_time.date())}, {local_time.hour:02d}:{local_time.minute:02d}"
    return f"{minute}:{local_time.second:02d}" if seconds else minute


def _cell(column: Column, value: Any, zone: ZoneInfo) -> str:
    """Returns the value as the HTML of a cell."""
    if type(value) is datetime:
        return _local(value, zone, seconds=column.form == "seconds")
    if isinstance(value, list | tuple | dict):
        return _list_cell(column, value)
    if isinstance(value, str):
        return html.escape(_worded(column, value))
    return _cell_text(value, is_minute=column.form == "minute of day")


def _worded(column: Column, value: str) -> str:
    if column.form != "json":
        return column.words.get(value, value)
    decoded = json.loads(value)
    return "" if decoded is None else column.words.get(str(decoded), str(decoded)).strip("[]")


@lru_cache(maxsize=4000, typed=True)
def _cell_text(value: Any, *, is_minute: bool) -> str:
    match value:
        case date():
            text = "von Anfang an" if value == date.min else german.day_in_table(value)
        case None:
            text = ""
        case bool():
            text = german.value(value)
        case int():
            text = german.clock(value) if is_minute else str(value)
        case _:
            text = html.escape(json.dumps(value, ensure_ascii=False))
    return text


def _list_cell(column: Column, value: Any) -> str:
    if not value and not isinstance(value, dict):
        return ""
    if isinstance(value, list | tuple) and all(isinstance(member, str) for member in value):
        return html.escape(", ".join(str(column.words.get(member, member)) for member in value))
    return html.escape(json.dumps(value, ensure_ascii=False))


_ENCODER = msgspec.json.Encoder()


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#1c1917;background:#fff;margin:2rem auto;max-width:70rem;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem;break-after:avoid}
table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #e9e4dd;padding:.3rem .5rem .3rem 0;text-align:left;vertical-align:top}
td{overflow-wrap:break-word}
thead{display:table-header-group}tr{break-inside:avoid}.muted{color:#5f5850}
@page{size:A4 landscape;margin:14mm}@media print{body{margin:0;max-width:none;font-size:9pt}}
"""


_LEAD = """Auskunft nach Art. 15 DSGVO und Kopie nach Art. 20 DSGVO. Dieselben Angaben liegen im Ordner „daten“ als
JSON, Bescheinigungen und unterschriebene Zeitnachweise in den anderen Ordnern. Passwörter, Schlüssel und Codes fehlen:
Sie öffnen einen Zugang und sagen nichts über dich. Vorgänge im Änderungsprotokoll heißen so, wie das Programm sie
nennt.
"""


def _head(heading: str, when: str) -> str:
    title = html.escape(f"Gespeicherte Daten: {heading}")
    return (
        f'<!doctype html><html lang="de"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f'</head><body><h1>{title}</h1><p class="muted">Stand: {when} Uhr. {_LEAD}</p>\n'
    )


def _table_head(title: str, labels: Iterable[str]) -> str:
    cells = "".join(f'<th scope="col">{html.escape(label)}</th>' for label in labels)
    return f"<h2>{html.escape(title)}</h2><table><thead><tr>{cells}</tr></thead><tbody>\n"


def _tail(files: Iterable[str], missing_parts: Iterable[tuple[str, str]]) -> str:
    file_links = "".join(f'<li><a href="{html.escape(name)}">{html.escape(name)}</a></li>' for name in files)
    missing = "".join(f"<li>{html.escape(title)}: {html.escape(why)}.</li>" for title, why in missing_parts)
    return (
        f"<h2>Dateien</h2>{f'<ul>{file_links}</ul>' if file_links else '<p>Keine.</p>'}"
        f"<h2>Was hier fehlt, und warum</h2><ul>{missing}</ul></body></html>\n"
    )
