"""Notices of lapsing vacation: only days with a timely notice lapse, and the notice is recorded."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from stempelwerk_cloud.domain.leave import Notice

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import allow, approved, employ, vacation_of
from cloud.tests.room import inbox, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


@pytest.fixture
def firm(firm: Firm) -> Firm:
    """Thirty days a year, since this one, which lapse with March of the next."""
    allow(firm, 30, carryUntil="03-31")
    for person in (firm.anna, firm.ben):
        employ(person, entryDate="2026-01-01")
    return firm


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/vacation-notices"


def _row(firm: Firm, person: Somebody, year: int = 2026) -> dict[str, Any]:
    rows = firm.world.again(firm.boss).get(f"{_path(firm)}?year={year}").json()
    notice_row: dict[str, Any] = next(row for row in rows if row["userId"] == person.id)
    return notice_row


def _send(firm: Firm, year: int = 2026, *people: Somebody) -> Any:
    body = {"year": year} | ({"userIds": [person.id for person in people]} if people else {})
    return firm.world.again(firm.boss).post(_path(firm), json=body)


def _on(clock: SettableClock, day: str) -> None:
    clock.set(datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=UTC))


# -- refusals


def test_another_companys_people_are_unknown_and_nobody_is_told(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert other_firm.boss.get(_path(firm)).status_code == 404
    assert other_firm.boss.post(_path(firm), json={"year": 2026}).status_code == 404
    for user_id in (other_firm.anna.id, firm.boss.id, UNKNOWN):
        assert firm.boss.post(_path(firm), json={"year": 2026, "userIds": [user_id]}).status_code == 404
    assert (inbox(firm.anna), inbox(other_firm.anna)) == ([], [])


@ON_SQLITE
@pytest.mark.parametrize("body", [{}, {"year": 1999}, {"year": "2026"}, {"year": 2026, "userIds": ["x"]}])
def test_malformed_notices_are_refused(firm: Firm, body: dict[str, Any]) -> None:
    assert firm.boss.post(_path(firm), json=body).status_code in (404, 422)
    assert inbox(firm.anna) == []


def test_where_nothing_lapses_and_after_the_day_nobody_is_told(firm: Firm, clock: SettableClock) -> None:
    assert _send(firm, 2024).json()["code"] == "too_late"
    allow(firm, 30, carryUntil=None)
    assert _send(firm).json()["code"] == "nothing_lapses"
    assert (_row(firm, firm.anna)["until"], inbox(firm.anna)) == (None, [])


# -- messages


def test_nobody_is_told_of_a_year_that_has_not_begun(firm: Firm, clock: SettableClock) -> None:
    allow(firm, carryUntil="03-31")
    assert (_send(firm, 2027).status_code, _send(firm, 2027).json()["code"]) == (409, "too_early")
    assert inbox(firm.anna) == []
    clock.set(datetime(2026, 12, 31, 23, 0, tzinfo=UTC))  # the year has begun in Berlin
    firm.boss = firm.world.again(firm.boss)
    assert _send(firm, 2027).json() == {"sent": 2}


def test_everybody_is_told_once_what_is_left_and_until_when(firm: Firm) -> None:
    approved(firm, firm.anna, "2026-12-21", "2026-12-23")
    approved(firm, firm.anna, "2027-03-30", "2027-04-01")  # two of them by the day
    approved(firm, firm.ben, "2026-03-02", "2026-04-10")
    assert _send(firm).json() == {"sent": 1}
    (message,) = inbox(firm.anna, "vacation_notice")
    assert "aus 2026 noch 25 Urlaubstage" in message.body
    assert "bis zum 31. März 2027" in message.body
    row = _row(firm, firm.anna)
    assert (row["days"], row["noticeDays"], row["until"], row["readAt"]) == (25, 25, "2027-03-31", None)
    assert (row["taken"], row["planned"], row["remaining"]) == (0, 3, 27)
    assert (_row(firm, firm.ben)["days"], _row(firm, firm.ben)["taken"]) == (0, 30)
    assert _send(firm).json() == {"sent": 0}
    assert _send(firm, 2026, firm.anna, firm.ben).json() == {"sent": 1}
    assert logged(firm.world, firm.id, "vacation_notice") == ["vacation_notice.sent"] * 2


@ON_BOTH
def test_reading_the_message_is_kept_with_the_notice_and_nobody_else_reads_it(firm: Firm) -> None:
    _send(firm)
    (message,) = (message for message in firm.anna.get("/api/messages").json() if message["type"] == "vacation_notice")
    firm.ben.post("/api/messages/read", json={"ids": [message["id"]]})
    assert _row(firm, firm.anna)["readAt"] is None
    assert firm.anna.post(f"/api/messages/{message['id']}/read").is_success
    assert _row(firm, firm.anna)["readAt"] is not None
    assert _row(firm, firm.ben)["readAt"] is None


def test_two_who_send_at_once_tell_each_person_once(firm: Firm) -> None:
    answers = all_at_once(firm.world.platform, *[lambda: firm.boss.post(_path(firm), json={"year": 2026})] * 2)
    assert sorted(answer.json()["sent"] for answer in answers) == [0, 2]
    assert len(inbox(firm.anna, "vacation_notice")) == 1


# -- what lapses


@pytest.mark.parametrize(
    ("sent", "day", "lapsed"),
    [
        (None, "2027-05-01", 0),
        ("2027-03-03", "2027-03-31", 0),
        ("2027-03-03", "2027-04-01", 19),  # two of the 21 workdays from then on were taken
        ("2027-01-04", "2027-04-01", 28),
        ("2027-03-04", "2027-04-01", 0),  # one day too late
    ],
)
def test_only_what_a_notice_told_in_time_lapses(
    firm: Firm, clock: SettableClock, sent: str | None, day: str, lapsed: float
) -> None:
    approved(firm, firm.anna, "2027-03-30", "2027-04-01")
    if sent is not None:
        _on(clock, sent)
        assert _send(firm).json() == {"sent": 2}
    _on(clock, day)
    own_vacation = vacation_of(firm.world.again(firm.anna))
    assert (own_vacation["lapsed"], own_vacation["remainingDays"]) == (lapsed, 60 - 3 - lapsed)
    account = firm.world.again(firm.anna).get(f"/api/users/{firm.anna.id}/account?month=2027-04").json()["vacation"]
    assert (account["lapsed"], account["remaining"], account["carried"]) == (lapsed, 57 - lapsed, 30)
    assert _row(firm, firm.anna)["days"] == 28 - lapsed


def test_a_policy_that_lets_carried_days_stay_after_all_takes_nothing(firm: Firm, clock: SettableClock) -> None:
    _send(firm)
    for carry_until, lapsed in (("05-31", 0), (None, 0), ("03-31", 30)):
        _on(clock, "2027-04-01")
        body = {
            "mode": "uniform",
            "uniformDays": 30,
            "perUser": {},
            "carryUntil": carry_until,
            "validFrom": "2027-01-01",
        }
        boss = firm.world.again(firm.boss)
        assert boss.put(f"/api/companies/{firm.id}/vacation-policy", json=body).status_code == 200
        assert vacation_of(firm.world.again(firm.anna))["lapsed"] == lapsed


@drawn(days=st.integers(-60, 60))
def test_a_notice_counts_that_was_sent_four_weeks_before(days: int) -> None:
    lapse_day = date(2027, 3, 31)
    assert Notice(lapse_day, date.fromordinal(lapse_day.toordinal() - days), 4).timely is (days >= 28)
