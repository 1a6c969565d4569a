"""Opening hours and weekly targets: who may know and set them, and from when they hold."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import setting_changes
from stempelwerk_cloud.planning.facts import hours as values
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.hours import service as hours

from cloud.tests.databases import ON_SQLITE
from cloud.tests.world import Firm, Somebody, World

TODAY = "2026-11-20"
CLOSED: dict[str, Any] = {str(day): None for day in range(7)}
PLAIN = {"mode": "none", "uniformWeeklyTargetMinutes": None, "openingHours": CLOSED}
UNIFORM = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}


def _config(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/working-hours-config"


def _targets(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/employee-weekly-targets"


def _get(firm: Firm, on: str | None = None) -> Any:
    answer = firm.boss.get(_config(firm) + (f"?on={on}" if on else ""))
    assert answer.status_code == 200, answer.text
    return answer.json()


def _put(firm: Firm, **fields: Any) -> Any:
    answer = firm.boss.put(_config(firm), json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _give(firm: Firm, minutes: int | None, whom: Somebody | None = None, **fields: Any) -> Any:
    item = {"userId": (whom or firm.anna).id, "weeklyTargetMinutes": minutes}
    answer = firm.boss.put(_targets(firm), json={"items": [item]} | fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _own_targets(firm: Firm, on: str | None = None) -> dict[str, int | None]:
    answer = firm.boss.get(_targets(firm) + (f"?on={on}" if on else ""))
    assert answer.status_code == 200, answer.text
    return {row["username"]: row["weeklyTargetMinutes"] for row in answer.json()}


def _own_target(person: Somebody) -> Any:
    answer = person.get("/api/working-hours/my-target")
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- who


def test_another_company_is_unknown(firm: Firm, world: World) -> None:
    other_firm = world.firm("Schreinerei Span")
    for path, body in ((_config(firm), UNIFORM), (_targets(firm), {"items": []})):
        assert other_firm.boss.get(path).status_code == 404
        assert other_firm.boss.put(path, json=body).status_code == 404
    _put(firm, **UNIFORM)
    _give(firm, 600)
    assert other_firm.boss.get(_config(other_firm)).json() == PLAIN
    assert set(_own_targets(other_firm).values()) == {None}
    assert _own_target(other_firm.anna) == {"weeklyTargetMinutes": 0}


def test_without_the_module_a_company_has_none(firm: Firm, world: World) -> None:
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": ["schedule"]})
    for path, body in ((_config(firm), UNIFORM), (_targets(firm), {"items": []})):
        assert firm.boss.get(path).json()["code"] == "feature_off"
        assert firm.boss.put(path, json=body).json()["code"] == "feature_off"
        assert world.founder.put(path, json=body).status_code == 200
    assert _own_target(firm.anna) == {"weeklyTargetMinutes": 2400}


# -- the company's hours


def test_a_new_company_has_no_hours(firm: Firm) -> None:
    assert _get(firm) == PLAIN
    assert _own_target(firm.anna) == {"weeklyTargetMinutes": 0}


def test_hours_are_answered_as_they_are_set(firm: Firm) -> None:
    opening = CLOSED | {"0": {"open": "08:00", "close": "17:30"}, "6": {"open": "00:00", "close": "23:59"}}
    assert _put(firm, **UNIFORM, openingHours=opening) == UNIFORM | {"openingHours": opening, "validFrom": TODAY}
    assert _get(firm) == UNIFORM | {"openingHours": opening}


def test_a_day_is_open_only_if_both_times_are_set(firm: Firm) -> None:
    opening_hours = {
        "0": {"open": "08:00", "close": None},
        "1": {"open": None, "close": "08:00"},
        "2": {"open": "", "close": ""},
        "3": {},
        "4": {"open": "08:00", "close": "08:01"},
    }
    assert _put(firm, openingHours=opening_hours)["openingHours"] == CLOSED | {"4": {"open": "08:00", "close": "08:01"}}


def test_what_is_left_out_stays(firm: Firm) -> None:
    _put(firm, **UNIFORM, openingHours={"0": {"open": "08:00", "close": "17:30"}})
    config_before = _get(firm)
    assert _put(firm, mode="perEmployee") == config_before | {"mode": "perEmployee", "validFrom": TODAY}
    assert _put(firm) == config_before | {"mode": "perEmployee", "validFrom": TODAY}
    assert _put(firm, uniformWeeklyTargetMinutes=None)["uniformWeeklyTargetMinutes"] is None


@ON_SQLITE
@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "all"},
        {"mode": None},
        {"uniformWeeklyTargetMinutes": -1},
        {"uniformWeeklyTargetMinutes": 10_081},
        {"uniformWeeklyTargetMinutes": 0.5},
        {"uniformWeeklyTargetMinutes": "2400"},
        {"uniformWeeklyTargetMinutes": True},
        {"openingHours": {"7": None}},
        {"openingHours": {"Montag": None}},
        {"openingHours": []},
        {"openingHours": {"0": {"open": "17:00", "close": "08:00"}}},
        {"openingHours": {"0": {"open": "08:00", "close": "08:00"}}},
        {"openingHours": {"0": {"open": "8:00", "close": "17:00"}}},
        {"openingHours": {"0": {"open": "08:00", "close": "24:00"}}},
        {"openingHours": {"0": {"open": "08:00:00", "close": "17:00"}}},
        {"openingHours": {"0": "08:00-17:00"}},
        {"validFrom": "2026-13-01"},
    ],
)
def test_malformed_hours_are_refused_whole(firm: Firm, fields: dict[str, Any]) -> None:
    answer = firm.boss.put(_config(firm), json=UNIFORM | fields)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"]
    assert _get(firm) == PLAIN


def test_what_is_given_first_holds_from_the_beginning_and_from_its_day_if_one_is_named(
    firm: Firm, world: World
) -> None:
    other_firm = world.firm("Schreinerei Span")
    _put(firm, **UNIFORM)
    _put(other_firm, **UNIFORM, validFrom="2026-12-01")
    assert _get(firm, "1999-01-01") == PLAIN | UNIFORM
    assert (_get(other_firm, "2026-11-30"), _get(other_firm, "2026-12-01")) == (PLAIN, PLAIN | UNIFORM)


def test_a_later_value_holds_from_today_if_no_day_is_named(firm: Firm) -> None:
    _put(firm, **UNIFORM)
    _put(firm, mode="none")
    assert (_get(firm, "2026-11-19")["mode"], _get(firm)["mode"]) == ("uniform", "none")


NONE = {"mode": "none", "uniformWeeklyTargetMinutes": None}
OPEN = CLOSED | {"0": {"open": "08:00", "close": "17:30"}}


def _target(firm: Firm, platform: Platform, day: str) -> int:
    """Anna's weekly target."""
    with platform.database.read(SYSTEM) as tx:
        return hours.targets_of(tx, firm.id, [firm.anna.id])[firm.anna.id].on(date.fromisoformat(day))


