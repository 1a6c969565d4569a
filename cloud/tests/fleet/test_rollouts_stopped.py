"""Causes that stop a rollout, and the mails about it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select
from stempelwerk_cloud.domain.instants import DAY, HOUR
from stempelwerk_cloud.domain.rollouts import Taps
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.fleet.rollouts import advancing
from stempelwerk_cloud.fleet.rollouts.room import ROOM
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.access.tables import SecondFactor
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.timekeeping.times.held import watching

from cloud.tests.databases import ON_BOTH
from cloud.tests.fleet.rolling import ALL, Fleet, a_week_before, log_of, published, withdrawn
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.meeting import all_at_once
from cloud.tests.people.noticing import settle
from cloud.tests.stamping import ANNA, BEN, MORNING, Site, hours

THURSDAY = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


def test_clocks_that_are_not_heard_any_more_stop_it(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    canaries = fleet.told_nos()
    other_nos = [no for no in fleet.ids if no not in canaries]
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    fleet.site.clock.advance(hours=4)
    fleet.heard(other_nos)
    a_week_before(fleet, list(fleet.ids), offset=-HOUR / 2)
    row = fleet.advance()
    assert row["state"] == "stopped"
    assert row["reason"] == "Keine Meldung seit zwei Stunden: 4 von 4 aktualisierten Uhren, 0 von 8 anderen."
    assert fleet.told_nos() == []
    assert log_of(fleet)[-1] == "rollout.stopped"


def test_silence_everywhere_stops_nothing(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    fleet.heard(fleet.told_nos(), version="1.6.0")
    fleet.advance(minutes=1)
    a_week_before(fleet, list(fleet.ids), offset=4 * HOUR)
    assert fleet.advance(hours=4)["state"] == "running"


def test_updates_that_fail_stop_it(fleet: Fleet) -> None:
    fleet.start(stageDays=5)
    fleet.heard(fleet.told_nos(), update_state="failed", update_version="1.6.0")
    row = fleet.advance(minutes=61)
    assert (row["state"], row["failed"]) == ("stopped", 4)
    assert row["reason"] == "Update gescheitert: 4 von 4 aktualisierten Uhren."
    stopped = ROOM.gauges["stopped_rollouts"]
    assert stopped(fleet.platform) == 1
    assert fleet.site.founder.post(f"/api/updates/rollouts/{row['id']}/rollback").status_code == 200
    assert stopped(fleet.platform) == 0


@pytest.mark.parametrize("sign", ["odd", "taps", "errors"])
def test_a_bad_day_stops_it(fleet: Fleet, sign: str) -> None:
    fleet.site.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stageDays=3)
    canaries = fleet.told_nos()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    bad = {"odd": Taps(38, 10, 2), "taps": Taps(10, 10, 0), "errors": Taps(40, 10, 0)}[sign]

    def taps(_: Any, instants: Sequence[datetime]) -> list[dict[int, Taps]]:
        usual = dict.fromkeys(fleet.ids, Taps(40, 10, 0))
        return [usual] * (len(instants) - 2) + [usual | dict.fromkeys(canaries, bad)]

    ports.TAPS_BY_CLOCK.provide(fleet.platform, taps)
    fleet.site.clock.set(THURSDAY + DAY)
    if sign == "errors":
        with fleet.platform.database.write(SYSTEM) as tx:
            for no in canaries:
                now, id_ = fleet.platform.clock.now(), fleet.platform.ids.new()
                tx.add(DeviceLog(device_no=no, id=id_, at=now, received_at=now, level="error", code="x", message=""))
    fleet.site.clock.set(THURSDAY + 2 * DAY)
    fleet.heard()
    row = fleet.advance()
    assert row["state"] == "stopped", row
    assert "4 von 4 aktualisierten Uhren, 0 von 8 anderen" in row["reason"]


@pytest.mark.parametrize(("people", "takes"), [(3, 5), (13, 2), (40, 1), (0, 1)])
def test_a_stage_of_few_people_is_judged_for_longer(fleet: Fleet, people: int, takes: int) -> None:
    fleet.site.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stages=[{"clocks": 4}, ALL], stageDays=1)
    fleet.heard(fleet.told_nos(), version="1.6.0")
    fleet.advance(minutes=1)
    day = dict.fromkeys(fleet.ids, Taps(2 * people, people, 0)) if people else {}
    ports.TAPS_BY_CLOCK.provide(fleet.platform, lambda _, instants: [day] * (len(instants) - 1))
    stages = []
    for _ in range(takes + 1):
        fleet.site.clock.advance(hours=24)
        fleet.heard()
        stages.append(fleet.advance()["stage"])
    assert stages == [1] * takes + [2]


def test_a_version_after_which_all_taps_stop_is_judged_for_longer(fleet: Fleet) -> None:
    """Four clocks with three days before cannot prove it within a day."""
    fleet.site.clock.set(THURSDAY)
    fleet.heard()
    fleet.start(stages=[{"clocks": 4}, ALL], stageDays=1)
    canaries = fleet.told_nos()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    usual = dict.fromkeys(fleet.ids, Taps(2, 1, 0))
    still = {no: taps for no, taps in usual.items() if no not in canaries}
    ports.TAPS_BY_CLOCK.provide(fleet.platform, lambda _, instants: [usual] * 3 + [still] * (len(instants) - 4))
    fleet.site.clock.advance(hours=48)
    fleet.heard()
    assert fleet.advance()["stage"] == 1


def test_two_rounds_at_once_have_the_effect_of_one(fleet: Fleet) -> None:
    fleet.start(stages=[{"clocks": 4}, {"percent": 50}, ALL])
    fleet.heard(fleet.told_nos(), version="1.6.0")
    all_at_once(fleet.platform, lambda: advancing.advance(fleet.platform), lambda: advancing.advance(fleet.platform))
    row = fleet.row()
    assert (row["stage"], row["updated"]) == (2, 4)
    with fleet.platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "rollout.done")) == 0


def silenced(fleet: Fleet) -> None:
    """The canaries have the version and fall silent: the next round stops the rollout."""
    fleet.start(stageDays=5)
    canaries = fleet.told_nos()
    fleet.heard(canaries, version="1.6.0")
    fleet.advance(minutes=1)
    fleet.site.clock.advance(hours=4)
    fleet.heard([no for no in fleet.ids if no not in canaries])
    a_week_before(fleet, list(fleet.ids), offset=-HOUR / 2)


def operators(fleet: Fleet, **settings: Any) -> None:
    """Two operators with an address and these settings; a company's administrator has them too."""
    site, mails = fleet.site, {"mail": True, "quietFrom": None, "quietTo": None, "kinds": []}
    second = site.world.user(site.world.operator_id, "zweite", "admin")
    site.world.user(site.world.operator_id, "ohne-adresse", "admin")
    with fleet.platform.database.write(SYSTEM) as tx:
        for name, person in (("erste", site.world.founder), ("zweite", second), ("chefin", site.firm.boss)):
            tx.add(SecondFactor(company_id=person.company_id, user_id=person.id, email=f"{name}@example.org"))
    assert site.founder.put("/api/alarm-settings", json=mails | settings).status_code == 200


