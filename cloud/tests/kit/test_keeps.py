"""What a room keeps for a while is there until its time is over, and gone from then on; of every room that says so."""

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
from stempelwerk_cloud.kit.room import Keep
from stempelwerk_cloud.people.notices.kinds import KINDS

from cloud.tests.databases import ON_BOTH
from cloud.tests.stamping import Wall
from cloud.tests.world import Firm

pytestmark = ON_BOTH

ELSEWHERE = {"purge_people_changes"}
"""What stays of them is in `device_api/test_people_at_midnight.py`."""
NOW = datetime.fromisoformat("2026-11-20T08:00:00Z")


def _row(firm: Firm, keep: Keep, at: date, number: int) -> Any:
    """One of Anna's whose time begins then; what else it needs is anything."""
    values: dict[str, Any] = {keep.column.key: at, "company_id": firm.id, "user_id": firm.anna.id, "device_no": 1}
    needs = [one for one in inspect(keep.table).columns if one.key in values or not (one.nullable or one.default)]
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
    return keep.table(**{str(one.key): values[str(one.key)] for one in needs})


@pytest.mark.parametrize("keep", [one for one in KEEPS if one.job.name not in ELSEWHERE], ids=lambda one: one.job.name)
def test_what_is_over_goes_and_the_rest_stays(keep: Keep, platform: Platform, wall: Wall) -> None:
    over = keep.until(NOW)
    young = over + (timedelta(milliseconds=1) if isinstance(over, datetime) else timedelta(days=1))
    with platform.database.write(SYSTEM) as session:
        session.add_all([_row(wall.firm, keep, at, number) for number, at in enumerate((over, young), 1)])
        session.flush()
        keep.job.work(session, NOW)
        left = session.scalars(select(keep.column)).all()
        assert (over in left, young in left) == (False, True)


@pytest.mark.parametrize("keep", [one for one in KEEPS if one.capped], ids=lambda one: one.job.name)
def test_what_a_server_whose_clock_was_ahead_let_live_too_long_goes_too(
    keep: Keep, platform: Platform, wall: Wall
) -> None:
    assert keep.granted is not None
    last = NOW + keep.granted + FURTHEST_BACK
    with platform.database.write(SYSTEM) as session:
        session.add_all([_row(wall.firm, keep, at, no) for no, at in enumerate((last, last + 1000 * DAY), 1)])
        session.flush()
        keep.job.work(session, NOW)
        left = session.scalars(select(keep.column)).all()
        assert (last in left, last + 1000 * DAY in left) == (True, False)


def test_no_two_jobs_have_one_name() -> None:
    assert len({job.name for job in JOBS}) == len(JOBS)


def test_every_message_is_told_as_something_that_people_choose(platform: Platform) -> None:
    types = platform.message_types.values()
    assert {word for one in types for word in (one.told_as, one.administrators_as) if word} <= set(KINDS)