@pytest.mark.parametrize(
    "saves",
    [
        [],
        [NONE],
        [{"mode": "uniform", "uniformWeeklyTargetMinutes": None}, NONE],
        [{"mode": "perEmployee"}],
    ],
)
def test_after_saves_that_gave_no_minutes_the_first_ones_hold_from_the_beginning_with_their_mode(
    firm: Firm, platform: Platform, saves: list[dict[str, Any]]
) -> None:
    for fields in saves:
        _put(firm, **fields, openingHours=OPEN)
    _put(firm, **UNIFORM, openingHours=OPEN)
    assert [_target(firm, platform, day) for day in ("1999-01-01", "2026-10-01", "2026-12-24")] == [2400, 2400, 2400]
    _put(firm, uniformWeeklyTargetMinutes=1200)
    assert (_target(firm, platform, "2026-11-19"), _target(firm, platform, TODAY)) == (2400, 1200)
    _put(firm, mode="none")
    assert (_target(firm, platform, "2026-11-19"), _target(firm, platform, TODAY)) == (2400, 0)


def test_after_no_minutes_at_all_were_given_the_next_ones_hold_from_their_day(firm: Firm, platform: Platform) -> None:
    _put(firm, mode="uniform", uniformWeeklyTargetMinutes=0)
    _put(firm, uniformWeeklyTargetMinutes=2400, validFrom="2027-01-01")
    assert (_target(firm, platform, "2026-12-31"), _target(firm, platform, "2027-01-01")) == (0, 2400)
    _put(firm, uniformWeeklyTargetMinutes=600)
    assert (_target(firm, platform, "2026-11-19"), _target(firm, platform, TODAY)) == (0, 600)


def test_peoples_first_targets_hold_from_the_beginning_and_so_does_the_mode_that_comes_after_them(
    firm: Firm, platform: Platform
) -> None:
    _put(firm, **NONE)
    _give(firm, 600)
    _give(firm, 900)
    _put(firm, mode="perEmployee")
    assert (_target(firm, platform, "2026-11-19"), _target(firm, platform, TODAY)) == (600, 900)
    _put(firm, **UNIFORM)
    assert (_target(firm, platform, "2026-11-19"), _target(firm, platform, TODAY)) == (600, 2400)


def test_what_was_said_from_a_day_on_before_there_was_a_target_stays_so(firm: Firm, platform: Platform) -> None:
    _put(firm, mode="uniform", uniformWeeklyTargetMinutes=0)
    _put(firm, mode="none", validFrom="2026-06-01")
    _put(firm, **UNIFORM, validFrom="2026-12-01")
    assert (_target(firm, platform, "2026-11-30"), _target(firm, platform, "2026-12-01")) == (0, 2400)


