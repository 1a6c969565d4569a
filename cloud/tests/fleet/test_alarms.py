"""Alarms: owners, checks of the rounds, recipients and times of mails, and no mail twice."""

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import date, timedelta
from typing import Any, cast

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, func, select, update
from stempelwerk_cloud.domain.alarms import COMPANY_KINDS, KINDS
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.alarms.room import ROOM
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.alarms.watch import notifications, rounds
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceLease, DeviceMoment
from stempelwerk_cloud.fleet.rollouts.tables import Rollout, RolloutClock
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.operations import faults
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.tables import SecondFactor
from stempelwerk_cloud.people.directory.companies import set_setting_from, zone_of
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_cloud.planning.closures.service import closed_days
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.timekeeping.ledger.tables import Epoch, Stamp
from stempelwerk_cloud.timekeeping.times.held import watching
from stempelwerk_tools.untimed import examples

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock
from cloud.tests.fleet.alarms_calls import SETTINGS
from cloud.tests.fleet.rolling import ROLLOUTS, RUNS_ON, published, rollout_of, withdrawn
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.meeting import all_at_once
from cloud.tests.people.noticing import settle
from cloud.tests.room import given as given_rows
from cloud.tests.room import logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, enrolled, hours
from cloud.tests.streams import listening
from cloud.tests.world import Somebody

PATH = "/api/alarms"
MAILS = {"mail": True, "quietFrom": None, "quietTo": None, "kinds": ["silent", "network", "disk"]}


@pytest.fixture
def pass_(platform: Platform, site: Site, clock: SettableClock) -> Callable[..., None]:
    """Lets minutes pass with a round every four, before which these clocks are heard.

    No task runs while the time moves: its lease would expire, so another process would take it and mail twice.
    """

    def passing(minutes: int, *beating: Any, **beat_fields: Any) -> None:
        for passed in range(0, minutes, 4):
            settle(platform)
            clock.advance(minutes=min(4, minutes - passed))
            for device in beating:
                device.beat(queue={"depth": 0, "oldest": None, "diskFreeMb": 4000} | beat_fields)
            rounds.run_round(platform)

    passing(1, site.device)
    return passing


def listed_alarms(caller: Somebody, *, is_open: bool = False) -> list[tuple[str, str | None, bool]]:
    """Returns kind, clock name and whether the alarm is open."""
    answer = caller.get(PATH, params={"open": is_open})
    assert answer.status_code == 200, answer.text
    return [(row["kind"], row["deviceName"], row["until"] is None) for row in answer.json()]


def linked(caller: Somebody, address: str) -> None:
    with caller.world.platform.database.write(SYSTEM) as tx:
        tx.add(SecondFactor(company_id=caller.company_id, user_id=caller.id, email=address))


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({}, "quietTo", "Nenne Beginn und Ende der Ruhezeit, oder keines von beiden."),
        ({"quietFrom": None, "quietTo": "06:00"}, "quietFrom", "Nenne Beginn und Ende der Ruhezeit, oder keines"),
        ({"quietTo": "20:00"}, "quietTo", "Beginn und Ende der Ruhezeit sind gleich."),
        ({"kinds": ["fire"]}, "kinds.0", "Unbekannter Wert."),
        ({"mail": 1}, "mail", "Wahrheitswert erwartet."),
    ],
)
def test_invalid_settings_are_named_and_nothing_is_stored(
    site: Site, change: dict[str, Any], field: str, message: str
) -> None:
    answer = site.boss.put("/api/alarm-settings", json=SETTINGS | change)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["field"]) == (422, field)
    assert error["message"].startswith(message)
    assert site.boss.get("/api/alarm-settings").json()["kinds"][0] == "silent"
    assert site.boss.get("/api/alarm-settings").json() == {
        "mail": True,
        "quietFrom": "22:00",
        "quietTo": "06:00",
        "kinds": list(COMPANY_KINDS),
    }


def test_only_the_operator_chooses_mails_of_alarms_that_only_the_operator_can_end(site: Site) -> None:
    assert site.founder.get("/api/alarm-settings").json()["kinds"] == list(KINDS)
    change = SETTINGS | {"quietTo": "07:00", "kinds": ["silent", "version", "cert"]}
    assert site.founder.put("/api/alarm-settings", json=change).json() == change
    assert site.boss.put("/api/alarm-settings", json=change).json() == change | {"kinds": ["silent"]}


def test_settings_are_the_caller_s_company_s_and_are_audited_there(site: Site) -> None:
    change = SETTINGS | {"quietTo": "07:00"}
    assert site.boss.put("/api/alarm-settings", json=change).json() == change
    assert site.boss.put("/api/alarm-settings", json=change).json() == change
    assert site.founder.get("/api/alarm-settings").json()["quietFrom"] == "22:00"
    assert logged(site.world, site.firm.id, "alarm.") == ["alarm.settings"]


@ON_BOTH
def test_administrators_neither_see_nor_acknowledge_another_company_s_alarms(
    site: Site, pass_: Callable[..., None]
) -> None:
    pass_(20)
    (alarm,) = site.boss.get(PATH).json()
    stranger = site.world.firm("Nachbar & Söhne").boss
    assert listed_alarms(stranger) == []
    assert stranger.post(f"{PATH}/{alarm['id']}/acknowledge").status_code == 404
    theirs = stranger.get(PATH, params={"before": alarm["id"]})
    assert theirs.status_code == site.boss.get(PATH, params={"before": site.firm.id}).status_code == 422
    assert alarm["acknowledgedBy"] is None


