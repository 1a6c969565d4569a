"""Clock and service are killed again and again while people tap and answers are lost: confirmed taps are kept, once.

The card's own rows are the stamps that exist; the screen's answers are the promised ones; the service must hold the
former, each once, and so the latter.
"""

import contextlib
import itertools
import random
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_edge.machine.hardware import SystemMachine
from stempelwerk_tools.faults.proxy import Fault, Plan, proxy_in_thread

from tools.tests.processes.clock_process import PATIENCE_S, ClockProcess
from tools.tests.processes.service_process import Office, ServiceProcess, wait_for

SEED = 20261120
STAFF = [f"04A2B3C4D5E6{number:02X}" for number in range(4)]
HEALING_S = 300.0


@dataclass
class Weather:
    """The proxy's plan for each exchange; a test can wait for the next one to begin."""

    luck: random.Random
    bad: bool = True
    begun: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def choose(self) -> Plan:
        with self.changed:
            self.begun += 1
            self.changed.notify_all()
            faults = [Fault.NONE, Fault.LOST_ANSWER, Fault.RESET, Fault.CUT_REQUEST]
            return Plan(self.luck.choices(faults, [5, 3, 1, 1])[0]) if self.bad else Plan()

    def wait_for_exchanges(self, count: int) -> None:
        """Waits until `count` more exchanges have begun; a request is on its way then."""
        with self.changed:
            enough = self.begun + count
            assert self.changed.wait_for(lambda: self.begun >= enough, PATIENCE_S), "the clock asks for nothing"


class People:
    """They tap without a pause, each with a new tag or as one of the staff, and believe the screen."""

    def __init__(self, clock: ClockProcess) -> None:
        self._clock = clock
        self._over = threading.Event()
        self._strangers = (f"0499{number:010X}" for number in itertools.count(1))
        self.promised: list[str] = []
        self.progress = threading.Condition()
        self._thread = threading.Thread(target=self._tap_on)

    def __enter__(self) -> "People":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _tap_on(self) -> None:
        for number in itertools.count():
            if self._over.is_set():
                return
            tag = STAFF[number // 3 % len(STAFF)] if number % 3 == 0 else next(self._strangers)
            answer = self._clock.tap(bytes.fromhex(tag), limit_s=3.0)
            if answer is not None and answer["kind"] != "not_saved":
                self._believe(answer)

    def _believe(self, answer: dict[str, Any]) -> None:
        assert answer["stampId"], answer
        with self.progress:
            self.promised.append(answer["stampId"].replace("-", ""))
            self.progress.notify_all()

    def wait_for_taps(self, count: int) -> None:
        with self.progress:
            enough = len(self.promised) + count
            assert self.progress.wait_for(lambda: len(self.promised) >= enough, PATIENCE_S), "the clock answers nobody"


def on_the_card(clock: ClockProcess) -> list[tuple[str, str, bool]]:
    """Returns (id, tag, whether the clock had a company then) of every row."""
    with clock.journal() as database:
        rows = database.execute("SELECT id, tag, assignment FROM stamps ORDER BY row").fetchall()
    return [(stamp.replace("-", ""), tag, assignment is not None) for stamp, tag, assignment in rows]


@contextlib.contextmanager
def running(service: ServiceProcess) -> Iterator[None]:
    try:
        service.create_founder()
        service.start()
        yield
    finally:
        service.stop()


def kill_in_turns(service: ServiceProcess, clock: ClockProcess, people: People, weather: Weather, kills: int) -> None:
    """Kills each in the middle of work: the clock while a tag is read, the service on a request of the clock."""
    for number in range(kills):
        if number % 2:
            weather.wait_for_exchanges(weather.luck.randint(1, 4))
            service.kill()
            people.wait_for_taps(1)  # without the cloud
            service.start()
        else:
            assert clock.reader.wait_for_reads(clock.reader.chip.reads + 1, PATIENCE_S)
            clock.kill()
            clock.start()


@pytest.mark.proof("programs")
@pytest.mark.parametrize("kills", [8, pytest.param(25, marks=pytest.mark.prove)])
def test_confirmed_taps_are_in_the_cloud_once_after_kills_and_lost_answers(tmp_path, kills):
    service = ServiceProcess(tmp_path / "service")
    weather = Weather(random.Random(SEED))
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(service))
        proxy = stack.enter_context(proxy_in_thread(service.port, weather.choose))
        office = stack.enter_context(Office(service.url))
        users = {tag: office.hire(f"Person {tag}", tag) for tag in STAFF}
        clock = ClockProcess(tmp_path / "clock", f"http://127.0.0.1:{proxy.port}")
        stack.callback(clock.close)
        identity = load_or_make(clock.data, SystemMachine(None, clock.data).hardware.all_ids)
        clock.start()
        clock.ready()
        office.hang_up(identity.claim_code)
        with People(clock) as people:
            people.wait_for_taps(3)
            kill_in_turns(service, clock, people, weather, kills)
        weather.bad = False
        card = on_the_card(clock)
        ids = [stamp for stamp, _, _ in card]
        assert len(people.promised) > kills // 2
        taps = Counter(tag for _, tag, _ in card if tag not in users)
        assert taps.total() - len(taps) <= kills, "only a tag that lay there when its clock died may be read twice"
        assert not Counter(people.promised) - Counter(ids), "an answer without a row"
        wait_for(lambda: set(ids) <= set(service.stamps()), "every row of the card is in the cloud", HEALING_S)
        assert clock.screen.wait_for(lambda view: view["queued"] == 0), "the clock knows it, too"
        stamps = service.stamps()
        assert stamps == Counter(ids), "each once, and nothing else"
        assert Counter(service.query("SELECT replace(id, '-', '') FROM receipts")) == stamps
        assert service.query("SELECT count(*) FROM stamp_claims") == [0]
        assert service.query("SELECT count(*) FROM quarantined_stamps") == [0]
        assert proxy.counts[Fault.LOST_ANSWER] > 0

        waiting = Counter(
            row["id"].replace("-", "") for row in [*office.held_stamps(), *office.call("GET", "/api/held-stamps")]
        )
        booked = {tag for _, tag, assigned in card if assigned and tag in users}
        assert waiting >= Counter(stamp for stamp, tag, _ in card if tag not in users)
        assert booked
        assert all(office.entries(users[tag]) for tag in booked)