def test_hours_are_not_among_the_settings_that_all_rooms_share(firm: Firm) -> None:
    settings_before = firm.boss.get(f"/api/companies/{firm.id}/settings").json()
    _put(firm, **UNIFORM, openingHours={"0": {"open": "08:00", "close": "17:30"}})
    assert firm.boss.get(f"/api/companies/{firm.id}/settings").json() == settings_before


# -- weekly targets of single people


def test_everybody_but_system_administrators_has_a_row(firm: Firm, world: World) -> None:
    rows = firm.boss.get(_targets(firm)).json()
    assert [(row["username"], row["role"], row["weeklyTargetMinutes"]) for row in rows] == [
        ("anna", "user", None),
        ("ben", "user", None),
        ("chefin", "companyAdmin", None),
    ]
    assert rows[0]["userId"] == firm.anna.id
    assert world.founder.get(f"/api/companies/{world.operator_id}/employee-weekly-targets").json() == []


def test_the_answer_is_what_everybody_has_on_the_first_day(firm: Firm) -> None:
    _give(firm, 600)
    rows = _give(firm, 1200, validFrom="2026-12-01")
    assert [(row["username"], row["weeklyTargetMinutes"]) for row in rows] == [
        ("anna", 1200),
        ("ben", None),
        ("chefin", None),
    ]
    assert _own_targets(firm) == {"anna": 600, "ben": None, "chefin": None}
    assert _own_targets(firm, "2026-12-01") == {"anna": 1200, "ben": None, "chefin": None}


def test_a_persons_first_target_holds_from_the_beginning_and_can_be_taken_away(firm: Firm) -> None:
    _give(firm, None)
    _give(firm, 600)
    assert _own_targets(firm, "1999-01-01")["anna"] == 600
    _give(firm, None)
    assert (_own_targets(firm, "2026-11-19")["anna"], _own_targets(firm)["anna"]) == (600, None)
    _give(firm, 1200, firm.ben, validFrom="2026-12-01")
    assert (_own_targets(firm, "2026-11-30")["ben"], _own_targets(firm, "2026-12-01")["ben"]) == (None, 1200)


def test_who_is_not_the_companys_is_404_and_nobody_is_changed(firm: Firm, world: World) -> None:
    other_firm = world.firm("Schreinerei Span")
    deleted = world.user(firm.id, "clara")
    assert firm.boss.delete(f"/api/users/{deleted.id}").status_code == 204
    for user_id in (other_firm.anna.id, deleted.id, world.founder.id, "nobody"):
        items = [{"userId": person_id, "weeklyTargetMinutes": 600} for person_id in (firm.anna.id, user_id)]
        assert firm.boss.put(_targets(firm), json={"items": items}).status_code == 404
    assert set(_own_targets(firm).values()) == {None}
    assert set(_own_targets(other_firm).values()) == {None}


def test_who_is_named_twice_is_refused(firm: Firm) -> None:
    items = [{"userId": firm.anna.id, "weeklyTargetMinutes": minutes} for minutes in (600, 1200)]
    answer = firm.boss.put(_targets(firm), json={"items": items})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "items.1.userId"
    assert set(_own_targets(firm).values()) == {None}


@ON_SQLITE
@pytest.mark.parametrize("minutes", [-1, 10_081, 0.5, "600", True])
def test_minutes_out_of_range_are_refused(firm: Firm, minutes: object) -> None:
    items = [
        {"userId": firm.ben.id, "weeklyTargetMinutes": 60},
        {"userId": firm.anna.id, "weeklyTargetMinutes": minutes},
    ]
    assert firm.boss.put(_targets(firm), json={"items": items}).status_code == 422
    assert set(_own_targets(firm).values()) == {None}


@ON_SQLITE
@pytest.mark.parametrize("body", [{}, {"items": None}, {"items": [{}]}, {"items": [], "validFrom": "morgen"}])
def test_malformed_targets_are_refused(firm: Firm, body: dict[str, Any]) -> None:
    assert firm.boss.put(_targets(firm), json=body).status_code == 422


# -- what holds


def test_ones_own_target_goes_by_the_mode(firm: Firm) -> None:
    _give(firm, 600)
    _put(firm, **UNIFORM)
    assert (_own_target(firm.anna), _own_target(firm.ben)) == (
        {"weeklyTargetMinutes": 2400},
        {"weeklyTargetMinutes": 2400},
    )
    _put(firm, mode="perEmployee")
    assert (_own_target(firm.anna), _own_target(firm.ben)) == ({"weeklyTargetMinutes": 600}, {"weeklyTargetMinutes": 0})
    _put(firm, mode="none")
    assert _own_target(firm.anna) == {"weeklyTargetMinutes": 0}