def test_the_first_acknowledgement_stays_and_an_unraised_alarm_is_unknown(
    site: Site, pass_: Callable[..., None]
) -> None:
    pass_(11)
    assert listed_alarms(site.founder) == []
    with site.world.platform.database.read(SYSTEM) as tx:
        watched = tx.scalar(select(Alarm.id))
    assert site.boss.post(f"{PATH}/{watched}/acknowledge").status_code == 404
    pass_(5)
    path = f"{PATH}/{watched}/acknowledge"
    assert site.boss.post(path).json()["acknowledgedBy"] == site.firm.boss.username
    assert site.founder.post(path).json()["acknowledgedBy"] == site.firm.boss.username
    assert logged(site.world, site.firm.id, "alarm.") == ["alarm.acknowledged"]


@ON_BOTH
def test_an_acknowledgement_is_published_to_its_company_and_the_operator_only(app: FastAPI, site: Site) -> None:
    alarm_id = given_rows(site.boss, Alarm, device_no=0, kind="network", raised=True)
    stranger = site.world.firm("Nachbar & Söhne").boss

    async def story() -> None:
        async with AsyncExitStack() as stack:
            operators, theirs = [
                await stack.enter_async_context(listening(app, "/api/events", caller.headers))
                for caller in (site.founder, stranger)
            ]
            done = await asyncio.to_thread(site.boss.post, f"{PATH}/{alarm_id}/acknowledge")
            assert done.status_code == 200
            assert (await operators.next()).data["type"] == "alarms_update"
            assert await theirs.quiet()

    asyncio.run(story())


def test_an_open_alarm_has_a_hint(site: Site) -> None:
    for number, kind in enumerate((*KINDS, *faults.KINDS)):
        given_rows(site.world.founder, Alarm, device_no=number, kind=kind, raised=True)
    given_rows(site.world.founder, Alarm, device_no=100, kind="disk", raised=True, until=MORNING)
    rows = site.founder.get(PATH, params={"limit": 100}).json()
    hints = {row["kind"]: row["hint"] for row in rows if row["until"] is None}
    assert set(hints) == {*KINDS, *faults.KINDS}
    assert all(len(hint) > 40 and hint.endswith(".") for hint in hints.values())
    assert [row["hint"] for row in rows if row["until"] is not None] == [None]


def test_a_silent_clock_is_an_alarm_until_it_is_heard(site: Site, pass_: Callable[..., None]) -> None:
    site.boss.put(f"/api/devices/{site.device.device_id}", json={"name": "Werkstatt"})
    pass_(20)
    assert listed_alarms(site.boss, is_open=True) == listed_alarms(site.founder) == [("silent", "Werkstatt", True)]
    count_open = ROOM.gauges["open_alarms"]
    assert count_open(site.world.platform) == 1
    (row,) = site.boss.get(PATH).json()
    assert site.boss.post(f"{PATH}/{row['id']}/acknowledge").status_code == 200
    assert count_open(site.world.platform) == 0
    pass_(12, site.device)
    assert listed_alarms(site.boss, is_open=True) == []
    assert count_open(site.world.platform) == 0
    assert listed_alarms(site.boss) == [("silent", "Werkstatt", False)]


def test_a_clock_that_its_company_never_heard_or_has_no_more_is_no_alarm(
    site: Site, pass_: Callable[..., None], clock: SettableClock
) -> None:
    site.founder.post(f"/api/devices/{site.device.device_id}/unassign")
    pass_(30)
    body = {"companyId": site.firm.id}
    assert site.founder.post(f"/api/devices/{site.device.device_id}/assign-company", json=body).status_code == 200
    pass_(30)
    assert listed_alarms(site.founder) == []
    site.device.beat()
    pass_(20)
    assert listed_alarms(site.founder) == [("silent", "SW-T-1", True)]
    assert site.founder.post(f"/api/devices/{site.device.device_id}/revoke", json={"reason": "x"}).status_code == 204
    pass_(12)
    assert listed_alarms(site.founder, is_open=True) == []


def test_a_network_that_is_gone_is_one_alarm_a_company(site: Site, pass_: Callable[..., None]) -> None:
    other_clocks = [site.another_clock(f"SW-T-{number}", number) for number in (2, 3)]
    pass_(2, site.device, *other_clocks)
    pass_(30)
    assert listed_alarms(site.boss) == [("network", None, True)]
    pass_(10, site.device, *other_clocks)
    assert listed_alarms(site.boss) == [("network", None, False)]


def test_a_clock_s_queue_and_disk_raise_alarms(site: Site, pass_: Callable[..., None]) -> None:
    oldest = format_instant(MORNING)
    pass_(12, site.device, depth=3, oldest=oldest, diskFreeMb=50)
    assert {kind for kind, _, goes_on in listed_alarms(site.boss) if goes_on} == {"queue", "disk"}
    pass_(12, site.device)
    assert listed_alarms(site.boss, is_open=True) == []


