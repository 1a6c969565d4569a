"""When a company is closed: a span in which no opening hour lies, around now or after it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.closed import closed

BERLIN = ZoneInfo("Europe/Berlin")
WORKDAYS = {str(day): [8 * 60, 17 * 60] for day in range(5)} | {"5": None, "6": None}
hours = st.none() | st.tuples(st.integers(0, 1439), st.integers(1, 1440)).map(sorted).filter(lambda p: p[0] < p[1])
weeks = st.fixed_dictionaries({str(day): hours for day in range(7)})
instants = st.integers(0, 2 * 366 * 24 * 60).map(
    lambda minute: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


def test_at_work_it_is_the_coming_night_and_at_night_this_one():
    night = at("2026-11-26 17:00"), at("2026-11-27 08:00")
    assert closed(WORKDAYS, at("2026-11-26 12:00"), BERLIN) == night
    assert closed(WORKDAYS, at("2026-11-26 17:00"), BERLIN) == night
    assert closed(WORKDAYS, at("2026-11-27 07:59"), BERLIN) == night
    assert closed(WORKDAYS, at("2026-11-27 08:00"), BERLIN) == (at("2026-11-27 17:00"), at("2026-11-30 08:00"))


def test_nothing_is_known_without_hours_and_who_never_closes_is_never_closed():
    assert closed(dict.fromkeys(map(str, range(7))), at("2026-11-26 12:00"), BERLIN) is None
    assert closed({str(day): [0, 1440] for day in range(7)}, at("2026-11-26 12:00"), BERLIN) is None


def is_open(week: dict[str, list[int] | None], moment: datetime) -> bool:
    local = moment.astimezone(BERLIN)
    span = week[str(local.weekday())]
    return span is not None and span[0] <= local.hour * 60 + local.minute < span[1]


@given(weeks, instants, st.integers(0, 999))
def test_nobody_is_expected_in_it_and_it_is_not_over(week, now, part):
    found = closed(week, now, BERLIN)
    if found is None:
        assert not any(week.values()) or is_open(week, now)
        return
    begin, end = found
    assert begin < end
    assert now < end
    assert not is_open(week, begin + (end - begin) * part / 1000)
    assert begin <= now or is_open(week, now)
    assert end - begin <= timedelta(days=9)