def test_other_rooms_get_the_targets_of_every_day(firm: Firm, platform: Platform) -> None:
    _put(firm, **UNIFORM)
    _put(firm, mode="perEmployee", validFrom="2026-12-01")
    _give(firm, 600)
    _give(firm, 900, validFrom="2026-12-15")
    with platform.database.read(SYSTEM) as tx:
        everybody = hours.targets_of(tx, firm.id)
        bens_targets = hours.targets_of(tx, firm.id, [firm.ben.id])
    assert everybody.keys() == {person.id for person in (firm.boss, firm.anna, firm.ben)}
    assert bens_targets == {firm.ben.id: everybody[firm.ben.id]}
    days = [date(1999, 1, 1), date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 14), date(2026, 12, 15)]
    assert [everybody[firm.anna.id].on(day) for day in days] == [2400, 2400, 600, 600, 900]
    assert [everybody[firm.ben.id].on(day) for day in days] == [2400, 2400, 0, 0, 0]


def test_holidays_are_those_of_the_bundesland_that_held_on_the_day(firm: Firm, platform: Platform) -> None:
    settings = f"/api/companies/{firm.id}/settings"

    def public_between(first: date, last: date) -> dict[date, str]:
        with platform.database.read(SYSTEM) as tx:
            return Holidays(setting_changes(tx, firm.id)).public_between(first, last)

    year = date(2026, 1, 1), date(2026, 12, 31)
    assert public_between(*year) == {}
    firm.boss.put(settings, json={"holidayRegion": "DE-BY", "validFrom": "2026-06-04"})
    firm.boss.put(settings, json={"holidayRegion": "DE-BE", "validFrom": "2026-10-31"})
    firm.boss.put(settings, json={"holidayRegion": None, "validFrom": "2026-12-26"})
    assert public_between(*year) == {
        date(2026, 6, 4): "Fronleichnam",
        date(2026, 10, 3): "Tag der Deutschen Einheit",
        date(2026, 12, 25): "Erster Weihnachtstag",
    }
    assert public_between(date(2026, 6, 4), date(2026, 6, 4)) != {}
    assert public_between(date(2026, 6, 5), date(2026, 6, 4)) == {}


DAYS = st.dates(date(2026, 1, 1), date(2026, 1, 12))
COMPANY = st.dictionaries(
    st.tuples(st.just("hours_mode"), DAYS), st.sampled_from(["none", "uniform", "perEmployee"]), max_size=4
)
MINUTES = st.dictionaries(DAYS, st.none() | st.integers(0, 10080), max_size=4)


@given(COMPANY, MINUTES, MINUTES, DAYS)
def test_the_mode_of_each_day_says_whose_minutes_hold(
    modes: dict[tuple[str, date], str],
    uniform: dict[date, int | None],
    own_targets: dict[date, int | None],
    day: date,
) -> None:
    company = [Change(name, start, json.dumps(mode)) for (name, start), mode in modes.items()]
    company += [Change("hours_uniform_minutes", start, json.dumps(minutes)) for start, minutes in uniform.items()]
    person = [Change("weekly_target", start, json.dumps(minutes)) for start, minutes in sorted(own_targets.items())]

    def newest(dated_values: dict[date, Any]) -> Any:
        return next((dated_values[start] for start in sorted(dated_values, reverse=True) if start <= day), None)

    mode = newest({start: mode for (_, start), mode in modes.items()})
    expected = {"uniform": newest(uniform), "perEmployee": newest(own_targets)}.get(mode) or 0
    assert values.Targets(company).for_person(person).on(day) == expected


# -- the log


def test_changes_are_logged_with_what_was_and_what_is(firm: Firm) -> None:
    _put(firm, **UNIFORM, openingHours={"0": {"open": "08:00", "close": "17:30"}})
    _put(firm, **UNIFORM)
    _give(firm, 600)
    _give(firm, 600)
    _give(firm, None, validFrom="2026-12-01")
    logged = firm.boss.get(f"/api/companies/{firm.id}/audit?action=hours.").json()
    today = {"validFrom": TODAY}
    later = {"validFrom": "2026-12-01"}
    assert [(row["subjectName"], row["before"], row["after"]) for row in logged] == [
        ("anna", {"weeklyTargetMinutes": 600} | later, {"weeklyTargetMinutes": None} | later),
        ("anna", {"weeklyTargetMinutes": None}, {"weeklyTargetMinutes": 600}),
        (
            None,
            {"hoursMode": "none", "uniformWeeklyTargetMinutes": None, "openingHours": []} | today,
            {"hoursMode": "uniform", "uniformWeeklyTargetMinutes": 2400, "openingHours": ["Mo 08:00–17:30"]} | today,
        ),
    ]