@ON_BOTH
def test_a_reader_that_stopped_working_is_an_alarm_and_a_base_without_a_reader_is_not(
    site: Site, pass_: Callable[..., None]
) -> None:
    base = site.another_clock("SW-T-2", 2)
    devices.write_beats(site.world.platform)
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(DeviceMoment).where(DeviceMoment.device_no == 2).values(reader="absent"))

    def beats(minutes: int, reader: str) -> None:
        for _ in range(0, minutes, 4):
            base.beat(reader="absent")
            site.device.beat(reader=reader)
            pass_(4)

    beats(8, "ok")
    assert listed_alarms(site.boss) == []
    beats(12, "absent")
    assert listed_alarms(site.boss) == [("reader", "SW-T-1", True)]
    beats(60, "fault")
    assert listed_alarms(site.boss) == [("reader", "SW-T-1", True)]
    beats(12, "ok")
    assert listed_alarms(site.boss) == [("reader", "SW-T-1", False)]


@ON_BOTH
@pytest.mark.parametrize("storage", ["failed", "replaced"])
def test_a_journal_that_cannot_be_written_or_was_replaced_is_an_alarm_until_the_clock_says_it_is_well(
    site: Site, pass_: Callable[..., None], storage: str
) -> None:
    def beats(minutes: int, reported: object) -> None:
        for _ in range(0, minutes, 4):
            site.device.beat(storage=reported)
            pass_(4)

    for unknown in ("ok", "on fire", 7, None, {"state": "failed"}):
        beats(12, unknown)
    assert listed_alarms(site.boss) == []
    beats(12, storage)
    assert listed_alarms(site.boss) == listed_alarms(site.founder) == [("storage", "SW-T-1", True)]
    beats(12, "ok")
    assert listed_alarms(site.boss) == [("storage", "SW-T-1", False)]


@ON_BOTH
def test_a_time_that_is_not_to_be_trusted_is_an_alarm_after_an_hour(site: Site, pass_: Callable[..., None]) -> None:
    def beats(minutes: int, quality: str) -> None:
        for _ in range(0, minutes, 4):
            clock = site.device.heartbeat()["clock"] | {"quality": quality}
            site.device.beat(clock=clock)
            pass_(4)

    beats(56, "none")
    assert listed_alarms(site.boss) == []
    beats(12, "none")
    assert listed_alarms(site.boss) == [("clocktime", "SW-T-1", True)]
    beats(12, "ntp")
    assert listed_alarms(site.boss) == [("clocktime", "SW-T-1", False)]


@ON_BOTH
def test_stamps_that_wait_for_their_clock_s_time_are_an_alarm_until_they_are_decided(
    site: Site, pass_: Callable[..., None], clock: SettableClock
) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING, quality="none"))
    pass_(56, site.device)
    assert listed_alarms(site.boss) == []
    pass_(12, site.device)
    assert listed_alarms(site.boss) == [("clocktime", "SW-T-1", True)]
    clock.advance(hours=30)
    pass_(12, site.device)
    assert ("clocktime", "SW-T-1", True) in listed_alarms(site.boss), "it still waits"
    pass_(16)
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(Stamp).values(waits=False))
    pass_(12)
    assert ("clocktime", "SW-T-1", False) in listed_alarms(site.boss), "the clock is off"


@ON_BOTH
def test_stamps_that_wait_are_found_by_company_with_the_newest_one(site: Site, platform: Platform) -> None:
    received = []
    for later in (0, 1):
        site.device.deliver(site.device.tap(ANNA, MORNING + hours(later), quality="none"))
        received.append(platform.clock.now())
        site.clock.advance(minutes=5)
    with platform.database.read(SYSTEM) as tx:
        times_held = watching.times_held(tx)
        assert times_held == watching.times_held(tx, site.firm.id) == {(1, site.firm.id): received[-1]}
        assert watching.times_held(tx, site.world.operator_id) == {}


@ON_BOTH
def test_a_fork_is_an_alarm_until_the_key_is_reset_also_of_a_silent_clock(
    site: Site, pass_: Callable[..., None]
) -> None:
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(DeviceLease).values(forked=True))
    pass_(20)
    assert ("fork", "SW-T-1", True) in listed_alarms(site.boss)
    path = f"/api/devices/{site.device.device_id}/reset-key"
    assert site.founder.post(path, json={"reason": "Karte getauscht"}).status_code == 200
    pass_(12)
    assert ("fork", "SW-T-1", False) in listed_alarms(site.boss)


@ON_BOTH
def test_a_conflict_is_an_alarm_of_the_operator_only_until_it_is_resolved(
    site: Site, pass_: Callable[..., None], mailbox: Mailbox
) -> None:
    linked(site.firm.boss, "chefin@holzmann.example")
    linked(site.world.founder, "betrieb@example.org")
    site.device.enrol(hardwareId="hw-2")
    pass_(12, site.device)
    assert listed_alarms(site.boss) == []
    assert listed_alarms(site.founder) == [("conflict", "SW-T-1", True)]
    (alarm,) = site.founder.get(PATH).json()
    assert site.boss.post(f"{PATH}/{alarm['id']}/acknowledge").status_code == 404
    assert site.founder.post(f"{PATH}/{alarm['id']}/acknowledge").status_code == 200
    settle(site.world.platform)
    assert [(address, str(mail["Subject"])) for (address,), mail in mailbox.mails] == [
        ("betrieb@example.org", "Alarm: SW-T-1 – Identität der Uhr unklar")
    ]
    path = f"/api/devices/{site.device.device_id}/reset-key"
    assert site.founder.post(path, json={"reason": "Platine"}).status_code == 200
    pass_(12, site.device)
    assert listed_alarms(site.founder) == [("conflict", "SW-T-1", False)]


