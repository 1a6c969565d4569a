"""Retention rules of every room: rows stay until they expire, and are removed then."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Boolean, Date, Integer, LargeBinary, String, inspect, select
from stempelwerk_cloud.app import JOBS, KEEPS
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.steady_time import FURTHEST_BACK
from stempelwerk_cloud.kit.database.columns import Id, Instant
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import RetentionRule
from stempelwerk_cloud.people.notices.tables import KINDS

from cloud.tests.databases import ON_BOTH
from cloud.tests.stamping import Site
from cloud.tests.world import Firm

pytestmark = ON_BOTH

ELSEWHERE = {"purge_people_changes"}
"""What remains of them is tested in `device_api/test_people_at_midnight.py`."""
NOW = datetime.fromisoformat("2026-11-20T08:00:00Z")


def _row(firm: Firm, keep: RetentionRule, instant: date, number: int) -> Any:
    """Builds a row of Anna's that begins at that instant; its other columns have any values."""
    values: dict[str, Any] = {keep.column.key: instant, "company_id": firm.id, "user_id": firm.anna.id, "device_no": 1}
    needs = [
        column
        for column in inspect(keep.table).columns
        if column.key in values or not (column.nullable or column.default)
    ]
    anything: dict[type, Any] = {
        Id: firm.world.platform.ids.new(),
        Instant: NOW,
        Date: NOW.date(),
        Boolean: False,
        LargeBinary: str(number).encode(),
        String: str(number),
        Integer: number,
    }
    for column in needs:
        fitting = (value for kind, value in anything.items() if isinstance(column.type, kind))
        values.setdefault(str(column.key), next(fitting, number))
    return keep.table(**{str(column.key): values[str(column.key)] for column in needs})


@pytest.mark.parametrize(
    "keep",
    [keep_rule for keep_rule in KEEPS if keep_rule.job.name not in ELSEWHERE],
    ids=lambda keep_rule: keep_rule.job.name,
)
def test_expired_rows_go_and_the_rest_stays(keep: RetentionRule, platform: Platform, site: Site) -> None:
    over = keep.cutoff(NOW)
    young = over + (timedelta(milliseconds=1) if isinstance(over, datetime) else timedelta(days=1))
    with platform.database.write(SYSTEM) as session:
        session.add_all([_row(site.firm, keep, instant, number) for number, instant in enumerate((over, young), 1)])
        session.flush()
        keep.job.work(session, NOW)
        remaining = session.scalars(select(keep.column)).all()
        assert (over in remaining, young in remaining) == (False, True)


@pytest.mark.parametrize(
    "keep", [keep_rule for keep_rule in KEEPS if keep_rule.capped], ids=lambda keep_rule: keep_rule.job.name
)
def test_rows_dated_by_a_server_ahead_of_time_go_too(keep: RetentionRule, platform: Platform, site: Site) -> None:
    assert keep.granted is not None
    last = NOW + keep.granted + FURTHEST_BACK
    with platform.database.write(SYSTEM) as session:
        session.add_all([_row(site.firm, keep, instant, no) for no, instant in enumerate((last, last + 1000 * DAY), 1)])
        session.flush()
        keep.job.work(session, NOW)
        remaining = session.scalars(select(keep.column)).all()
        assert (last in remaining, last + 1000 * DAY in remaining) == (True, False)


def test_no_two_jobs_have_one_name() -> None:
    assert len({job.name for job in JOBS}) == len(JOBS)


def test_every_type_of_message_has_a_kind_of_notification_that_people_choose(platform: Platform) -> None:
    types = platform.message_types.values()
    assert {
        word
        for message_type in types
        for word in (message_type.notification_kind, message_type.administrators_as)
        if word
    } <= set(KINDS)
