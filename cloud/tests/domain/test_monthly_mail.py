"""When a month's mail is due: at 03:00 on the company's wall; each month once, whatever the pauses between looks."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import months_after
from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.domain.monthly_mail import due_at, due_since, last_due

ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/Asuncion", "Pacific/Apia", "Africa/Casablanca", "UTC")]


@pytest.mark.parametrize(
    ("month", "zone", "instant"),
    [
        ("2026-01", "Europe/Berlin", "2026-02-01T02:00+00:00"),
        ("2026-02", "Europe/Berlin", "2026-03-01T02:00+00:00"),
        ("2026-03", "Europe/Berlin", "2026-04-01T01:00+00:00"),  # summer since the 29th
        ("2026-09", "Europe/Berlin", "2026-10-01T01:00+00:00"),
        ("2026-10", "Europe/Berlin", "2026-11-01T02:00+00:00"),  # winter since the 25th
        ("2026-12", "Europe/Berlin", "2027-01-01T02:00+00:00"),
        ("2026-10", "America/New_York", "2026-11-01T08:00+00:00"),  # the clocks go back in this very night
        ("2011-11", "Pacific/Apia", "2011-12-01T13:00+00:00"),
    ],
)
def test_it_is_due_at_three_on_the_wall(month: str, zone: str, instant: str) -> None:
    assert due_at(date.fromisoformat(f"{month}-01"), ZoneInfo(zone)) == datetime.fromisoformat(instant)


@given(
    zone=st.sampled_from(ZONES),
    days=st.floats(7000, 33000),
    pauses=st.lists(st.timedeltas(timedelta(0), timedelta(days=100)), max_size=30),
)
def test_however_often_one_looks_each_month_is_planned_once_in_order_and_none_before_it_is_due(
    zone: ZoneInfo, days: float, pauses: list[timedelta]
) -> None:
    now = EPOCH + timedelta(days=days)
    first = planned = last_due(now, zone)
    for pause in pauses:
        now += pause
        for month in due_since(planned, now, zone):
            assert month == months_after(planned, 1)
            assert due_at(month, zone) <= now
            planned = month
        assert now < due_at(months_after(planned, 1), zone)
    assert first <= planned