@ON_BOTH
def test_a_certificate_that_ends_soon_is_one_alarm_of_the_installation_whichever_clocks_see_it(
    site: Site, pass_: Callable[..., None], mailbox: Mailbox
) -> None:
    linked(site.firm.boss, "chefin@holzmann.example")
    linked(site.world.founder, "betrieb@example.org")
    clocks = [site.device, *(site.another_clock(f"SW-T-{number}", number) for number in (2, 3))]

    def beats(minutes: int, certificate: object) -> None:
        for _ in range(0, minutes, 4):
            for device in clocks:
                device.beat(certificate=certificate)
            pass_(4)

    for unknown in (None, 7, {"daysLeft": "3", "days": 90}, {"daysLeft": -1, "days": 90}, {"daysLeft": 3}):
        beats(12, unknown)
    assert listed_alarms(site.founder) == []
    beats(12, {"daysLeft": 3, "days": 90})
    assert listed_alarms(site.founder) == [("cert", None, True)]
    assert listed_alarms(site.boss) == []
    pass_(60)
    assert ("cert", None, True) in listed_alarms(site.founder)
    beats(12, {"daysLeft": 89, "days": 90})
    assert ("cert", None, False) in listed_alarms(site.founder)
    settle(site.world.platform)
    mailed = [
        (address, str(mail["Subject"])) for (address,), mail in mailbox.mails if "Zertifikat" in str(mail["Subject"])
    ]
    operator = "Plattform – Zertifikat des Servers läuft ab"
    assert mailed == [
        ("betrieb@example.org", f"Alarm: {operator}"),
        ("betrieb@example.org", f"Entwarnung: {operator}"),
    ]


@ON_BOTH
def test_two_rounds_at_once_watch_one_certificate(site: Site, pass_: Callable[..., None], clock: SettableClock) -> None:
    platform = site.world.platform
    clock.advance(minutes=1)
    site.device.beat(certificate={"daysLeft": 3, "days": 90})
    devices.write_beats(platform)
    with platform.database.read(SYSTEM) as tx:
        installation = rounds.survey(tx, platform)
    all_at_once(platform, *[lambda: rounds.update_company(platform, site.world.operator_id, installation)] * 2)
    with platform.database.read(SYSTEM) as tx:
        assert [alarm.kind for alarm in tx.scalars(select(Alarm))] == ["cert"]


@ON_BOTH
def test_a_version_that_was_replaced_or_withdrawn_and_an_update_that_failed_are_the_operator_s_alarms(
    site: Site, pass_: Callable[..., None], clock: SettableClock
) -> None:
    platform = site.world.platform
    published(platform, "1.0.0")
    published(platform, "1.6.0")
    rollout_id = rollout_of(platform, "1.6.0", "done")
    beat_fields = {"platform": RUNS_ON}

    def beats(times: int, step: timedelta, **extra_fields: object) -> None:
        for _ in range(times):
            clock.advance(minutes=step / timedelta(minutes=1))
            site.device.beat(**beat_fields | extra_fields)
            rounds.run_round(platform)

    beats(8, DAY)
    assert [kind for kind, _, _ in listed_alarms(site.founder)] == []
    beats(2, DAY)
    assert listed_alarms(site.founder) == [("version", "SW-T-1", True)]
    failed = {"state": "failed", "version": "1.6.0"}
    beats(30, timedelta(minutes=4), update=failed)
    both = {("version", "SW-T-1", True), ("update", "SW-T-1", True)}
    assert set(listed_alarms(site.founder)) == both, "the old version still runs"
    beats(4, timedelta(minutes=4), update={"state": "loading", "version": "1.6.0"})
    assert set(listed_alarms(site.founder)) == both
    assert site.founder.post(f"{ROLLOUTS}/{rollout_id}/rollback").status_code == 200
    beats(3, timedelta(minutes=4), update=failed)
    assert not any(goes_on for _, _, goes_on in listed_alarms(site.founder))
    withdrawn(site, "1.0.0")
    beats(10, DAY)
    assert listed_alarms(site.founder, is_open=True) == [("withdrawn", None, True)]
    assert listed_alarms(site.boss) == []


@ON_BOTH
def test_a_withdrawn_version_without_a_successor_is_one_alarm_however_many_clocks_run_it(
    site: Site, pass_: Callable[..., None], clock: SettableClock, mailbox: Mailbox
) -> None:
    platform = site.world.platform
    linked(site.world.founder, OPERATOR)
    clocks = [site.device, *(site.another_clock(f"SW-T-{number}", number) for number in (2, 3))]
    published(platform, "1.0.0")
    withdrawn(site, "1.0.0")

    def beats(rounds_run: int, apart: timedelta = timedelta(hours=1)) -> None:
        for _ in range(rounds_run):
            settle(platform)
            clock.set(clock.now() + apart)
            for device in clocks:
                device.beat(platform=RUNS_ON)
            rounds.run_round(platform)

    beats(1)
    beats(5, hours(4.6))
    assert listed_alarms(site.founder) == []
    beats(2)
    assert listed_alarms(site.founder) == [("withdrawn", None, True)]
    assert mailed(mailbox, platform) == [(OPERATOR, "Alarm: Plattform – Zurückgezogene Version im Einsatz")]
    beats(3, hours(4))  # it is night
    published(platform, "1.6.0")
    rollout_of(platform, "1.6.0", "done")
    beats(2)
    assert listed_alarms(site.founder) == [("withdrawn", None, False)]
    assert mailed(mailbox, platform) == [(OPERATOR, "Entwarnung: Plattform – Zurückgezogene Version im Einsatz")]
    beats(8, DAY)
    assert [kind for kind, _, _ in listed_alarms(site.founder, is_open=True)] == ["version"] * 3


