"""The tables of a person's file: as JSON that any program reads the same, and in HTML."""

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.files.packing import frames
from stempelwerk_cloud.kit.files.packing.frames import Rows
from stempelwerk_cloud.kit.files.packing.sink import Sink
from stempelwerk_cloud.office.records.page import Begin, Column, Left, Table, Writer

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


def packed(columns: Sequence[Column], *pieces: Sequence[Sequence[Any]]) -> zipfile.ZipFile:
    """Packs a file with one table, whose rows come in these pieces."""
    sink = Sink()
    writer, decoder = Writer(sink), frames.decoder(Writer.FRAMES)
    rows = [Rows([frames.plain(row) for row in piece]) for piece in pieces]
    begin = Begin("", "anna", datetime(2026, 11, 20, 8, tzinfo=UTC), "Europe/Berlin")
    for frame in (begin, Table("duties", "Dienste", list(columns)), *rows, Left([])):
        writer.take(decoder.decode(frames.encoded(frame)))
    writer.close()
    return zipfile.ZipFile(io.BytesIO(sink.drain()))


@given(st.lists(st.lists(st.tuples(VALUES, TEXTS), min_size=1, max_size=3), max_size=3))
def test_a_table_is_written_as_the_standard_library_writes_json(pieces: list[list[tuple[Any, str]]]) -> None:
    columns = [Column("payload", "Angaben"), Column("username", "Benutzername")]
    lines = [dict(zip(("payload", "username"), row, strict=True)) for piece in pieces for row in piece]
    json_text = packed(columns, *pieces).read("daten/duties.json").decode()
    assert json_text == json.dumps(lines, ensure_ascii=False, indent=1) + "\n"


def test_days_and_instants_are_text_in_json_and_local_on_the_page() -> None:
    row = [
        date(2026, 7, 1),
        datetime(2026, 7, 1, 22, 30, 5, 7000, UTC),
        datetime(2026, 7, 1, 22, 30, 5, tzinfo=UTC),
        420,
    ]
    columns = [
        Column("date", "Tag"),
        Column("at", "Zeitpunkt", "seconds"),
        Column("start_at", "Beginn"),
        Column("start_minute", "Kommen", "minute of day"),
    ]
    archive = packed(columns, [row], [[date.min, None, None, None]])
    first, second = json.loads(archive.read("daten/duties.json"))
    assert list(first.values()) == ["2026-07-01", "2026-07-01T22:30:05.007Z", "2026-07-01T22:30:05.000Z", 420]
    assert list(second.values()) == ["0001-01-01", None, None, None]
    page = archive.read("auskunft.html").decode()
    cells = ("01.07.2026", "02.07.2026, 00:30:05", "02.07.2026, 00:30", "07:00")
    assert f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" in page
    assert "<tr><td>von Anfang an</td><td></td><td></td><td></td></tr>" in page


def test_a_page_shows_no_markup_of_its_values_no_ids_and_no_column_without_any() -> None:
    rows = [["1", "<b>", None, ["<i>", "x"], {"a": "&"}], ["2", "krank", None, [], None]]
    labels = {"reason": "Grund", "comment": "Bemerkung", "flags": "Hinweise", "before": "Vorher"}
    columns = [Column("id"), *(Column(name, label) for name, label in labels.items())]
    page = packed(columns, rows).read("auskunft.html").decode()
    assert "<tr><td>&lt;b&gt;</td><td>&lt;i&gt;, x</td><td>{&quot;a&quot;: &quot;&amp;&quot;}</td></tr>" in page
    assert "<tr><td>krank</td><td></td><td></td></tr>" in page
    assert "Bemerkung" not in page
