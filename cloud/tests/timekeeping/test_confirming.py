"""Flags of an entry that an administrator has confirmed are not shown again; and a reminder is one message."""

from typing import Any

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.times.review.review import sweep

from cloud.tests.correcting import stamped
from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.illness import reported
from cloud.tests.stamping import BEN, Site
from cloud.tests.world import Somebody


@pytest.fixture
def long_day(site: Site) -> str:
    """Anna's day of twelve hours."""
    stamped(site, *(f"2026-11-20 {time}" for time in ("06:00", "12:00", "12:30", "18:30")))
    _, entry = site.times()
    assert entry["flags"] == ["over_10_h"]
    entry_id: str = entry["id"]
    return entry_id


def review(site: Site) -> dict[str, list[str]]:
    answer = site.boss.get(f"/api/companies/{site.firm.id}/review")
    assert answer.status_code == 200, answer.text
    return {row["entryId"]: row["flags"] for row in answer.json()}


def settle(user: Somebody, entry: str, *flags: str, how: str = "confirm", **body: Any) -> Response:
    path = f"/api/companies/{user.company_id}/review/{entry}/{how}"
    return user.post(path, json={"flags": list(flags)} | body if how == "confirm" else None)


def test_a_foreign_entry_is_unknown_and_a_flag_must_be_there(site: Site, long_day: str) -> None:
    stranger = site.somebody(site.world.firm("Andere GmbH").boss)
    assert settle(stranger, long_day, "over_10_h").status_code == 404
    assert settle(site.somebody(site.firm.anna), long_day, "over_10_h").status_code == 403
    assert settle(site.boss, site.world.platform.ids.new(), "over_10_h").status_code == 404
    for flags in ([], ["nonsense"]):
        assert settle(site.boss, long_day, *flags).status_code == 422
    refused = settle(site.boss, long_day, "over_10_h", "missing_in")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_to_review")
    assert review(site) == {long_day: ["over_10_h"]}


def test_what_speaks_of_a_limit_says_the_persons_own_to_administrators_alone(site: Site, long_day: str) -> None:
    firm = site.firm
    path = f"/api/companies/{firm.id}/review"
    adult = {"shiftMinutes": 600, "restMinutes": 660, "breakSteps": [[360, 30], [540, 45]]}

    def limits(user: Somebody) -> Any:
        (row,) = user.get(path).json()
        steps = row.get("limits", {}).get("breakSteps", ())
        return "limits" in row and row["limits"] | {"breakSteps": [list(step.values()) for step in steps]}

    assert (limits(site.boss), long_day in review(site)) == (adult, True)
    assert firm.boss.put(f"/api/users/{firm.ben.id}", json={"worksCouncil": True}).status_code == 200
    assert limits(site.world.again(firm.ben)) is False
    settings = {"limits": "youth", "validFrom": "2026-01-01"}
    assert site.boss.put(f"/api/users/{firm.anna.id}/employment", json=settings).status_code == 200
    rows = [row["limits"] for row in site.boss.get(path).json() if "over_10_h" in row["flags"]]
    assert [(row["shiftMinutes"], row["restMinutes"]) for row in rows] == [(480, 720)]


def test_what_is_confirmed_is_settled_and_stands_in_the_log(site: Site, long_day: str) -> None:
    answer = settle(site.boss, long_day, "over_10_h", comment="Inventur")
    assert (answer.status_code, answer.json()) == (200, {"entryId": long_day, "flags": []})
    assert review(site) == {}
    assert site.times()[1]["flags"] == ["over_10_h"]
    assert settle(site.boss, long_day, "over_10_h").status_code == 409
    assert settle(site.boss, long_day, how="remind").status_code == 409
    (newest, *_) = site.boss.get(f"/api/companies/{site.firm.id}/audit").json()
    assert newest["action"] == "entry.confirmed"
    assert newest["after"]["comment"] == "Inventur"


@ON_BOTH
def test_a_flag_that_comes_later_is_looked_at(site: Site, long_day: str) -> None:
    assert settle(site.boss, long_day, "over_10_h").status_code == 200
    reported(site.somebody(site.firm.anna), "2026-11-20")
    review_rows = review(site)
    assert list(review_rows.values()) == [["worked_on_leave"]] * 2
    for entry in review_rows:
        assert settle(site.boss, entry, "worked_on_leave").json()["flags"] == []
    assert review(site) == {}


def test_an_entry_that_was_left_open_stays_settled_when_it_is_marked(site: Site) -> None:
    (tap,) = stamped(site, "2026-11-19 20:00")
    assert review(site) == {tap: ["missing_out"]}
    assert settle(site.boss, tap, "missing_out").status_code == 200
    assert review(site) == {}
    site.clock.advance(days=5)
    with site.world.platform.database.write(SYSTEM) as tx:
        sweep(tx, site.world.platform.clock.now())
    assert review(site) == {}


@ON_POSTGRESQL
def test_of_two_who_confirm_at_once_one_is_told_that_it_is_settled(site: Site, long_day: str) -> None:
    boss = site.boss
    answers = all_at_once(site.world.platform, *[lambda: settle(boss, long_day, "over_10_h")] * 2)
    assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_a_reminder_says_what_is_missing_once(site: Site) -> None:
    (tap,) = stamped(site, "2026-11-20 18:00", tag=BEN, direction="out")
    for _ in range(2):
        assert settle(site.boss, tap, how="remind").status_code == 204
    (message,) = site.somebody(site.firm.ben).get("/api/messages").json()
    assert message["type"] == "review"
    assert message["body"] == (
        "In deinen Zeiten vom 20. November 2026 fehlt das Kommen. Bitte stelle einen Korrekturantrag."
    )