@ON_BOTH
def test_a_round_reads_the_installation_s_state_once_for_all_companies(site: Site, pass_: Callable[..., None]) -> None:
    platform, statements = site.world.platform, list[str]()
    other_clocks = [site.another_clock(f"SW-T-{no}", no, firm=site.world.firm(f"Nachbar {no}")) for no in (2, 3, 4)]
    rollout_of(platform, "1.6.0", "done")
    pass_(2, site.device, *other_clocks)
    tables = ("rollouts", "update_releases", "epochs")
    for engine in platform.database.engines:
        event.listen(engine, "before_cursor_execute", lambda *called: statements.append(called[2]))
    rounds.run_round(platform)
    quiet = {table: _count(statements, table) for table in tables}
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(DeviceLease).values(forked=True))
    statements.clear()
    rounds.run_round(platform)
    with platform.database.read(SYSTEM) as tx:
        assert len(set(tx.scalars(select(Alarm.company_id)))) == 4
    assert {table: _count(statements, table) for table in tables} == quiet
    assert all(quiet.values()), quiet
    held_queries = [sql for sql in statements if "max(stamps.received_at)" in sql]
    assert sum("stamps.company_id = " in sql.split("WHERE")[1] for sql in held_queries) == len(held_queries) - 1 == 4


def _count(statements: list[str], table: str) -> int:
    return sum(f"FROM {table}" in sql for sql in statements)


@ON_BOTH
def test_an_operator_reads_which_clock_of_which_company_sees_the_certificate_that_ends_first(
    site: Site, pass_: Callable[..., None], mailbox: Mailbox
) -> None:
    linked(site.world.founder, OPERATOR)
    proxied = site.another_clock("SW-T-2", 2)
    for _ in range(4):
        site.device.beat(certificate={"daysLeft": 80, "days": 90})
        proxied.beat(certificate={"daysLeft": 3, "days": 90})
        pass_(4)
    (row,) = site.founder.get(PATH).json()
    sentence = (
        "Eine von 2 Uhren sieht ein Zertifikat, das bald abläuft; am frühesten die Uhr SW-T-2"
        " der Firma „Tischlerei Holzmann“: in 3 Tagen."
    )
    assert row["hint"].endswith(sentence)
    settle(site.world.platform)
    assert sentence in " ".join(text_of(mailbox.mails[0][1]).split())


@ON_BOTH
def test_an_update_that_a_clock_took_back_is_an_alarm_while_its_rollout_goes_on(
    site: Site, pass_: Callable[..., None]
) -> None:
    platform = site.world.platform
    published(platform, "1.6.0")
    rollout_id = rollout_of(platform, "1.6.0", "paused")
    with platform.database.write(SYSTEM) as tx:
        row = {"rollout_id": rollout_id, "device_no": 1, "stage": 0, "from_version": "1.0.0", "state": "failed"}
        tx.add(RolloutClock(**row, at=platform.clock.now()))

    def beats(minutes: int) -> None:
        for _ in range(0, minutes, 4):
            site.device.beat(platform=RUNS_ON, update={"state": "failed", "version": "1.6.0"})
            pass_(4)

    beats(56)
    assert listed_alarms(site.founder) == []
    beats(12)
    assert listed_alarms(site.founder) == [("update", "SW-T-1", True)]
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(Rollout).values(state="stopped"))
    beats(12)
    assert listed_alarms(site.founder) == [("update", "SW-T-1", False)]


def test_a_gap_is_an_alarm_after_a_day(site: Site, pass_: Callable[..., None], clock: SettableClock) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    site.device.tap(ANNA, MORNING + hours(1))
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(2)))
    pass_(2, site.device)
    clock.advance(hours=24)
    pass_(1, site.device)
    assert listed_alarms(site.boss) == [("gap", "SW-T-1", True)]
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(Epoch).values(gaps=False))
    pass_(12, site.device)
    assert listed_alarms(site.boss) == [("gap", "SW-T-1", False)]


def test_a_gap_of_one_company_s_time_is_no_alarm_of_the_clock_s_next_company(
    site: Site, pass_: Callable[..., None], clock: SettableClock
) -> None:
    other_firm = site.world.firm("Nachbar & Söhne")
    site.device.deliver(site.device.tap(ANNA, MORNING))
    site.device.tap(ANNA, MORNING + hours(1))
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(2)))
    site.assign(site.device, other_firm.id)
    pass_(2, site.device)
    clock.advance(hours=25)
    pass_(1, site.device)
    assert listed_alarms(site.founder) == []
    site.assign(site.device, site.firm.id)
    pass_(1, site.device)
    clock.advance(hours=25)
    pass_(1, site.device)
    assert listed_alarms(site.founder) == listed_alarms(site.boss) == [("gap", "SW-T-1", True)]


