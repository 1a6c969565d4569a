"""Who had a duty and did not come."""

from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.no_shows import Came, Rostered, no_shows, over_at
from stempelwerk_cloud.domain.roster import Planned, span

BEFORE, DAY, NEXT = date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 21)
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Rostered("anna", 22 * 60, 6 * 60)


def at(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), BERLIN).astimezone(UTC)


def missing(duty: Rostered, *entries: Came) -> bool:
    return no_shows(DAY, [duty], entries, BERLIN) == [duty.user_id]


def test_who_has_no_entry_of_the_day_did_not_come() -> None:
    untimed = Rostered("anna", None, None)
    assert missing(untimed)
    ben, later = Came("ben", DAY, at(DAY, 8), None), Came("anna", NEXT, at(NEXT, 8), None)
    assert missing(Rostered("anna", 480, 960), ben, later)
    assert not missing(untimed, Came("anna", DAY, None, at(DAY, 8)))


def test_who_comes_late_to_a_night_came() -> None:
    assert not missing(NIGHT, Came("anna", NEXT, at(NEXT, 0, 30), None))
    assert not missing(NIGHT, Came("anna", NEXT, at(NEXT, 0, 30), at(NEXT, 6)))
    assert not missing(NIGHT, Came("anna", NEXT, None, at(NEXT, 5, 59)))
    assert missing(NIGHT, Came("anna", NEXT, at(NEXT, 6), at(NEXT, 14)))
    assert missing(NIGHT, Came("anna", NEXT, None, None))


def test_who_comes_before_the_midnight_at_which_a_duty_begins_came() -> None:
    early = Came("anna", BEFORE, at(BEFORE, 23, 50), at(DAY, 8))
    for duty in (Rostered("anna", 0, 480), Rostered("anna", 0, None), Rostered("anna", None, None)):
        assert not missing(duty, early)


def test_the_day_before_excuses_nobody_who_went_before_midnight() -> None:
    for last in (at(BEFORE, 23, 59), at(DAY, 0)):
        for duty in (Rostered("anna", 0, 480), Rostered("anna", None, None)):
            assert missing(duty, Came("anna", BEFORE, at(BEFORE, 16), last))


def test_the_end_of_the_last_night_excuses_nobody_from_the_next() -> None:
    assert missing(NIGHT, Came("anna", BEFORE, at(BEFORE, 22), at(DAY, 6)))


def test_a_day_is_over_at_midnight_or_with_its_last_night() -> None:
    midnight = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
    assert over_at(DAY, [], BERLIN) == over_at(DAY, [Rostered("anna", 480, 960)], BERLIN) == midnight
    assert over_at(DAY, [NIGHT, Rostered("ben", 60, 120)], BERLIN) == midnight + timedelta(hours=6)


def test_a_night_in_which_the_clocks_change_is_over_when_they_say_so() -> None:
    saturday = date(2026, 10, 24)
    assert over_at(saturday, [NIGHT], BERLIN) == datetime(2026, 10, 25, 5, 0, tzinfo=UTC)


MINUTES = st.one_of(st.none(), st.integers(0, 1439))
PEOPLE = st.sampled_from(["anna", "ben", "clara"])
DUTIES = st.lists(st.builds(Rostered, PEOPLE, MINUTES, MINUTES), unique_by=lambda duty: duty.user_id)
MOMENTS = st.one_of(st.none(), st.integers(0, 84 * 60).map(lambda minute: at(BEFORE, 0) + timedelta(minutes=minute)))
"""From the beginning of the day before to the noon after the next day."""


@st.composite
def came(draw: st.DrawFn) -> Came:
    """An entry that is dated the day of its first known moment."""
    start, end = draw(MOMENTS), draw(MOMENTS)
    if start is not None and end is not None:
        start, end = min(start, end), max(start, end)
    first = start or end or at(DAY, 12)
    return Came(draw(PEOPLE), first.astimezone(BERLIN).date(), start or (None if end else first), end)


ENTRIES = st.lists(came())


@given(DUTIES, ENTRIES, st.randoms())
def test_whoever_came_is_not_missing_in_whatever_order_one_hears_of_it(
    duties: list[Rostered], entries: list[Came], random: Random
) -> None:
    found = no_shows(DAY, duties, entries, BERLIN)
    assert set(found) <= {duty.user_id for duty in duties}
    assert not set(found) & {one.user_id for one in entries if one.date == DAY}
    random.shuffle(entries)
    assert no_shows(DAY, duties, entries, BERLIN) == found
    more = [*entries, Came("anna", DAY, at(DAY, 0, 5), None)]
    assert set(no_shows(DAY, duties, more, BERLIN)) == set(found) - {"anna"}


@given(DUTIES, ENTRIES)
def test_whoever_was_there_at_some_moment_of_the_duty_is_not_missing(
    duties: list[Rostered], entries: list[Came]
) -> None:
    found = no_shows(DAY, duties, entries, BERLIN)
    for duty in duties:
        begins, ends = span(Planned(DAY, duty.start_minute, duty.end_minute), BERLIN)
        if begins is None or ends is None:
            continue
        middle = begins + (ends - begins) / 2
        there = [one for one in entries if one.user_id == duty.user_id and one.start and one.end]
        if any(one.start <= middle < one.end for one in there if one.start and one.end):
            assert duty.user_id not in found


@given(DUTIES)
def test_no_day_is_over_before_its_midnight(duties: list[Rostered]) -> None:
    assert over_at(DAY, [], BERLIN) <= over_at(DAY, duties, BERLIN) <= over_at(NEXT, [], BERLIN)
