"""Publishing the roster: changes are announced once to their people; and the warnings of a plan."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud import jobs
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.schedule import words
from stempelwerk_cloud.planning.schedule.room import ROOM

from cloud.tests.databases import ON_BOTH
from cloud.tests.meeting import all_at_once
from cloud.tests.migrations.standing import leave_at
from cloud.tests.planning.illness import read_all
from cloud.tests.planning.leaving import falls_ill
from cloud.tests.planning.rosters import TODAY, add_duty, assigned, offer, on_leave, path, published
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

DAY, NEXT = "2026-12-01", "2026-12-02"
DECEMBER = ("2026-12-01", "2026-12-31")


def _unpublished(firm: Firm, first: str = "2026-11-01", last: str = "2026-12-31") -> list[tuple[str, str, str]]:
    rows = firm.boss.get(f"{path(firm)}/changes", params={"from": first, "to": last}).json()
    return [(row["userId"], row["date"], row["kind"]) for row in rows]


def _warned(firm: Firm, first: str, last: str) -> list[tuple[str, str, str]]:
    rows = firm.boss.get(f"{path(firm)}/warnings", params={"from": first, "to": last}).json()
    return [(row["date"], row["code"], row["userId"]) for row in rows]


@pytest.mark.parametrize(
    ("body", "field"),
    [({"to": DAY}, "from"), ({"from": NEXT, "to": DAY}, "from"), ({"from": DAY, "to": "2028-12-01"}, "to")],
)
def test_days_that_make_no_period_are_refused(firm: Firm, body: dict[str, Any], field: str) -> None:
    refused = firm.boss.post(f"{path(firm)}/publish", json=body)
    assert (refused.status_code, [error["field"] for error in refused.json()["errors"]]) == (422, [field])
    if "from" in body:
        for read in ("warnings", "changes"):
            assert firm.boss.get(f"{path(firm)}/{read}", params=body).status_code == 422


def test_another_companys_changes_are_nobodys_here(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assigned(other_firm, other_firm.anna, DAY)
    assert (_unpublished(firm), published(firm, *DECEMBER), inbox(other_firm.anna)) == ([], 0, [])
    assert published(other_firm, *DECEMBER) == 1


@ON_BOTH
def test_assigning_tells_nobody_and_publishing_tells_each_once(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY, start="08:00", end="16:00")
    assigned(firm, firm.anna, NEXT)
    assigned(firm, firm.ben, "2027-01-01")
    assert (inbox(firm.anna), [row["published"] for row in firm.anna.get(path(firm)).json()]) == ([], [False, False])
    assert _unpublished(firm) == [(firm.anna.id, DAY, "added"), (firm.anna.id, NEXT, "added")]
    assert published(firm, *DECEMBER, message="Bitte prüfen.") == 1
    (message,) = inbox(firm.anna)
    assert message.payload == {"dates": [DAY, NEXT]}
    assert "\nNeu: 1. Dezember 2026 (08:00–16:00); 2. Dezember 2026.\nAnmerkung: „Bitte prüfen.“" in message.body
    assert [row["published"] for row in firm.anna.get(path(firm)).json()] == [True, True]
    assert (published(firm, *DECEMBER), len(inbox(firm.anna)), inbox(firm.ben)) == (0, 1, [])


def test_a_note_ends_where_the_next_change_is_told(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    published(firm, *DECEMBER, message="Schlüssel mitbringen")
    assigned(firm, firm.anna, NEXT)
    published(firm, *DECEMBER)
    (message,) = inbox(firm.anna)
    assert message.body.endswith("\nAnmerkung: „Schlüssel mitbringen“\nNeu: 2. Dezember 2026.")


@ON_BOTH
def test_what_was_undone_is_no_change_and_other_times_are_one(firm: Firm) -> None:
    duty = assigned(firm, firm.anna, DAY, start="08:00")
    firm.boss.delete(f"{path(firm)}/{duty['id']}")
    assert (_unpublished(firm), published(firm, *DECEMBER)) == ([], 0)
    known_duty, ended_duty = assigned(firm, firm.anna, DAY, start="08:00"), assigned(firm, firm.anna, NEXT)
    published(firm, *DECEMBER)
    read_all(firm.anna)
    for row in (known_duty, ended_duty):
        firm.boss.delete(f"{path(firm)}/{row['id']}")
    assigned(firm, firm.anna, DAY, start="09:00", end="12:00")
    assert [kind for _, _, kind in _unpublished(firm)] == ["times", "removed"]
    assert published(firm, *DECEMBER) == 1
    body = inbox(firm.anna)[-1].body
    assert "\nGeändert: 1. Dezember 2026 (09:00–12:00).\nEntfällt: 2. Dezember 2026." in body


def test_days_that_begin_and_end_alike_are_told_together(firm: Firm) -> None:
    for day in (DAY, NEXT, "2026-12-04"):
        assigned(firm, firm.anna, day, **({} if day == NEXT else {"start": "08:00", "end": "16:00"}))
    published(firm, *DECEMBER)
    assert "Neu: 1., 4. Dezember 2026 (08:00–16:00); 2. Dezember 2026." in inbox(firm.anna)[-1].body


def test_what_concerns_today_and_tomorrow_is_told_at_once(firm: Firm) -> None:
    for day in (f"{TODAY}", "2026-11-21", "2026-11-22"):
        assigned(firm, firm.anna, day)
    (message,) = inbox(firm.anna)
    assert message.payload == {"dates": [f"{TODAY}", "2026-11-21"]}
    assert _unpublished(firm) == [(firm.anna.id, "2026-11-22", "added")]


def test_what_nobody_published_is_told_once_on_the_morning_before(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    (job,) = ROOM.jobs
    clock.set(datetime(2026, 11, 29, 23, 0, tzinfo=UTC))  # midnight in Berlin
    for day in (DAY, NEXT):
        add_duty(firm.anna, day, 480)
    for later, message_count in ((0, 0), (7, 0), (8, 1), (9, 1), (25, 1)):
        clock.set(datetime(2026, 11, 29, 23, 0, tzinfo=UTC) + timedelta(hours=later))
        jobs.run_once(platform, job)
        assert len(inbox(firm.anna)) == message_count, later
    (message,) = inbox(firm.anna)
    assert message.payload == {"dates": [DAY]}


def test_where_the_roster_is_switched_off_nobody_is_told_of_it(world: World, firm: Firm, platform: Platform) -> None:
    add_duty(firm.anna, "2026-11-21")
    features = {"featureIds": ["absences"]}
    assert world.founder.put(f"/api/companies/{firm.id}/features", json=features).status_code == 200
    jobs.run_once(platform, *ROOM.jobs)
    assert inbox(firm.anna) == []


def test_what_is_over_is_neither_told_nor_shown_as_unpublished(firm: Firm) -> None:
    assigned(firm, firm.anna, "2026-11-19")
    assert (_unpublished(firm), published(firm, "2026-11-01", "2026-11-30")) == ([], 0)
    assert [row["published"] for row in firm.boss.get(path(firm)).json()] == [True]


def test_a_long_month_is_told_in_few_words(firm: Firm) -> None:
    times = [{"start": "07:00", "end": "16:00"}, {}]
    add = [{"date": f"2026-12-{day:02}", "userId": firm.anna.id} | times[day % 5 == 0] for day in range(1, 21)]
    firm.boss.post(f"{path(firm)}/bulk", json={"add": add, "remove": []})
    published(firm, *DECEMBER)
    (message,) = inbox(firm.anna)
    sentence = "Neu: 1.–4., 6.–9., 11.–14., 16.–19. Dezember 2026 (07:00–16:00); 5., 10., 15., 20. Dezember 2026."
    assert (message.body.split("\n")[1:], len(message.payload["dates"])) == ([sentence], 20)


def test_more_days_than_a_month_are_counted() -> None:
    days = [date(2026, 12, 1) + timedelta(days=day) for day in range(33)]
    assert (
        words.changes([(day, None, Planned(day, None, None)) for day in days], None)
        == "Neu: 1.–31. Dezember 2026 und 2 weitere."
    )


def test_a_hand_over_that_was_accepted_is_no_change_to_publish(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    published(firm, *DECEMBER)
    request = offer(firm.anna, firm.ben, DAY)
    assert firm.ben.post(f"/api/schedule/swap-requests/{request}/accept", json={}).status_code == 200
    assert (_unpublished(firm), published(firm, *DECEMBER)) == ([], 0)


def test_who_is_no_employee_any_more_is_told_nothing(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    published(firm, *DECEMBER)
    read_all(firm.anna)
    count_before = len(inbox(firm.anna))
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert (_unpublished(firm), published(firm, *DECEMBER), len(inbox(firm.anna))) == ([], 0, count_before)


def test_an_exit_tells_of_what_lies_behind_it_and_publishes_nothing_before(firm: Firm) -> None:
    assigned(firm, firm.anna, NEXT)
    published(firm, *DECEMBER)
    read_all(firm.anna)
    assigned(firm, firm.anna, DAY)
    body = {"exitDate": DAY, "endPlans": True}
    assert firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=body).status_code == 200
    assert inbox(firm.anna)[-1].payload == {"dates": [NEXT]}
    assert _unpublished(firm) == [(firm.anna.id, DAY, "added")]


def test_two_who_publish_at_once_tell_each_person_once(firm: Firm, platform: Platform) -> None:
    assigned(firm, firm.anna, DAY)
    bodies = {"json": {"from": DAY, "to": NEXT}}
    answers = all_at_once(platform, *[lambda: firm.boss.post(f"{path(firm)}/publish", **bodies)] * 2)
    assert sorted(answer.json()["told"] for answer in answers) == [0, 1]
    assert len(inbox(firm.anna)) == 1


# -- warnings


def test_a_months_warnings_are_those_that_assigning_gives_and_leave_over_a_duty(firm: Firm) -> None:
    assigned_warnings = []
    for day in range(1, 9):
        assigned_warnings += assigned(firm, firm.anna, f"2026-12-{day:02}", start="06:00", end="22:00")["warnings"]
    warnings = [(warning["date"], warning["code"], warning["userId"]) for warning in assigned_warnings]
    assert sorted({code for _, code, _ in warnings}) == ["over_10_h", "seventh_day", "short_rest"]
    assert _warned(firm, *DECEMBER) == sorted(warnings)
    assert _warned(firm, "2026-12-08", "2026-12-08") == sorted(
        warning for warning in warnings if warning[0] == "2026-12-08"
    )
    add_duty(firm.ben, DAY)
    on_leave(firm.ben, DAY, DAY)
    add_duty(firm.ben, "2026-12-10")
    falls_ill(firm.ben, *[TODAY.replace(month=12, day=10)] * 2)
    assert [warning[:2] for warning in _warned(firm, *DECEMBER) if warning[2] == firm.ben.id] == [
        (DAY, "on_leave"),
        ("2026-12-10", "ill"),
    ]


# -- an older release's database


def test_a_duty_that_stood_before_is_taken_as_told(empty: Database) -> None:
    leave_at(empty, "0022_taking_back")
    row = "INSERT INTO duties (company_id, id, user_id, date, start_minute, created_at, changed_at)"
    row_id = "01927a0f-0000-7000-8000-00000000c001"
    with empty.engine.begin() as connection:
        connection.execute(text(f"{row} VALUES ('{row_id}', '{row_id}', '{row_id}', '2026-12-01', 480, 1, 1)"))
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        rows = connection.execute(text("SELECT date, start_minute, end_minute FROM told_duties")).all()
    assert [(f"{row[0]}", *row[1:]) for row in rows] == [("2026-12-01", 480, None)]


def test_what_is_free_for_everybody_is_named_and_another_companys_is_not(world: World, firm: Firm) -> None:
    free_days = {"year": 2026, "days": [{"date": "2026-12-24", "name": "Heiligabend", "half": True}]}
    other_firm = world.firm("Andere")
    for each in (firm, other_firm):
        assert each.boss.put(f"/api/companies/{each.id}/settings", json={"holidayRegion": "DE-SH"}).is_success
    assert firm.boss.put(f"/api/companies/{firm.id}/free-days", json=free_days).is_success
    days_off = [
        each.boss.get(f"{path(each)}/days-off", params={"from": "2026-12-20", "to": "2026-12-25"}).json()
        for each in (firm, other_firm)
    ]
    christmas = {"date": "2026-12-25", "name": "Erster Weihnachtstag", "half": False}
    assert days_off == [[{"date": "2026-12-24", "name": "Heiligabend", "half": True}, christmas], [christmas]]
