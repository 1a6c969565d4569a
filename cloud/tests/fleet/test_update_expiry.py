"""Expiry of signed update metadata: on the page, as figures, as faults, and as alarms that are mailed."""

import math
from datetime import timedelta
from typing import Any

import pytest
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import ROOMS
from stempelwerk_cloud.fleet.alarms.watch import service_alarms
from stempelwerk_cloud.fleet.updates.signed import signing
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations import faults
from stempelwerk_cloud.kit.operations.tables import ServiceTime
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.tables import SecondFactor

from cloud.tests.databases import ON_BOTH
from cloud.tests.fleet.ceremony import Ceremony, ceremony_at, release
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.people.noticing import settle
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

pytestmark = ON_BOTH

SIGNATURES = "/api/updates/signatures"


@pytest.fixture
def ceremony(platform: Platform) -> Ceremony:
    return ceremony_at(platform)


def _publish(world: World, bundle: bytes) -> None:
    files = {"file": ("updates.zip", bundle)}
    answer = world.again(world.founder).post("/api/updates/releases", files=files)
    assert answer.status_code == 201, answer.text


def _signatures(world: World) -> dict[str, dict[str, Any]]:
    answer = world.again(world.founder).get(SIGNATURES)
    assert answer.status_code == 200, answer.text
    return {row["role"]: row for row in answer.json()}


def _pass(platform: Platform, clock: SettableClock, days: int) -> None:
    """Lets days pass; on each the service signs, checks, and sends its mails before the next day.

    A mail on its way while the clock moves would be sent by another thread too, because its lease would be over.
    """
    for _ in range(days):
        clock.advance(days=1)
        signing.sign_daily(platform)
        service_alarms.run_round(platform)
        settle(platform)


def _alarms(world: World) -> set[tuple[str, bool]]:
    rows = world.again(world.founder).get("/api/alarms").json()
    return {(row["kind"], row["until"] is None) for row in rows if row["kind"] in {"expiring", "expired"}}


def test_an_installation_without_releases_warns_of_nothing(world: World, platform: Platform) -> None:
    assert _signatures(world) == {}
    assert faults.find(platform) == faults.find_ahead(platform) == []
    jobs.measure(platform, ROOMS)
    assert math.isnan(platform.metrics.update_days_left._value.get())


def test_a_file_that_cannot_be_read_counts_as_expired_and_breaks_neither_health_nor_page(
    world: World, platform: Platform
) -> None:
    with platform.database.write(SYSTEM) as tx:
        for role, content in (("root", bytes(2300)), ("stable", b"{}"), ("beta", b'{"signed": [], "signatures": {}}')):
            tx.add(UpdateMetadata(role=role, version=1, content=content, at=platform.clock.now()))
    rows = _signatures(world)
    assert {role: (row["state"], row["expiresAt"]) for role, row in rows.items()} == dict.fromkeys(
        ("root", "stable", "beta"), ("unreadable", None)
    )
    assert "lässt sich nicht lesen" in rows["stable"]["text"]
    assert "stempelwerk release sign --channel stable" in rows["stable"]["text"]
    answer = world.client.get("/api/health")
    assert answer.status_code == 200
    assert [(fault["kind"], fault["subject"]) for fault in answer.json()["faults"]] == [
        ("expired", "root"),
        ("expired", "stable"),
        ("expired", "beta"),
    ]
    jobs.measure(platform, ROOMS)
    assert platform.metrics.update_days_left._value.get() < 0
    assert math.isnan(platform.metrics.update_service_days_left._value.get())


def test_companies_read_no_signatures(firm: Firm) -> None:
    assert [person.get(SIGNATURES).status_code for person in (firm.boss, firm.anna)] == [403, 403]


def test_each_role_is_shown_with_its_end(world: World, ceremony: Ceremony) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    rows = _signatures(world)
    assert list(rows) == ["root", "targets", "stable", "beta", "snapshot", "timestamp"]
    assert {row["state"] for row in rows.values()} == {"good"}
    assert {row["text"] for row in rows.values()} == {""}
    assert [role for role, row in rows.items() if row["byService"]] == ["snapshot", "timestamp"]


@pytest.mark.parametrize(("days", "state"), [(334, "good"), (335, "soon"), (364, "soon"), (365, "over")])
def test_a_channel_is_warned_of_from_thirty_days_before_its_end(
    world: World, platform: Platform, ceremony: Ceremony, clock: SettableClock, days: int, state: str
) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    clock.advance(days=days)
    signing.sign_daily(platform)
    rows = _signatures(world)
    assert rows["stable"]["state"] == rows["beta"]["state"] == state
    assert {rows[role]["state"] for role in ("root", "targets", "snapshot", "timestamp")} == {"good"}
    if state != "good":
        assert "stempelwerk release sign --channel beta" in rows["beta"]["text"]
    assert [fault.subject for fault in faults.find(platform)] == (["stable", "beta"] if state == "over" else [])
    assert len(faults.find_ahead(platform)) == (0 if state == "good" else 2)


