"""Two changes of one employment in parallel, on both databases."""

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules_shared

from cloud.tests.meeting import all_at_once
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm


def _path(firm: Firm) -> str:
    return f"/api/users/{firm.anna.id}/employment"


def test_of_two_changes_of_different_things_both_stand(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(
        platform,
        lambda: firm.boss.put(_path(firm), json={"workdays": [0, 1], "entryDate": "2026-03-01"}),
        lambda: firm.boss.put(_path(firm), json={"limits": "youth", "personnelNumber": "7"}),
        lambda: firm.boss.put(_path(firm), json={"department": "Büro", "openingBalanceMinutes": 60}),
    )
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    row = firm.boss.get(_path(firm)).json()
    assert row == {
        "personnelNumber": "7",
        "department": "Büro",
        "entryDate": "2026-03-01",
        "exitDate": None,
        "workdays": [0, 1],
        "limits": "youth",
        "payType": "hourly",
        "accountFrom": None,
        "openingBalanceMinutes": 60,
        "openingVacationDays": 0,
    }


def test_of_two_first_values_one_holds_from_the_beginning_and_the_other_from_today(
    firm: Firm, platform: Platform
) -> None:
    def work_on(weekday: int) -> Response:
        return firm.boss.put(_path(firm), json={"workdays": [weekday]})

    answers = all_at_once(platform, lambda: work_on(0), lambda: work_on(1))
    assert [answer.status_code for answer in answers] == [200, 200]
    ever, later = (firm.boss.get(f"{_path(firm)}?on={day}").json()["workdays"] for day in ("2000-01-01", "2026-12-01"))
    assert sorted([ever, later]) == [[0], [1]]


def test_an_entry_and_an_exit_that_do_not_go_together_are_not_both_taken(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(
        platform,
        lambda: firm.boss.put(_path(firm), json={"entryDate": "2026-03-02"}),
        lambda: firm.boss.put(_path(firm), json={"exitDate": "2026-03-01"}),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 422]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_new_limits_wait_for_the_companys_rules(firm: Firm, platform: Platform) -> None:
    answers = one_after_the_other(
        platform,
        lambda tx: lock_rules_shared(tx, firm.id),
        lambda: firm.boss.put(_path(firm), json={"limits": "youth"}),
        lambda: firm.boss.put(f"/api/companies/{firm.id}/settings", json={"doubleTapSeconds": 90}),
        lambda: firm.boss.put(_path(firm), json={"limits": "maternity"}),
    )
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert firm.boss.get(_path(firm)).json()["limits"] == "maternity"
