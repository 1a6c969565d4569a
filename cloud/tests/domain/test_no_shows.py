"""Who had a duty and did not come."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.no_shows import Came, Rostered, no_shows, over_at

DAY, NEXT = date(2026, 11, 20), date(2026, 11, 21)
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Rostered("anna", 22 * 60, 6 * 60)


def test_who_has_no_entry_of_the_day_did_not_come() -> None:
    assert no_shows(DAY, [Rostered("anna", None, None)], []) == ["anna"]
    assert no_shows(DAY, [Rostered("anna", 480, 960)], [Came("ben", DAY, 480), Came("anna", NEXT, 480)]) == ["anna"]
    assert no_shows(DAY, [Rostered("anna", None, None)], [Came("anna", DAY, None)]) == []


def test_who_comes_late_to_a_night_came() -> None:
    assert no_shows(DAY, [NIGHT], [Came("anna", NEXT, 30)]) == []
    assert no_shows(DAY, [NIGHT], [Came("anna", NEXT, 6 * 60)]) == ["anna"]
    assert no_shows(DAY, [NIGHT], [Came("anna", NEXT, None)]) == ["anna"]


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
ENTRIES = st.lists(st.builds(Came, PEOPLE, st.sampled_from([DAY, NEXT]), MINUTES))


@given(DUTIES, ENTRIES, st.randoms())
def test_whoever_came_is_not_missing_in_whatever_order_one_hears_of_it(
    duties: list[Rostered], entries: list[Came], random: object
) -> None:
    found = no_shows(DAY, duties, entries)
    assert set(found) <= {duty.user_id for duty in duties}
    assert not set(found) & {one.user_id for one in entries if one.date == DAY}
    random.shuffle(entries)  # type: ignore[attr-defined]
    assert no_shows(DAY, duties, entries) == found
    assert set(no_shows(DAY, duties, [*entries, Came("anna", DAY, 5)])) == set(found) - {"anna"}


@given(DUTIES)
def test_no_day_is_over_before_its_midnight(duties: list[Rostered]) -> None:
    assert over_at(DAY, [], BERLIN) <= over_at(DAY, duties, BERLIN) <= over_at(NEXT, [], BERLIN)