@ON_BOTH
def test_far_fewer_stamps_than_on_such_days_before_are_an_alarm(
    site: Site, pass_: Callable[..., None], clock: SettableClock, platform: Platform
) -> None:
    friday = date(2026, 11, 20)
    usual = {friday - week * 7 * DAY: 20 for week in range(1, 9)}
    with platform.database.write(SYSTEM) as tx:
        (assignment,) = devices.owners(tx, 1)
        assignment.starts_at -= 100 * DAY
    ports.STAMPS_BY_DAY.provide(platform, lambda *_: {1: usual | {friday: 3}})
    pass_(6, site.device)
    assert listed_alarms(site.boss) == [], "the day is not over"
    clock.advance(hours=12)
    pass_(12, site.device)
    assert listed_alarms(site.boss) == [("few_stamps", "SW-T-1", True)]
    ports.STAMPS_BY_DAY.provide(platform, lambda *_: {1: usual | {friday: 20}})
    clock.advance(hours=24)
    pass_(12, site.device)
    assert listed_alarms(site.boss, is_open=True) == []


def test_after_a_start_companies_are_counted_by_and_by_and_an_alarm_goes_on_until_its_is(
    site: Site, pass_: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, checked_ids = site.world.platform, []
    other_clock = site.another_clock(firm=site.world.firm("Nachbar & Söhne"))
    with unit_of_work(platform, SYSTEM) as work:
        no, now = work.session.scalars(select(Device.no).where(Device.id == site.device.device_id)).one(), work.now()
        raised = {"kind": "few_stamps", "since": now, "raised": True}
        work.session.add(Alarm(company_id=site.firm.id, id=work.new_id(), device_no=no, **raised))
    ports.STAMPS_BY_DAY.provide(platform, lambda _, company_id, *__: checked_ids.append(company_id) or {})
    rounds.FEW_STAMPS_CHECKS.pop(platform)
    monkeypatch.setattr(rounds, "CHECKS_PER_ROUND", 0)
    pass_(12, site.device, other_clock)
    assert listed_alarms(site.boss) == [("few_stamps", "SW-T-1", True)]
    monkeypatch.setattr(rounds, "CHECKS_PER_ROUND", 1)
    pass_(4, site.device, other_clock)
    assert len(checked_ids) == 1
    pass_(16, site.device, other_clock)
    assert len(checked_ids) == len(set(checked_ids)) == 2
    assert listed_alarms(site.boss) == [("few_stamps", "SW-T-1", False)]


def test_stamps_are_counted_by_clock_and_local_day(site: Site, platform: Platform) -> None:
    other_clock = site.another_clock()
    taps = [site.device.tap(ANNA, MORNING - hours(7) + hours(apart)) for apart in (-0.2, 0.2, 8)]
    site.device.deliver(*taps)
    other_clock.deliver(other_clock.tap(ANNA, MORNING))
    days = date(2026, 11, 19), date(2026, 11, 20)
    with platform.database.read(SYSTEM) as tx:
        zone = zone_of(tx, site.firm.id, MORNING)
        counts = watching.by_day(tx, site.firm.id, zone, *days)
        assert watching.by_day(tx, site.world.operator_id, zone, *days) == {}
    assert counts == {1: {days[0]: 1, days[1]: 2}, 2: {days[1]: 1}}


def test_a_company_is_closed_on_holidays_free_days_and_without_opening_hours(site: Site, platform: Platform) -> None:
    week = {str(day): None if day == 6 else [480, 1020] for day in range(7)}
    with platform.database.write(SYSTEM) as tx:
        for day, half in ((24, False), (31, True)):
            tx.add(FreeDay(company_id=site.firm.id, date=date(2026, 12, day), name="frei", half=half))
        for name, value in (("holiday_region", "DE-BY"), ("opening_hours", week)):
            set_setting_from(tx, site.firm.id, Change(name, date.min, json.dumps(value)), MORNING, None)
        closed = closed_days(tx, site.firm.id, date(2026, 12, 20), date(2026, 12, 31))
    assert sorted(day.day for day in closed) == [20, 24, 25, 26, 27]


BOSS, OPERATOR = "chefin@holzmann.example", "betrieb@example.org"


def mailed(mailbox: Mailbox, platform: Platform) -> list[tuple[str, str]]:
    """Returns recipient and subject of all mails since the last call."""
    settle(platform)
    mails = sorted((address, str(mail["Subject"])) for (address,), mail in mailbox.mails)
    mailbox.empty()
    return mails


@pytest.fixture
def new_mails(platform: Platform, mailbox: Mailbox, site: Site) -> Callable[[], list[tuple[str, str]]]:
    """Returns the new mails. The company and the operator want mails at any time."""
    for admin, address in ((site.firm.boss, BOSS), (site.world.founder, OPERATOR)):
        linked(admin, address)
        assert site.somebody(admin).put("/api/alarm-settings", json=MAILS).status_code == 200
    site.world.user(site.firm.id, "vertretung", "companyAdmin")  # has no address
    linked(site.firm.anna, "anna@holzmann.example")
    return lambda: mailed(mailbox, platform)


SILENT, WELL = "Alarm: SW-T-1 – meldet sich nicht", "Entwarnung: SW-T-1 – meldet sich nicht"


def test_both_audiences_are_mailed_once_of_an_alarm_and_once_of_its_end(
    site: Site, pass_: Callable[..., None], new_mails: Callable[[], list[tuple[str, str]]], mailbox: Mailbox
) -> None:
    pass_(20)
    settle(site.world.platform)
    assert "Prüfe Strom und Netz der Uhr." in text_of(mailbox.mails[0][1])
    assert new_mails() == [(OPERATOR, SILENT), (BOSS, SILENT)]
    pass_(20)
    assert new_mails() == []
    pass_(12, site.device)
    assert new_mails() == [(OPERATOR, WELL), (BOSS, WELL)]
    pass_(20, site.device)
    assert new_mails() == []


@pytest.mark.parametrize("action", ["unassign", "revoke"])
@pytest.mark.parametrize("is_alone", [False, True])
def test_losing_the_clock_ends_an_alarm_without_an_all_clear(
    site: Site,
    pass_: Callable[..., None],
    new_mails: Callable[[], list[tuple[str, str]]],
    mailbox: Mailbox,
    action: str,
    is_alone: bool,
) -> None:
    other_clocks = [site.another_clock(f"SW-T-{number}", number) for number in (2, 3)]
    pass_(2, site.device, *other_clocks)
    pass_(20, *([] if is_alone else other_clocks))
    topic = "Tischlerei Holzmann – Netz der Firma weg" if is_alone else "SW-T-1 – meldet sich nicht"
    assert new_mails() == [(OPERATOR, f"Alarm: {topic}"), (BOSS, f"Alarm: {topic}")]
    for device in (site.device, *(other_clocks if is_alone else ())):
        site.founder.post(f"/api/devices/{device.device_id}/{action}", json={"reason": "gestohlen"})
    pass_(12, *([] if is_alone else other_clocks))
    settle(site.world.platform)
    text = text_of(mailbox.mails[0][1])
    assert "Entwarnung" not in text
    assert "Die Firma hat die Uhr nicht mehr." in text
    assert new_mails() == [(OPERATOR, f"Alarm beendet: {topic}"), (BOSS, f"Alarm beendet: {topic}")]
    assert listed_alarms(site.boss, is_open=True) == []


@ON_BOTH
def test_a_company_that_muted_the_kind_or_lacks_the_module_is_not_mailed(
    site: Site, pass_: Callable[..., None], new_mails: Callable[[], list[tuple[str, str]]]
) -> None:
    site.founder.put("/api/alarm-settings", json=MAILS | {"kinds": ["disk"]})
    assert site.founder.put(f"/api/companies/{site.firm.id}/features", json={"featureIds": []}).status_code == 200
    pass_(20)
    assert new_mails() == []
    site.founder.put("/api/alarm-settings", json=MAILS | {"mail": False})
    pass_(10, site.device)
    assert new_mails() == [], "nobody who was not told of it hears of its end"


def test_a_mail_waits_in_quiet_hours_and_is_dropped_if_the_alarm_ends_meanwhile(
    site: Site, pass_: Callable[..., None], new_mails: Callable[[], list[tuple[str, str]]], clock: SettableClock
) -> None:
    quiet = MAILS | {"quietFrom": "18:00", "quietTo": "06:30"}
    assert site.boss.put("/api/alarm-settings", json=quiet).status_code == 200
    pass_(20)
    assert new_mails() == [(OPERATOR, SILENT)]
    pass_(12, site.device)
    assert new_mails() == [(OPERATOR, WELL)]
    pass_(20)
    assert new_mails() == [(OPERATOR, SILENT)]
    clock.set(MORNING + hours(23.4))
    assert new_mails() == []
    clock.set(MORNING + hours(23.6))
    assert new_mails() == [(BOSS, SILENT)]


class Unsteady:
    """Replaces the mailer; takes mails only while it `works`. `taken`: subjects, by address."""

    def __init__(self) -> None:
        self.works = True
        self.taken: dict[str, list[str]] = {BOSS: [], OPERATOR: []}

    def send(self, to: str, subject: str, *_: Any, **__: Any) -> None:
        if not self.works:
            raise MailFailed("not now")
        self.taken[to].append(subject)


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from([0.4, 2.0, 200.0]), st.booleans()), max_size=8),
    st.integers(0, 8),
    st.sampled_from([MAILS, MAILS | {"quietFrom": "08:00", "quietTo": "11:00"}]),
)
def test_no_mail_about_an_alarm_follows_the_one_about_its_end(
    site: Site,
    new_mails: Callable[[], list[tuple[str, str]]],
    clock: SettableClock,
    steps: list[tuple[float, bool]],
    end_step: int,
    of_company: dict[str, Any],
) -> None:
    """Steps: minutes pass, and the mail server works from then on, or not. The alarm ends with one of them."""
    platform = site.world.platform
    assert site.boss.put("/api/alarm-settings", json=of_company).status_code == 200
    platform.mailer = mails = cast("Any", Unsteady())
    with unit_of_work(platform, SYSTEM) as work:
        no, now = work.session.scalars(select(Device.no)).one(), work.now()
        alarm = Alarm(company_id=site.firm.id, id=work.new_id(), device_no=no, kind="silent", since=now, raised=True)
        work.session.add(alarm)
        work.session.flush()
        notifications.plan(work, alarm)
    for number, (minutes, mails.works) in enumerate([*steps, *[(400.0, True)] * 3]):
        clock.advance(minutes=minutes)
        if number == min(end_step, len(steps)):
            with unit_of_work(platform, SYSTEM) as work:
                alarm = work.session.get_one(Alarm, (site.firm.id, alarm.id))
                alarm.until = work.now()
                notifications.plan(work, alarm)
        settle(platform)
    for heard in mails.taken.values():
        assert heard in ([], [SILENT, WELL], [WELL])


