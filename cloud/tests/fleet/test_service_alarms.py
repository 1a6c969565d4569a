"""Alarms of the installation itself: only the operator sees them, and is mailed once about each."""

from typing import Any

import pytest
from stempelwerk_cloud.fleet.alarms.watch import rounds
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import KEY_FILE
from stempelwerk_cloud.people.access.tables import SecondFactor

from cloud.tests.databases import ON_BOTH
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.people.noticing import settle
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import Site
from cloud.tests.world import Somebody

pytestmark = ON_BOTH

SUBJECT = "Plattform – Uhrzeit des Servers ist zweifelhaft"
QUIET: dict[str, Any] = {"mail": False, "quietFrom": "00:00", "quietTo": "23:59", "kinds": []}


@pytest.fixture
def linked(site: Site, platform: Platform) -> None:
    with platform.database.write(SYSTEM) as tx:
        for person, address in (
            (site.firm.boss, "chefin@holzmann.example"),
            (site.world.founder, "betrieb@example.org"),
        ):
            tx.add(SecondFactor(company_id=person.company_id, user_id=person.id, email=address))


def _kinds(caller: Somebody) -> list[tuple[str, bool]]:
    return [(row["kind"], row["until"] is None) for row in caller.get("/api/alarms").json() if row["deviceId"] is None]


def _mailed(mailbox: Mailbox, platform: Platform) -> list[tuple[str, str]]:
    settle(platform)
    mails = [(address, str(mail["Subject"])) for (address,), mail in mailbox.mails]
    return sorted(mail for mail in mails if "Uhrzeit" in mail[1])


def test_a_doubted_time_is_an_alarm_of_the_operator_only_and_mailed_once_regardless_of_settings(
    site: Site, platform: Platform, clock: SettableClock, mailbox: Mailbox, linked: None
) -> None:
    assert site.founder.put("/api/alarm-settings", json=QUIET).status_code == 200
    rounds.run_round(platform)
    clock.advance(days=1000)
    for _ in range(3):
        rounds.run_round(platform)
    founder, boss = site.world.again(site.world.founder), site.world.again(site.firm.boss)
    assert ("time", True) in _kinds(founder)
    assert "time" not in dict(_kinds(boss))
    assert _mailed(mailbox, platform) == [("betrieb@example.org", f"Alarm: {SUBJECT}")]
    assert any("stempelwerk-cloud confirm-time" in text_of(mail) for _, mail in mailbox.mails)
    assert site.world.client.get("/api/health").json()["status"] == "degraded"
    mailbox.empty()
    clock.set(START)
    for minutes in (0, 30, 30):
        clock.advance(minutes=minutes)
        rounds.run_round(platform)
    assert ("time", False) in _kinds(site.world.again(site.world.founder))
    assert _mailed(mailbox, platform) == [("betrieb@example.org", f"Entwarnung: {SUBJECT}")]


def test_health_names_a_doubted_time_and_the_way_out(site: Site, platform: Platform, clock: SettableClock) -> None:
    rounds.run_round(platform)
    clock.advance(days=-400)
    rounds.run_round(platform)
    answer = site.world.client.get("/api/health")
    (fault,) = answer.json()["faults"]
    assert (answer.status_code, fault["kind"]) == (200, "time")
    assert "stempelwerk-cloud confirm-time" in fault["text"]


def test_a_lost_key_is_an_alarm_of_the_operator_until_it_is_back(
    site: Site, platform: Platform, clock: SettableClock
) -> None:
    platform.vault.encrypt("geheim")
    rounds.run_round(platform)
    path = platform.settings.data_dir / KEY_FILE
    path.rename(path.with_suffix(".moved"))
    rounds.run_round(platform)
    assert _kinds(site.world.again(site.world.founder)) == [("keys", True)]
    assert _kinds(site.world.again(site.firm.boss)) == []
    path.with_suffix(".moved").rename(path)
    rounds.run_round(platform)
    clock.advance(minutes=61)
    rounds.run_round(platform)
    assert ("keys", False) in _kinds(site.world.again(site.world.founder))
