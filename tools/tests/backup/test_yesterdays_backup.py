"""The service is set back to an older backup while its clocks live on: they bring back what it has forgotten, once.

Changes that people and administrators made on the web since the backup are lost, and are not expected back.
"""

import contextlib
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_edge.machine.hardware import SystemMachine

from tools.tests.processes.clock_process import PATIENCE_S, ClockProcess
from tools.tests.processes.service_process import Office, ServiceProcess, wait_for

ANNA, BERT = "04A2B3C4D5E601", "04A2B3C4D5E602"
STRANGERS = [f"0499{number:010X}" for number in range(8)]
RECONNECTING_S = 300.0


def card(clock: ClockProcess) -> Counter[str]:
    """Returns the ids of the stamps on a clock's card."""
    with clock.journal() as database:
        return Counter(stamp.replace("-", "") for (stamp,) in database.execute("SELECT id FROM stamps"))


def tap(clock: ClockProcess, *tags: str, kinds: Collection[str] = ("in", "unknown")) -> None:
    for tag in tags:
        answer = clock.tap(bytes.fromhex(tag))
        assert answer is not None, clock.output()
        assert answer["kind"] in kinds


def wait_until_delivered(clock: ClockProcess) -> None:
    assert clock.screen.wait_for(lambda view: view["queued"] == 0, RECONNECTING_S), clock.output()


def hang_up(clock: ClockProcess, office: Office) -> None:
    """Starts a new clock, assigns it, and restarts it, so that it asks for its company at once."""
    identity = load_or_make(clock.data, SystemMachine(None, clock.data).hardware.all_ids)
    clock.start()
    office.hang_up(identity.claim_code)
    clock.stop()
    clock.start()
    clock.ready()
    assert clock.screen.wait_for(lambda view: view["companyName"] is not None, RECONNECTING_S), clock.output()


def restore(service: ServiceProcess, backup: Path) -> None:
    """Restores a backup of the service, which does not run."""
    done = service.command("restore", str(backup), "--replace")
    assert done.returncode == 0, done.stderr


def check_stamps(service: ServiceProcess, *clocks: ClockProcess, limit_s: float = PATIENCE_S) -> None:
    """Checks that the service has exactly the stamps on the clocks' cards, each once."""
    everything = sum((card(clock) for clock in clocks), Counter[str]())
    wait_for(lambda: set(everything) <= set(service.stamps()), "the clocks bring all back", limit_s)
    assert service.stamps() == everything
    assert Counter(stamp.replace("-", "") for stamp in service.query("SELECT id FROM receipts")) == everything
    assert service.query("SELECT count(*) FROM stamp_claims") == [0]
    for clock in clocks:
        wait_until_delivered(clock)


@pytest.mark.proof("programs")
def test_after_a_restore_of_yesterdays_backup_the_clocks_bring_back_every_stamp_once_and_nobody_taps(tmp_path):
    service = ServiceProcess(tmp_path / "service")
    backup = tmp_path / "yesterday.tar.gz"
    with contextlib.ExitStack() as stack:
        stack.callback(service.stop)
        service.create_founder()
        service.start()
        office = stack.enter_context(Office(service.url))
        # Lets a person leave soon after they came.
        office.call("PUT", f"/api/companies/{office.company_id}/settings", {"doubleTapSeconds": 1})
        anna, bert = office.hire("Anna", ANNA), office.hire("Bert", BERT)
        old, new = (ClockProcess(tmp_path / name, service.url) for name in ("old", "new"))
        stack.callback(old.close)
        stack.callback(new.close)

        hang_up(old, office)
        tap(old, ANNA, STRANGERS[0])
        check_stamps(service, old)

        done = service.command("backup", str(backup))  # the service runs on
        assert done.returncode == 0, done.stderr
        saved = card(old)

        hang_up(new, office)
        tap(old, BERT, STRANGERS[1], STRANGERS[2])
        tap(new, STRANGERS[3], STRANGERS[4])
        check_stamps(service, old, new)

        service.stop()
        refused = service.command("restore", str(backup))
        assert refused.returncode == 1
        assert "--replace" in refused.stderr
        restore(service, backup)
        assert service.stamps() == saved, "yesterday is back"
        service.start()
        check_stamps(service, old, new, limit_s=RECONNECTING_S)
        assert service.stamps().total() == 7, "nobody has tapped meanwhile"

        tap(old, ANNA, BERT, kinds=["out"])
        check_stamps(service, old, new)
        for person in (anna, bert):
            assert [(row["running"], row["source"]) for row in office.entries(person)] == [(False, "clock")]

        service.stop()
        tap(old, STRANGERS[5])  # during an outage of the service
        restore(service, backup)
        assert service.stamps() == saved, "yesterday is back once more"
        service.start()
        tap(old, STRANGERS[6])
        tap(new, STRANGERS[7])
        check_stamps(service, old, new, limit_s=RECONNECTING_S)
        assert service.stamps().total() == 12
        waiting = [*office.held_stamps(), *office.call("GET", "/api/held-stamps")]
        assert Counter(row["tag"] for row in waiting) == Counter(STRANGERS)