@pytest.mark.parametrize("seed", range(2))
def test_each_alarm_and_its_end_are_mailed_once_under_random_events(
    site: Site, new_mails: Callable[[], list[tuple[str, str]]], clock: SettableClock, seed: int
) -> None:
    """Hours with random events: clocks fall silent, fill up, are taken away, moved, revoked, replaced; then a company
    closes.
    """
    rng, platform, firm = random.Random(seed), site.world.platform, site.firm
    other_firm = site.world.firm("Nachbar & Söhne")
    linked(other_firm.boss, "chef@nachbar.example")
    assert site.boss.put("/api/alarm-settings", json=SETTINGS | {"quietTo": "06:00"}).status_code == 200
    platform.mailer = mails = cast("Any", Unsteady())
    mails.taken = defaultdict(list)
    clocks = [site.device, *(site.another_clock(f"SW-T-{no}", no) for no in range(2, 5))]
    spares = [enrolled(site.world, clock, f"SW-T-{no}", no) for no in range(5, 8)]

    def advance(minutes: int) -> None:
        """No task runs meanwhile: its lease would expire, so another process would take it and mail twice."""
        settle(platform)
        clock.advance(minutes=minutes)

    def passing(minutes: int, beating: list[Clock], *, well: bool = False) -> None:
        for _ in range(0, minutes, 3):
            advance(3)
            for device in beating:
                depth, free = (0, 4000) if well else rng.choice([(0, 4000)] * 3 + [(3, 4000), (0, 50)])
                oldest = format_instant(clock.now() - timedelta(hours=rng.choice([1, 4]))) if depth else None
                device.beat(queue={"depth": depth, "oldest": oldest, "diskFreeMb": free})
            rounds.run_round(platform)

    for _ in range(12):
        device, owner = rng.choice(clocks), rng.choice([firm, other_firm])
        path = f"/api/devices/{device.device_id}"
        change = rng.choice(["", "", "unassign", "move", "revoke", "replace"])
        if change == "unassign":
            site.founder.post(f"{path}/unassign")
        elif change == "move":
            site.founder.post(f"{path}/assign-company", json={"companyId": owner.id})
        elif change == "revoke":
            site.founder.post(f"{path}/revoke", json={"reason": "gestohlen"})
        elif change == "replace" and spares:
            clocks.append(spares.pop())
            site.founder.post(f"{path}/replace", json={"deviceId": clocks[-1].device_id})
        passing(rng.choice([6, 12, 24, 30]), rng.sample(clocks, rng.randint(0, len(clocks))))
        advance(rng.choice([0, 0, 90]))
    assert site.founder.delete(f"/api/companies/{other_firm.id}").status_code == 204
    advance(24 * 60)
    passing(15, clocks, well=True)
    advance(24 * 60)
    settle(platform)
    assert listed_alarms(site.founder, is_open=True) == []
    for subjects in mails.taken.values():
        for topic in {subject.split(": ", 1)[1] for subject in subjects}:
            words = [subject.split(": ")[0] for subject in subjects if subject.endswith(f": {topic}")]
            assert words[::2] == ["Alarm"] * len(words[::2]), (topic, words)
            assert {"Entwarnung", "Alarm beendet"}.issuperset(words[1::2]), (topic, words)
    assert mails.taken[OPERATOR]
    with platform.database.read(SYSTEM) as tx:
        unfinished = tx.scalars(select(Alarm).where(Alarm.company_id == firm.id, Alarm.told != "[]")).all()
    assert unfinished == []


