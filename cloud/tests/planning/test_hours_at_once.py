"""Two who set hours at the same time, on both databases."""

from httpx2 import Response
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.meeting import all_at_once
from cloud.tests.world import Firm


def test_of_two_settings_of_different_things_both_stand(firm: Firm, platform: Platform) -> None:
    path = f"/api/companies/{firm.id}/working-hours-config"
    bodies: list[dict[str, object]] = [
        {"mode": "uniform"},
        {"uniformWeeklyTargetMinutes": 2400},
        {"openingHours": {"0": {"open": "08:00", "close": "17:00"}}},
    ]
    answers = all_at_once(platform, *(lambda body=body: firm.boss.put(path, json=body) for body in bodies))  # type: ignore[misc]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    config = firm.boss.get(path).json()
    assert (config["mode"], config["uniformWeeklyTargetMinutes"]) == ("uniform", 2400)
    assert config["openingHours"]["0"] == {"open": "08:00", "close": "17:00"}


def test_of_two_first_targets_one_holds_from_the_beginning_and_the_other_from_today(
    firm: Firm, platform: Platform
) -> None:
    path = f"/api/companies/{firm.id}/employee-weekly-targets"

    def give(minutes: int) -> Response:
        people = (firm.anna, firm.ben) if minutes == 600 else (firm.ben, firm.anna)
        items = [{"userId": person.id, "weeklyTargetMinutes": minutes} for person in people]
        return firm.boss.put(path, json={"items": items})

    answers = all_at_once(platform, lambda: give(600), lambda: give(1200))
    assert [answer.status_code for answer in answers] == [200, 200]
    for row in range(2):
        ever, later = (
            firm.boss.get(f"{path}?on={day}").json()[row]["weeklyTargetMinutes"] for day in ("2000-01-01", "2026-12-01")
        )
        assert sorted([ever, later]) == [600, 1200]
