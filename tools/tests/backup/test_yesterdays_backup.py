"""The service is set back to an older backup while its clocks live on: they bring back what it has forgotten, once.

What people and administrators did at the web since the backup is lost, and is not claimed to come back.
"""

import contextlib
import sqlite3
from collections import Counter

from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_edge.machine.hardware import SystemMachine

from tools.tests.processes.clock_process import ClockProcess
from tools.tests.processes.service_process import Office, ServiceProcess, until

ANNA, BERT = "04A2B3C4D5E601", "04A2B3C4D5E602"
STRANGERS = [f"0499{number:010X}" for number in range(8)]
RECONNECTING_S = 180.0


def card(clock: ClockProcess) -> Counter[str]:
    """The ids of the stamps on a clock's card."""
    with contextlib.closing(sqlite3.connect(clock.data / "journal" / "journal.db")) as database:
        return Counter(stamp.replace("-", "") for (stamp,) in database.execute("SELECT id FROM stamps"))


def tap(clock: ClockProcess, *tags: str) -> None:
    for tag in tags:
        answer = clock.tap(bytes.fromhex(tag))
        assert answer is not None, clock.output()
        assert answer["kind"] in ("in", "unknown")


def delivered(clock: ClockProcess) -> None:
    assert clock.screen.wait_for(lambda view: view["queued"] == 0, RECONNECTING_S), clock.output()


def hang_up(clock: ClockProcess, office: Office) -> None:
    """Start a new clock, give it to the company, and switch it off and on, so that it asks at once whose it is."""
    identity = load_or_make(clock.data, SystemMachine(None, clock.data).hardware.all_ids)
    clock.start()
    office.hang_up(identity.claim_code)
    clock.stop()
    clock.start()
    clock.ready()
    assert clock.screen.wait_for(lambda view: view["companyName"] is not None, RECONNECTING_S), clock.output()


def test_after_a_restore_of_yesterdays_backup_the_clocks_bring_back_every_stamp_once(tmp_path):
    service = ServiceProcess(tmp_path / "service")
    backup = tmp_path / "yesterday.tar.gz"
    with contextlib.ExitStack() as stack:
        stack.callback(service.stop)
        service.found()
        service.start()
        office = stack.enter_context(Office(service.url))
        anna, bert = office.hire("Anna", ANNA), office.hire("Bert", BERT)
        old, new = (ClockProcess(tmp_path / name, service.url) for name in ("old", "new"))
        stack.callback(old.close)
        stack.callback(new.close)
        hang_up(old, office)
        tap(old, ANNA, STRANGERS[0])
        until(lambda: service.stamps() == card(old), "all is delivered")

        done = service.command("backup", str(backup))  # the service runs on
        assert done.returncode == 0, done.stderr
        saved = card(old)

        hang_up(new, office)
        tap(old, BERT, STRANGERS[1], STRANGERS[2])
        tap(new, STRANGERS[3], STRANGERS[4])
        until(lambda: service.stamps() == card(old) + card(new), "all is delivered")

        service.stop()
        tap(old, STRANGERS[5])  # while there is no service at all
        refused = service.command("restore", str(backup))
        assert refused.returncode == 1
        assert "--replace" in refused.stderr
        done = service.command("restore", str(backup), "--replace")
        assert done.returncode == 0, done.stderr
        assert service.stamps() == saved, "yesterday is back"

        service.start()
        tap(old, STRANGERS[6])
        tap(new, STRANGERS[7])
        until(lambda: set(card(old) + card(new)) <= set(service.stamps()), "the clocks bring all back", RECONNECTING_S)
        delivered(old)
        delivered(new)
        everything = card(old) + card(new)
        assert len(everything) == 10
        assert service.stamps() == everything, "each once, and nothing else"
        assert Counter(stamp.replace("-", "") for stamp in service.query("SELECT id FROM receipts")) == everything
        assert service.query("SELECT count(*) FROM stamp_claims") == [0]

        assert [(row["running"], row["source"]) for row in office.entries(anna)] == [(True, "clock")]
        assert [(row["running"], row["source"]) for row in office.entries(bert)] == [(True, "clock")]
        waiting = [*office.held(), *office.call("GET", "/api/held-stamps")]
        assert Counter(row["tag"] for row in waiting) == Counter(STRANGERS)