def test_two_rounds_at_once_find_one_alarm_and_mail_it_once(
    site: Site, pass_: Callable[..., None], new_mails: Callable[[], list[tuple[str, str]]], clock: SettableClock
) -> None:
    platform = site.world.platform
    for minutes in (11, 6):
        clock.advance(minutes=minutes)
        all_at_once(platform, lambda: rounds.run_round(platform), lambda: rounds.run_round(platform))
    assert new_mails() == [(OPERATOR, SILENT), (BOSS, SILENT)]
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(Alarm)) == 1
    site.device.beat()
    devices.write_beats(platform)
    for minutes in (0, 6):  # not later: another process would take over a mail under way
        clock.advance(minutes=minutes)
        all_at_once(platform, lambda: rounds.run_round(platform), lambda: rounds.run_round(platform))
    assert new_mails() == [(OPERATOR, WELL), (BOSS, WELL)]


def test_alarms_of_a_closed_company_end(
    site: Site, pass_: Callable[..., None], new_mails: Callable[[], list[tuple[str, str]]]
) -> None:
    pass_(20)
    new_mails()
    assert site.founder.delete(f"/api/companies/{site.firm.id}").status_code == 204
    pass_(10)
    assert listed_alarms(site.founder, is_open=True) == []
    assert new_mails() == []


def test_a_failure_in_one_company_affects_no_other(site: Site, pass_: Callable[..., None]) -> None:
    platform = site.world.platform

    def fails(*_: Any) -> Any:
        raise ValueError

    ports.STAMPS_BY_DAY.provide(platform, fails)
    rounds.FEW_STAMPS_CHECKS.pop(platform)
    pass_(20)
    assert listed_alarms(site.boss) == [("silent", "SW-T-1", True)]


def test_alarms_that_are_over_go_after_a_year(site: Site, pass_: Callable[..., None], clock: SettableClock) -> None:
    pass_(20)
    pass_(12, site.device)
    pass_(20)
    (keep,) = ROOM.retention_rules
    for passed, rows_left in ((DAY, 2), (400 * DAY, 1)):
        clock.advance(days=passed / timedelta(days=1))
        with site.world.platform.database.write(SYSTEM) as tx:
            keep.remove(tx, clock.now())
            assert tx.scalar(select(func.count()).select_from(Alarm)) == rows_left
