"""A CSV for German Excel holds no formula, in whatever locale a program reads it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit import csv_tables

SIGNS = "=+-@＝＋－＠"
WORDS = st.text(st.sampled_from([*SIGNS, *"\"',;|\t\r\n 1aÄ\u200b\xa0\u2028"]), max_size=8)


def _readings(content: bytes) -> list[str]:
    """Returns every cell as read by programs that split at these separators or that ignore quotes."""
    text = content.decode("utf-8-sig")
    return [
        cell
        for delimiter in ",;\t|"
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE)
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
        for cell in row
    ]


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_no_reading_of_a_table_finds_a_formula(rows: list[list[str]]) -> None:
    cells = _readings(csv_tables.table(["Name"], iter(rows)))
    assert not [cell for cell in cells if cell.lstrip('\ufeff\u200b \xa0"\r\n\t').startswith(tuple(SIGNS))]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Müller,=1+1", "Müller,'=1+1"),
        ('Müller; "@SUM(A1)"', 'Müller;\' "@SUM(A1)"'),
        ("Müller\t-1", "Müller\t'-1"),
        (" =1+1", "' =1+1"),
        ("Müller, Ann-Katrin", "Müller, Ann-Katrin"),
        ("O'Neil; A+B", "O'Neil; A+B"),
    ],
)
def test_the_german_reading_has_one_cell_and_an_apostrophe_only_before_a_formula(name: str, told: str) -> None:
    text = csv_tables.table(["Name", "Datum"], iter([(name, "01.05.2026")])).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))[1] == [told, "01.05.2026"]