def test_a_missing_signature_of_the_service_is_warned_of_after_five_days(
    world: World, ceremony: Ceremony, clock: SettableClock
) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    clock.advance(days=4)
    assert _signatures(world)["timestamp"]["state"] == "good"
    clock.advance(days=1)
    row = _signatures(world)["timestamp"]
    assert row["state"] == "soon"
    assert "update_key_missing" in row["text"]


def test_the_figures_are_the_days_of_the_role_that_ends_first(
    world: World, platform: Platform, ceremony: Ceremony, clock: SettableClock
) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    for passed, days_left, service_left in ((0, 365, 14), (2, 363, 12)):
        clock.advance(days=passed)
        jobs.measure(platform, ROOMS)
        assert platform.metrics.update_days_left._value.get() == pytest.approx(days_left, abs=0.1)
        assert platform.metrics.update_service_days_left._value.get() == pytest.approx(service_left, abs=0.1)


def test_the_operator_is_mailed_before_the_end_and_at_the_end_each_once_and_a_new_signature_ends_it(
    world: World, platform: Platform, ceremony: Ceremony, clock: SettableClock, mailbox: Mailbox
) -> None:
    with platform.database.write(SYSTEM) as tx:
        founder = world.founder
        tx.add(SecondFactor(company_id=founder.company_id, user_id=founder.id, email="betrieb@example.org"))
    _publish(world, ceremony.bundle(release("1.6.0")))
    clock.advance(days=330)
    signing.sign_daily(platform)
    service_alarms.run_round(platform)
    assert _alarms(world) == set()
    _pass(platform, clock, 10)
    assert _alarms(world) == {("expiring", True)}
    assert _mailed(platform, mailbox) == ["Alarm: Plattform – Unterschriften der Uhren-Updates laufen bald ab"]
    assert any("Globale Updates" in text_of(mail) for _, mail in mailbox.mails)
    _pass(platform, clock, 27)
    assert _alarms(world) == {("expiring", True), ("expired", True)}
    assert "Alarm: Plattform – Unterschriften der Uhren-Updates sind abgelaufen" in _mailed(platform, mailbox)
    assert world.client.get("/api/health").json()["status"] == "degraded"
    ceremony.now = clock.now()
    _publish(world, ceremony.bundle(release("1.7.0"), metadata={"root": ceremony.root(1)}))
    for _ in range(2):
        service_alarms.run_round(platform)
        clock.advance(minutes=61)
    service_alarms.run_round(platform)
    assert _alarms(world) == {("expiring", False), ("expired", False)}
    assert world.client.get("/api/health").json()["status"] == "ok"


def _mailed(platform: Platform, mailbox: Mailbox) -> list[str]:
    settle(platform)
    return [str(mail["Subject"]) for _, mail in mailbox.mails]


def test_a_doubted_time_makes_no_signature_expire(
    world: World, platform: Platform, ceremony: Ceremony, clock: SettableClock
) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    trusted_at = clock.now()
    clock.advance(days=4000)
    now = clock.now()
    with platform.database.write(SYSTEM) as tx:
        tx.merge(ServiceTime(trusted_at=trusted_at, doubted_from=now - timedelta(days=1), doubted_at=now))
    assert [fault.kind for fault in faults.find(platform)] == ["time"]
    assert faults.find_ahead(platform) == []
    rows = _signatures(world)
    assert {row["state"] for row in rows.values()} == {"unknown"}
    assert all("stempelwerk-cloud confirm-time" in row["text"] for row in rows.values())
    jobs.measure(platform, ROOMS)
    assert math.isnan(platform.metrics.update_days_left._value.get())
    assert math.isnan(platform.metrics.update_service_days_left._value.get())


def test_expiry_alarms_neither_begin_nor_end_while_the_time_is_in_doubt(
    world: World, platform: Platform, ceremony: Ceremony, clock: SettableClock
) -> None:
    _publish(world, ceremony.bundle(release("1.6.0")))
    clock.advance(days=330)
    signing.sign_daily(platform)
    service_alarms.run_round(platform)
    _pass(platform, clock, 10)
    assert _alarms(world) == {("expiring", True)}
    starts_at = clock.now()
    clock.advance(days=4000)
    for minutes in (0, 61, 61):
        clock.advance(minutes=minutes)
        service_alarms.run_round(platform)
    assert [fault.kind for fault in faults.find(platform)] == ["time"]
    assert _alarms(world) == {("expiring", True)}
    clock.set(starts_at)
    for minutes in (0, 61, 61):
        clock.advance(minutes=minutes)
        service_alarms.run_round(platform)
    assert _alarms(world) == {("expiring", True)}
