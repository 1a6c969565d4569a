"""Surcharges of § 3b EStG and the ArbZG's night, against a table by hand and a reading minute by minute."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain import surcharges as law
from stempelwerk_cloud.domain.instants import EPOCH, MINUTE, minute_of
from stempelwerk_cloud.domain.surcharges import Stretch, Surcharges, act_night, stretch, surcharges

BERLIN = ZoneInfo("Europe/Berlin")
H = 60
HOLIDAYS = {date(2026, 4, 3), date(2026, 4, 5), date(2026, 4, 6), date(2026, 5, 1), date(2026, 5, 14)} | {
    date(2026, 12, 25),
    date(2026, 12, 26),
    date(2027, 1, 1),
}


def _minute_of_text(text: str) -> int:
    return minute_of(datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC))


def _total_of(*spans: tuple[str, str]) -> Surcharges:
    """Returns the minutes of one shift, summed over its days."""
    shift = [
        Stretch(date.fromisoformat(first[:10]), _minute_of_text(first), _minute_of_text(last)) for first, last in spans
    ]
    return Surcharges.total(surcharges([shift], lambda _: BERLIN, HOLIDAYS.__contains__).values())


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        # A Wednesday by day; its evening; the night into Thursday, and one that began at midnight.
        ([("2026-11-18T08:00", "2026-11-18T16:00")], Surcharges(8 * H)),
        ([("2026-11-18T14:00", "2026-11-18T22:30")], Surcharges(510, night=150)),
        ([("2026-11-18T22:00", "2026-11-19T06:00")], Surcharges(8 * H, 4 * H, 4 * H, act_night=7 * H)),
        ([("2026-11-19T00:00", "2026-11-19T08:00")], Surcharges(8 * H, 6 * H, act_night=6 * H)),
        # After a break over midnight it is still the night that began before; what ended at 20 h is no night work.
        (
            [("2026-11-18T19:00", "2026-11-18T23:00"), ("2026-11-19T00:30", "2026-11-19T05:00")],
            Surcharges(510, 180 + H, 210, act_night=4 * H + 30),
        ),
        (
            [("2026-11-18T12:00", "2026-11-18T20:00"), ("2026-11-19T00:30", "2026-11-19T05:00")],
            Surcharges(750, 270, act_night=270),
        ),
        # Saturday into Sunday, Sunday into Monday, and a Monday that begins at 1 h.
        ([("2026-11-21T22:00", "2026-11-22T06:00")], Surcharges(8 * H, 4 * H, 4 * H, 6 * H, act_night=7 * H)),
        ([("2026-11-22T22:00", "2026-11-23T06:00")], Surcharges(8 * H, 4 * H, 4 * H, 6 * H, act_night=7 * H)),
        ([("2026-11-23T01:00", "2026-11-23T05:00")], Surcharges(4 * H, 4 * H, act_night=4 * H)),
        # A holiday and the following night; a holiday on a Sunday is no Sunday.
        ([("2026-05-14T22:00", "2026-05-15T06:00")], Surcharges(8 * H, 4 * H, 4 * H, 0, 6 * H, act_night=7 * H)),
        ([("2026-04-05T08:00", "2026-04-05T12:00")], Surcharges(4 * H, holiday=4 * H)),
        # The dearest days: 1 May and the following night, Christmas Eve from 14 h, New Year's Eve from 14 h.
        ([("2026-05-01T22:00", "2026-05-02T06:00")], Surcharges(8 * H, 4 * H, 4 * H, 0, 0, 6 * H, 7 * H)),
        ([("2026-12-24T10:00", "2026-12-24T18:00")], Surcharges(8 * H, holiday150=4 * H)),
        ([("2026-12-31T10:00", "2026-12-31T18:00")], Surcharges(8 * H, holiday=4 * H)),
        ([("2026-12-31T22:00", "2027-01-01T06:00")], Surcharges(8 * H, 4 * H, 4 * H, 0, 8 * H, act_night=7 * H)),
        # The nights of clock changes have their true length.
        ([("2026-10-24T22:00", "2026-10-25T06:00")], Surcharges(9 * H, 4 * H, 5 * H, 7 * H, act_night=8 * H)),
        ([("2026-03-28T22:00", "2026-03-29T06:00")], Surcharges(7 * H, 4 * H, 3 * H, 5 * H, act_night=6 * H)),
    ],
)
def test_by_hand(spans: Sequence[tuple[str, str]], expected: Surcharges) -> None:
    assert _total_of(*spans) == expected


def test_a_night_stands_on_the_day_of_its_entry() -> None:
    night = Stretch(date(2026, 11, 30), _minute_of_text("2026-11-30T22:00"), _minute_of_text("2026-12-01T06:00"))
    assert list(surcharges([[night]], lambda _: BERLIN, lambda _: False)) == [date(2026, 11, 30)]


def test_a_deducted_break_is_taken_from_the_end_and_an_overlap_from_the_start() -> None:
    end = datetime(2026, 11, 18, 21, 30, 59, tzinfo=UTC)
    assert stretch(date(2026, 11, 18), end, 500, 30) == (date(2026, 11, 18), minute_of(end) - 500, minute_of(end) - 30)
    assert surcharges([[stretch(date(2026, 11, 18), end, 30, 30)]], lambda _: BERLIN, lambda _: False) == {}


def test_a_law_holds_from_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    later = (date(2026, 11, 19), law.Law(night_from=22))
    monkeypatch.setattr(law, "LAWS", (*law.LAWS, later))
    for cached_function in law._cuts, law._surcharge_indexes:
        cached_function.cache_clear()
    assert _total_of(("2026-11-18T20:00", "2026-11-18T23:00")).night == 3 * H
    assert _total_of(("2026-11-19T20:00", "2026-11-19T23:00")).night == H
    for cached_function in law._cuts, law._surcharge_indexes:
        cached_function.cache_clear()


# -- minute by minute

PLACES = st.sampled_from([BERLIN, ZoneInfo("Atlantic/Azores"), ZoneInfo("America/St_Johns"), ZoneInfo("UTC")])
DAYS = st.sampled_from([date(2026, 3, 28), date(2026, 4, 4), date(2026, 4, 30), date(2026, 10, 24), date(2026, 12, 24)])
SHIFTS = st.lists(st.tuples(st.integers(0, 299), st.integers(0, 600)), min_size=1, max_size=3)


def _minute(now: datetime, evenings: set[date]) -> list[str]:
    """Returns the kinds of one minute, by its wall clock."""
    day, day_before = now.date(), now.date() - timedelta(days=1)
    begun = now.hour < 4 and day_before in evenings
    kinds_counted = ["net"]
    if now.hour >= 20 or now.hour < 6:
        kinds_counted.append("night40" if begun else "night")
    if now.hour >= 23 or now.hour < 6:
        kinds_counted.append("act_night")
    days = [(day, now.hour)] + [(day_before, 23)] * begun
    kinds = [
        "holiday150"
        if (kind_day.month, kind_day.day) in {(5, 1), (12, 25), (12, 26)}
        or ((kind_day.month, kind_day.day) == (12, 24) and hour >= 14)
        else "holiday"
        if kind_day in HOLIDAYS or ((kind_day.month, kind_day.day) == (12, 31) and hour >= 14)
        else "sunday"
        if kind_day.weekday() == 6
        else ""
        for kind_day, hour in days
    ]
    return [*kinds_counted, *([max(kinds, key=["", "sunday", "holiday", "holiday150"].index)] if any(kinds) else [])]


@given(DAYS, st.integers(0, 3 * 24 * H), SHIFTS, PLACES)
def test_every_minute_counts_as_its_wall_clock_says(
    day: date, first_minute: int, parts: list[tuple[int, int]], zone: ZoneInfo
) -> None:
    minute_at = minute_of(datetime(day.year, day.month, day.day, tzinfo=UTC)) + first_minute
    shift = []
    for gap, length in parts:
        shift.append(Stretch(day, minute_at + gap, minute_at + gap + length))
        minute_at += gap + length
    walls = [
        (EPOCH + minute * MINUTE).astimezone(zone) for worked in shift for minute in range(worked.first, worked.last)
    ]
    evenings = {wall.date() for wall in walls if wall.hour >= 20}
    expected = Counter(name for wall in walls for name in _minute(wall, evenings))
    sums_by_day = surcharges([shift], lambda _: zone, HOLIDAYS.__contains__)
    assert sums_by_day.get(day, Surcharges())._asdict() == {name: expected[name] for name in Surcharges._fields}
    assert sum(act_night(worked, zone) for worked in shift) == expected["act_night"]
