"""Concurrent requests and decisions: one of them counts, and the entries are those that the facts give."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules_shared
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.tables import CorrectionRow

from cloud.tests.correcting import DAY, approve, ask, asked, at, decline, must_equal_a_rebuild, stamped, together, told
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import ANNA, Site
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Somebody

WHOLE = {"newStart": "08:00", "newEnd": "16:00"}
Call = Callable[[], Response]


def statuses(answers: list[Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def facts(platform: Platform) -> list[str]:
    """The approved corrections' ids."""
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(CorrectionRow.id)))


@pytest.fixture
def anna(site: Site) -> Somebody:
    return site.somebody(site.firm.anna)


def test_of_an_approval_and_a_refusal_one_counts(site: Site, platform: Platform, anna: Somebody) -> None:
    request, boss = asked(anna, **WHOLE)["id"], site.boss
    yes, no = all_at_once(platform, lambda: approve(boss, request), lambda: decline(boss, request))
    assert statuses([yes, no]) == [200, 409]
    approved = yes.status_code == 200
    assert facts(platform) == ([request] if approved else [])
    assert site.spans() == ([(DAY, "08:00", "16:00")] if approved else [])


def test_of_two_requests_for_one_day_one_counts(site: Site, platform: Platform, anna: Somebody) -> None:
    boss = site.boss
    calls: list[Call] = [
        lambda: ask(anna, **WHOLE),
        lambda: ask(anna, newStart="09:00"),
        lambda: ask(anna, newEnd="17:00"),
    ]
    answers = all_at_once(platform, *calls)
    assert statuses(answers) == [201, 409, 409]
    assert {answer.json().get("code") for answer in answers} == {None, "already_open"}
    assert len(told(boss)) == 1
    with platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(CorrectionRequest)).all()) == 1


def test_requests_for_different_days_are_all_taken(platform: Platform, anna: Somebody) -> None:
    def request_for(day: int) -> Call:
        return lambda: ask(anna, date=f"2026-11-{day}", **WHOLE)

    assert statuses(all_at_once(platform, *(request_for(day) for day in (16, 17, 18)))) == [201, 201, 201]


def test_stamps_that_arrive_during_an_approval_are_booked(site: Site, platform: Platform, anna: Somebody) -> None:
    boss, device = site.boss, site.device
    stamped(site, f"{DAY} 08:00")
    for number in range(4):
        request = asked(anna, newStart="08:00", newEnd=f"12:{number:02d}")["id"]
        taps = [device.tap(ANNA, at(f"{DAY} {time}:{number:02d}")) for time in ("13", "17")]
        batch = device.batch(*taps)
        answers = together(
            lambda request=request: approve(boss, request),
            lambda batch=batch: device.post("/api/devices/stamps", batch),
        )
        assert statuses(answers) == [200, 200]
        device.lease = next(answer.json()["lease"] for answer in answers if "lease" in answer.json())
        must_equal_a_rebuild(site)
    assert len(facts(platform)) == 4


class TestInTheWorstOrder:
    """A transaction that waited for a lock checks again. SQLite has one writer anyway."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    def test_whoever_approves_second_is_told_who_was_first(
        self, site: Site, platform: Platform, anna: Somebody
    ) -> None:
        request, boss = asked(anna, **WHOLE)["id"], site.boss
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            lambda: decline(boss, request),
            lambda: approve(boss, request),
        )
        assert [answer.status_code for answer in answers] == [200, 409]
        assert answers[1].json()["decidedBy"] == "chefin"
        assert facts(platform) == []

    def test_a_request_of_somebody_who_is_being_deleted_is_not_approved(
        self, site: Site, platform: Platform, anna: Somebody
    ) -> None:
        request, boss = asked(anna, **WHOLE)["id"], site.boss
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            lambda: boss.delete(f"/api/users/{anna.id}"),
            lambda: approve(boss, request),
        )
        assert [answer.status_code for answer in answers] == [204, 409]
        assert answers[1].json()["code"] == "person_deleted"

    def test_an_approval_sees_what_another_has_made_overlap(
        self, site: Site, platform: Platform, anna: Somebody
    ) -> None:
        boss = site.boss
        stamped(site, f"{DAY} 06:00", f"{DAY} 07:00", f"{DAY} 14:00", f"{DAY} 18:00")
        late = site.times()[1]
        request = asked(anna, newStart="09:00", newEnd="18:00", entryId=late["id"])["id"]
        early = {"userId": anna.id, "date": "2026-11-19", "newStart": "22:00", "newEnd": "09:30"}
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            lambda: approve(boss, request),
            lambda: ask(boss, **early),
        )
        assert [answer.status_code for answer in answers] == [200, 422]
        assert answers[1].json()["code"] == "overlap"

    def test_an_entry_is_deleted_once(self, site: Site, platform: Platform, anna: Somebody) -> None:
        boss = site.boss
        (entry, _) = stamped(site, f"{DAY} 08:00", f"{DAY} 12:00")
        answers = one_after_the_other(
            platform,
            lambda tx: lock_rules_shared(tx, site.firm.id),
            lambda: anna.delete(f"/api/work-times/{entry}"),
            lambda: boss.delete(f"/api/work-times/{entry}"),
        )
        assert [answer.status_code for answer in answers] == [204, 404]
        assert site.times() == []