def mails(fleet: Fleet, mailbox: Mailbox) -> list[str]:
    """Returns the recipients of all mails since the last call."""
    settle(fleet.platform)
    addresses = sorted(address for (address,), _ in mailbox.mails)
    mailbox.empty()
    return addresses


def test_two_rounds_that_stop_it_at_once_mail_each_of_the_operator_s_administrators_once(
    fleet: Fleet, mailbox: Mailbox
) -> None:
    operators(fleet)
    silenced(fleet)
    all_at_once(fleet.platform, *[lambda: advancing.advance(fleet.platform)] * 2)
    settle(fleet.platform)
    mail = mailbox.mails[0][1]
    assert mail["Subject"] == "Rollout gestoppt: 1.6.0 (stable)"
    assert "4 von 4 aktualisierten Uhren, 0 von 8 anderen." in text_of(mail)
    assert "Die Version haben 4 von 12 Uhren." in text_of(mail)
    assert mails(fleet, mailbox) == ["erste@example.org", "zweite@example.org"]
    fleet.advance(hours=2)
    assert mails(fleet, mailbox) == []
    assert log_of(fleet) == ["rollout.started", "rollout.stopped"]


def test_an_operator_who_switched_mails_off_is_not_mailed(fleet: Fleet, mailbox: Mailbox) -> None:
    operators(fleet, mail=False)
    silenced(fleet)
    assert fleet.advance()["state"] == "stopped"
    assert mails(fleet, mailbox) == []


def test_in_quiet_hours_the_mail_waits(fleet: Fleet, mailbox: Mailbox) -> None:
    operators(fleet, quietFrom="00:00", quietTo="23:59")
    silenced(fleet)
    assert fleet.advance()["state"] == "stopped"
    assert mails(fleet, mailbox) == []
    fleet.site.clock.advance(days=1)
    assert len(mails(fleet, mailbox)) == 2


@pytest.mark.parametrize("how", ["withdrawn", "replaced"])
def test_a_stop_by_an_operator_is_not_mailed(fleet: Fleet, mailbox: Mailbox, how: str) -> None:
    operators(fleet)
    fleet.start()
    if how == "withdrawn":
        withdrawn(fleet.site, "1.6.0")
    else:
        fleet.move("pause")
        published(fleet.platform, "1.7.0")
        fleet.start("1.7.0")
    assert "rollout.stopped" in log_of(fleet)
    assert mails(fleet, mailbox) == []


@ON_BOTH
def test_taps_are_counted_by_clock_and_day_of_those_who_use_one_clock(site: Site) -> None:
    gate = site.another_clock()
    day = MORNING.replace(hour=0)
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(8)))
    site.device.deliver(site.device.tap(BEN, MORNING))
    gate.deliver(gate.tap(BEN, MORNING + hours(8)))
    site.device.deliver(site.device.tap(BEN, MORNING - hours(23)))
    with site.world.platform.database.read(SYSTEM) as tx:
        taps_before, taps = watching.taps(tx, [day - DAY, day, day + DAY])
        ((no, clock_taps),) = taps.items()
        assert clock_taps == Taps(taps=2, people=1, odd=0)
        assert taps_before == {no: Taps(taps=1, people=1, odd=1)}
