"""Values come back from the database unchanged, on both."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.http.schemas import format_instant, parse_day, parse_instant
from stempelwerk_cloud.people.directory.tables import Company

from cloud.tests.databases import ON_BOTH

pytestmark = ON_BOTH

MILLISECONDS = st.integers(-62_135_596_800_000, 253_402_300_799_999)


@given(MILLISECONDS)
def test_milliseconds_and_instants_are_the_same_thing(milliseconds: int) -> None:
    assert ms_of(from_ms(milliseconds)) == milliseconds


@given(MILLISECONDS)
def test_an_instant_written_and_read_is_the_same(milliseconds: int) -> None:
    formatted = format_instant(from_ms(milliseconds))
    assert formatted.endswith("Z")
    assert len(formatted) == len("2026-11-20T07:58:03.214Z")
    assert parse_instant(formatted) == from_ms(milliseconds)


@pytest.mark.parametrize(
    "candidate",
    [
        "2026-11-20",
        "2026-11-20T07:58:03",
        "2026-11-20 07:58:03Z",
        "2026-13-01T00:00:00Z",
        "2026-11-20T25:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "٢٠٢٦-11-20T00:00:00Z",
        "",
        "yesterday",
    ],
)
def test_an_invalid_instant_is_refused(candidate: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- any text of it
        parse_instant(candidate)


@pytest.mark.parametrize("candidate", ["2026-2-1", "20260201", "2026-02-30", "2026-W05-1", "", "2026-02-01T00:00:00Z"])
def test_an_invalid_day_is_refused(candidate: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- any text of it
        parse_day(candidate)


def test_other_zones_mean_the_same_instant_and_are_kept_as_milliseconds(database: Database) -> None:
    company_id = str(uuid4())
    zone = timezone(timedelta(hours=1))
    with database.write(SYSTEM) as session:
        session.add(
            Company(
                id=company_id,
                name="A",
                name_key="a",
                created_at=datetime(2026, 11, 20, 8, 58, 3, 214_999, tzinfo=zone),
            )
        )
    with database.read(SYSTEM) as session:
        company = session.get_one(Company, company_id)
        assert company.id == company_id
        assert company.created_at == datetime(2026, 11, 20, 7, 58, 3, 214_000, tzinfo=UTC)
        raw = session.execute(text("SELECT id, created_at FROM companies WHERE id = :id"), {"id": company_id}).one()
        assert str(raw.id) == company_id
        assert raw.created_at == 1_795_161_483_214
