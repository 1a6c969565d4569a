"""`@plain` returns the same as `@list` for whole numbers, ids, days and texts, and refuses other columns."""

import pytest
from stempelwerk_cloud.kit.database.rows import padded
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows, read_list
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH

ROWS = [
    {
        "id": "01890000-0000-7000-8000-000000000001",
        "day": "2026-02-28",
        "n": -(2**53),
        "word": "Ein \"Wort\",\n\\ 😀 'x'",
    },
    {"id": "01890000-0000-7000-8000-000000000002", "day": "1999-12-31", "n": None, "word": None},
    {"id": None, "day": None, "n": 0, "word": ""},
]
_FROM = "FROM @rows(r: id uuid, day date, n int8, word text)"
PLAIN = Statement(f"SELECT @plain('r.id', 'r.day', r.n, \"r.word\") {_FROM}")
LISTED = Statement(f"SELECT @list(r.id, r.day, r.n, r.word) {_FROM}")


@ON_BOTH
@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], ROWS[2:], []])
def test_a_plain_list_is_the_list(platform: Platform, rows: list[dict[str, object]]) -> None:
    with platform.database.read(SYSTEM) as session:
        texts = [Sql(session).rows(statement, {"r": as_rows(rows)})[0][0] for statement in (PLAIN, LISTED)]
    assert [read_list(text) for text in texts] == [[[row["id"], row["day"], row["n"], row["word"]] for row in rows]] * 2


def test_a_column_with_commas_of_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="own commas"):
        Statement(f"SELECT @plain(coalesce(r.n, 0), r.n) {_FROM}")


@pytest.mark.parametrize(("count", "length"), [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (64, 64), (65, 128), (200, 256)])
def test_parameters_have_few_lengths_and_stay_the_same(count: int, length: int) -> None:
    padded_values = padded(range(count))
    assert (len(padded_values), set(padded_values)) == (length, set(range(count)))
