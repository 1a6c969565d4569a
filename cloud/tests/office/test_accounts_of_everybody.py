"""Everybody's month in one list: the same figures as in each person's own account."""

from typing import Any

from cloud.tests.databases import ON_BOTH
from cloud.tests.office.people import employ, on_leave, set_weekly, worked
from cloud.tests.planning.illness import decide, reported
from cloud.tests.planning.leaving import allow, approved
from cloud.tests.world import Firm


def _all(firm: Firm, month: str = "2026-11") -> list[dict[str, Any]]:
    answer = firm.boss.get(f"/api/companies/{firm.id}/accounts?month={month}")
    assert answer.status_code == 200, answer.text
    body: list[dict[str, Any]] = answer.json()
    return body


def test_a_foreign_company_is_unknown_and_a_month_must_be_one(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/accounts"
    assert firm.world.firm("Andere GmbH").boss.get(path).status_code == 404
    assert firm.anna.get(path).status_code == 403
    assert firm.boss.get(f"{path}?month=November").status_code == 422


def test_the_list_says_what_each_account_says(firm: Firm) -> None:
    allow(firm)
    set_weekly(firm, 2400)
    worked(firm.anna, "2026-10-05", "08:00", "17:00")
    worked(firm.anna, "2026-11-03", "06:00", "18:00")
    worked(firm.anna, "2026-11-04", "08:00", "12:00")
    approved(firm, firm.anna, "2026-11-05", "2026-11-06")
    (sick,) = reported(firm.anna, "2026-11-04")
    assert decide(firm.boss, sick["id"], "excuse").status_code == 200
    worked(firm.ben, "2026-11-04", "08:00", "12:00")
    for month in ("2026-10", "2026-11", "2026-12"):
        for row in _all(firm, month):
            own_account = firm.boss.get(f"/api/users/{row['userId']}/account?month={month}").json()
            assert (row["targetMinutes"], row["actualMinutes"]) == (
                own_account["targetMinutes"],
                own_account["actualMinutes"],
            )
            assert row["creditMinutes"] == sum(credit["minutes"] for credit in own_account["credits"])
            assert row["balanceMinutes"] == own_account["balanceMinutes"]
            assert row["balanceToDateMinutes"] == own_account["balanceToDateMinutes"]
            assert row["vacationRemaining"] == own_account["vacation"]["remaining"]
    anna, ben = _all(firm)
    assert (anna["username"], anna["flags"]) == ("anna", ["over_10_h", "worked_on_leave"])
    assert (ben["username"], ben["flags"]) == ("ben", [])


@ON_BOTH
def test_work_on_leave_is_flagged_also_before_an_account_begins_within_the_month(firm: Firm) -> None:
    set_weekly(firm, 2400)
    for person, account_from in ((firm.anna, "2026-11-16"), (firm.ben, "2026-11-02")):
        employ(person, entry_date="2026-01-01", account_from=account_from)
        on_leave(person, "2026-11-05", "2026-11-06")
        worked(person, "2026-11-05", "08:00", "12:00")
        worked(person, "2026-11-09", "08:00", "12:00")
    assert [(row["username"], row["flags"]) for row in _all(firm)] == [
        ("anna", ["worked_on_leave"]),
        ("ben", ["worked_on_leave"]),
    ]


def test_an_administrator_is_listed_once_they_have_times(firm: Firm) -> None:
    set_weekly(firm, 2400)
    assert [row["username"] for row in _all(firm)] == ["anna", "ben"]
    worked(firm.boss, "2026-11-04", "08:00", "12:00")
    assert [row["username"] for row in _all(firm)] == ["anna", "ben", "chefin"]
