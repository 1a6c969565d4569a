"""Employees who missed their duty."""

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


def local_instant(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), BERLIN).astimezone(UTC)


def missing(duty: Rostered, *entries: Came) -> bool:
    return no_shows(DAY, [duty], entries, BERLIN) == [duty.user_id]


def test_who_has_no_entry_of_the_day_did_not_come() -> None:
    untimed = Rostered("anna", None, None)
    assert missing(untimed)
    ben, later = Came("ben", DAY, local_instant(DAY, 8), None), Came("anna", NEXT, local_instant(NEXT, 8), None)
    assert missing(Rostered("anna", 480, 960), ben, later)
    assert not missing(untimed, Came("anna", DAY, None, local_instant(DAY, 8)))


def test_who_comes_late_to_a_night_came() -> None:
    assert not missing(NIGHT, Came("anna", NEXT, local_instant(NEXT, 0, 30), None))
    assert not missing(NIGHT, Came("anna", NEXT, local_instant(NEXT, 0, 30), local_instant(NEXT, 6)))
    assert not missing(NIGHT, Came("anna", NEXT, None, local_instant(NEXT, 5, 59)))
    assert missing(NIGHT, Came("anna", NEXT, local_instant(NEXT, 6), local_instant(NEXT, 14)))
    assert missing(NIGHT, Came("anna", NEXT, None, None))


def test_who_comes_before_the_midnight_at_which_a_duty_begins_came() -> None:
    early = Came("anna", BEFORE, local_instant(BEFORE, 23, 50), local_instant(DAY, 8))
    for duty in (Rostered("anna", 0, 480), Rostered("anna", 0, None), Rostered("anna", None, None)):
        assert not missing(duty, early)


def test_the_day_before_excuses_nobody_who_went_before_midnight() -> None:
    for last in (local_instant(BEFORE, 23, 59), local_instant(DAY, 0)):
        for duty in (Rostered("anna", 0, 480), Rostered("anna", None, None)):
            assert missing(duty, Came("anna", BEFORE, local_instant(BEFORE, 16), last))


def test_the_end_of_the_last_night_excuses_nobody_from_the_next() -> None:
    assert missing(NIGHT, Came("anna", BEFORE, local_instant(BEFORE, 22), local_instant(DAY, 6)))


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
MOMENTS = st.one_of(
    st.none(), st.integers(0, 84 * 60).map(lambda minute: local_instant(BEFORE, 0) + timedelta(minutes=minute))
)
"""Instants until the noon after the next day, starting at the beginning of the day before."""


@st.composite
def came(draw: st.DrawFn) -> Came:
    """An entry that is dated the day of its first known moment."""
    start, end = draw(MOMENTS), draw(MOMENTS)
    if start is not None and end is not None:
        start, end = min(start, end), max(start, end)
    first = start or end or local_instant(DAY, 12)
    return Came(draw(PEOPLE), first.astimezone(BERLIN).date(), start or (None if end else first), end)


ENTRIES = st.lists(came())


@given(DUTIES, ENTRIES, st.randoms())
def test_whoever_came_is_not_missing_in_whatever_order_one_hears_of_it(
    duties: list[Rostered], entries: list[Came], random: Random
) -> None:
    missing_ids = no_shows(DAY, duties, entries, BERLIN)
    assert set(missing_ids) <= {duty.user_id for duty in duties}
    assert not set(missing_ids) & {entry.user_id for entry in entries if entry.date == DAY}
    random.shuffle(entries)
    assert no_shows(DAY, duties, entries, BERLIN) == missing_ids
    more_entries = [*entries, Came("anna", DAY, local_instant(DAY, 0, 5), None)]
    assert set(no_shows(DAY, duties, more_entries, BERLIN)) == set(missing_ids) - {"anna"}


@given(DUTIES, ENTRIES)
def test_whoever_was_there_at_some_moment_of_the_duty_is_not_missing(
    duties: list[Rostered], entries: list[Came]
) -> None:
    missing_ids = no_shows(DAY, duties, entries, BERLIN)
    for duty in duties:
        duty_start, duty_end = span(Planned(DAY, duty.start_minute, duty.end_minute), BERLIN)
        if duty_start is None or duty_end is None:
            continue
        middle = duty_start + (duty_end - duty_start) / 2
        own_entries = [entry for entry in entries if entry.user_id == duty.user_id and entry.start and entry.end]
        if any(entry.start <= middle < entry.end for entry in own_entries if entry.start and entry.end):
            assert duty.user_id not in missing_ids


@given(DUTIES)
def test_no_day_is_over_before_its_midnight(duties: list[Rostered]) -> None:
    assert over_at(DAY, [], BERLIN) <= over_at(DAY, duties, BERLIN) <= over_at(NEXT, [], BERLIN)
