"""The outbox: committed tasks are done, failed ones are tried again, and no task delays others."""

import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS, ROOMS
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM, of_company
from stempelwerk_cloud.kit.outbox import OutboxRow, PermanentFailure, RetryLater, loop, queue
from stempelwerk_cloud.kit.outbox.tasks import LONGEST_PAUSE, MOST_ATTEMPTS, SHORTEST_PAUSE, pause_after
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.task_registry import TaskRegistry

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import until

COMPANY = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
OTHER = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c"
KIND, SLOW = "test.quick", "test.slow"


class Doing:
    """A task that records its arguments, and raises the given exception."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Mapping[str, Any], str]] = []
        self.wrong: dict[str, Exception] = {}
        self.meanwhile: Callable[[Platform], object] = lambda _: None

    def __call__(self, platform: Platform, company_id: str, payload: Mapping[str, Any], which: str) -> None:
        self.meanwhile(platform)
        wrong = self.wrong.get(payload.get("n", ""))
        if wrong is not None:
            raise wrong
        self.done.append((company_id, payload, which))

    @property
    def numbers(self) -> list[str]:
        return [payload["n"] for _, payload, _ in self.done]


@pytest.fixture
def doing(platform: Platform) -> Doing:
    doing = Doing()
    platform.outbox.declare({KIND: doing})
    return doing


def _add(platform: Platform, number: str, company_id: str = COMPANY, **options: Any) -> str:
    with platform.database.write(SYSTEM) as session:
        return outbox.add(session, platform, company_id, KIND, {"n": number}, **options)


def _rows(platform: Platform) -> list[OutboxRow]:
    with platform.database.read(SYSTEM) as session:
        return list(session.scalars(select(OutboxRow).order_by(OutboxRow.id)))


def test_a_task_of_an_undeclared_kind_is_an_error(platform: Platform) -> None:
    with pytest.raises(ValueError, match="nothing"), platform.database.write(SYSTEM) as session:
        outbox.add(session, platform, COMPANY, "nothing", {})
    with pytest.raises(ValueError, match=r"notices\.mail"):
        platform.outbox.declare({"notices.mail": lambda *_: None})


def test_a_task_that_was_rolled_back_is_never_done(platform: Platform, doing: Doing) -> None:
    def fail() -> None:
        with platform.database.write(SYSTEM) as session:
            outbox.add(session, platform, COMPANY, KIND, {"n": "a"})
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert outbox.once(platform) == 0
    assert doing.done == []


def test_a_committed_task_is_done_once_with_its_payload(platform: Platform, doing: Doing) -> None:
    first = _add(platform, "Ä")
    assert outbox.once(platform) == 1
    assert outbox.once(platform) == 0
    assert doing.done == [(COMPANY, {"n": "Ä"}, first)]
    assert _rows(platform) == []


@pytest.mark.parametrize("scope", [of_company(COMPANY), DEVICES, SYSTEM], ids=str)
def test_pages_and_clocks_add_in_their_own_transactions(platform: Platform, doing: Doing, scope: Any) -> None:
    with platform.database.write(scope) as session:
        outbox.add(session, platform, COMPANY, KIND, {"n": "a"})
    assert outbox.once(platform) == 1


def test_a_task_has_no_transaction_around_it_and_may_take_its_own(platform: Platform, doing: Doing) -> None:
    def write(platform: Platform) -> None:
        with platform.database.write(SYSTEM) as session:
            outbox.add(session, platform, OTHER, KIND, {"n": "b"}, platform.clock.now() + timedelta(hours=1))

    doing.meanwhile = write
    _add(platform, "a")
    assert outbox.once(platform) == 1
    assert [row.company_id for row in _rows(platform)] == [OTHER]


def test_a_task_that_is_due_later_is_done_then(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    _add(platform, "a", due=clock.now() + timedelta(minutes=5))
    clock.advance(minutes=4, seconds=59)
    assert outbox.once(platform) == 0
    clock.advance(seconds=1)
    assert outbox.once(platform) == 1


def test_a_task_put_off_for_years_by_a_server_ahead_of_time_is_due_again(
    platform: Platform, doing: Doing, clock: SettableClock
) -> None:
    right = clock.now()
    _add(platform, "planned", due=right + 30 * DAY)
    clock.set(right + 1500 * DAY)
    doing.wrong["refused"] = ValueError("certificate is over")
    _add(platform, "refused")
    outbox.once(platform)
    with platform.database.write(SYSTEM) as session:
        queue.add(session, platform, COMPANY, KIND, {"n": "killed"})
        queue.claim(session, clock.now(), KIND, 1)
    doing.wrong.clear()
    clock.set(right)
    doing.done.clear()
    assert outbox.once(platform) == 0
    (job,) = [candidate for candidate in JOBS if candidate.name == "outbox_ahead"]
    assert jobs.take_turn(platform, job)
    outbox.once(platform)
    assert sorted(doing.numbers) == ["killed", "refused"]


def test_a_failed_task_is_tried_again_twelve_times_with_growing_pauses_and_then_given_up(
    platform: Platform, doing: Doing, clock: SettableClock
) -> None:
    doing.wrong["a"] = OSError("no mail today")
    _add(platform, "a")
    pauses = []
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert outbox.once(platform) == 1
        assert outbox.once(platform) == 0
        (row,) = _rows(platform)
        assert (row.attempts, row.leased_until) == (attempt, None)
        if attempt < MOST_ATTEMPTS:
            assert row.failed_at is None
            pauses.append(row.due_at - clock.now())
            clock.set(row.due_at)
    assert row.failed_at == clock.now()
    assert SHORTEST_PAUSE <= pauses[0] < 2 * SHORTEST_PAUSE
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE
    clock.advance(days=1)
    assert outbox.once(platform) == 0


def test_a_task_says_itself_when_it_wants_to_be_tried_again(
    platform: Platform, doing: Doing, clock: SettableClock
) -> None:
    doing.wrong["a"] = RetryLater(1234, "busy")
    _add(platform, "a")
    outbox.once(platform)
    assert _rows(platform)[0].due_at == clock.now() + timedelta(seconds=1234)
    doing.wrong.clear()
    clock.advance(seconds=1234)
    assert outbox.once(platform) == 1
    assert doing.numbers == ["a"]


@pytest.mark.parametrize(("seconds", "pause"), [(-5, 1), (0, 1), (1, 1), (1e12, 21600), (float("inf"), 21600)])
def test_a_task_is_put_off_for_a_second_to_six_hours(seconds: float, pause: int) -> None:
    assert RetryLater(seconds).pause == timedelta(seconds=pause)


def test_a_postponed_task_without_a_time_waits_as_usual(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    doing.wrong["a"] = RetryLater(reason="nobody answers")
    _add(platform, "a")
    outbox.once(platform)
    assert SHORTEST_PAUSE <= _rows(platform)[0].due_at - clock.now() < 2 * SHORTEST_PAUSE


def test_a_task_that_gives_up_is_not_tried_again(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    doing.wrong["a"] = PermanentFailure("the address is none")
    _add(platform, "a")
    assert outbox.once(platform) == 1
    assert _rows(platform)[0].failed_at == clock.now()
    clock.advance(days=1)
    assert outbox.once(platform) == 0


def test_a_poisoned_task_delays_no_other(platform: Platform, doing: Doing) -> None:
    doing.wrong = {"poison": ZeroDivisionError("never")}
    for number in ("poison", "poison", "poison", "a", "b", "c"):
        _add(platform, number)
    outbox.once(platform)
    assert doing.numbers == ["a", "b", "c"]
    assert len(_rows(platform)) == 3


def test_waiting_tasks_with_one_key_are_done_as_one(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    soon = clock.now() + timedelta(minutes=1)
    _add(platform, "a", due=soon, coalesce_key="anna")
    clock.advance(seconds=30)
    _add(platform, "b", due=soon + timedelta(seconds=30), coalesce_key="anna")
    _add(platform, "c", due=soon, coalesce_key="ben")
    _add(platform, "d", OTHER, due=soon, coalesce_key="anna")
    _add(platform, "e", due=soon)
    _add(platform, "f", due=soon)
    clock.set(soon)
    outbox.once(platform)
    assert sorted(doing.numbers) == ["a", "c", "d", "e", "f"]
    assert _rows(platform) == []


def test_a_task_added_while_one_with_its_key_runs_is_done_after_it(
    platform: Platform, doing: Doing, clock: SettableClock
) -> None:
    def once_more(platform: Platform) -> None:
        doing.meanwhile = lambda _: None
        _add(platform, "b", coalesce_key="anna")

    doing.meanwhile = once_more
    _add(platform, "a", coalesce_key="anna")
    outbox.once(platform)
    assert doing.numbers == ["a", "b"]


def test_a_retried_task_is_done_with_those_added_since(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    doing.wrong["a"] = RetryLater(3600)
    _add(platform, "a", coalesce_key="anna")
    outbox.once(platform)
    _add(platform, "b", coalesce_key="anna")
    outbox.once(platform)
    assert doing.numbers == ["b"]
    assert _rows(platform) == []


def test_a_process_that_lost_its_lease_marks_nothing(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    _add(platform, "a")
    ((first_claim,), _) = loop.take(platform)
    clock.advance(seconds=queue.LEASE.total_seconds())
    ((theirs,), _) = loop.take(platform)
    loop.do(platform, first_claim)
    assert [row.attempts for row in _rows(platform)] == [2]
    loop.do(platform, theirs)
    assert _rows(platform) == []


def test_a_task_longer_than_its_lease_stays_with_its_process(
    platform: Platform, doing: Doing, clock: SettableClock
) -> None:
    _add(platform, "a")
    running, _ = loop.take(platform)
    for _ in range(5):
        clock.advance(seconds=loop.EVERY_S)
        assert loop.take(platform, running)[0] == []
    assert loop.take(platform)[0] == []


def test_a_task_that_was_put_off_is_not_renewed(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    doing.wrong["a"] = RetryLater(10)
    _add(platform, "a")
    running, _ = loop.take(platform)
    loop.do(platform, running[0])
    loop.take(platform, running)
    (row,) = _rows(platform)
    assert (row.leased_until, row.due_at) == (None, clock.now() + timedelta(seconds=10))


def test_a_kind_never_runs_more_tasks_than_it_has_places(platform: Platform, doing: Doing) -> None:
    platform.outbox.declare({SLOW: doing})
    for number in "abcdef":
        _add(platform, number, COMPANY[:-1] + number)
    running, _ = loop.take(platform)
    assert len(running) == loop.AT_ONCE
    with platform.database.write(SYSTEM) as session:
        outbox.add(session, platform, COMPANY, SLOW, {"n": "d"})
    newly_claimed, _ = loop.take(platform, running)
    assert [entry.kind for entry in newly_claimed] == [SLOW]


@pytest.mark.parametrize("concurrency_key", [None, "a host"])
def test_a_company_and_a_lane_run_one_task_at_a_time(
    platform: Platform, doing: Doing, concurrency_key: str | None
) -> None:
    """A task that hangs takes one place, in any process."""
    for number, company_id in (("a", COMPANY), ("b", COMPANY if concurrency_key is None else OTHER)):
        _add(platform, number, company_id, concurrency_key=concurrency_key)
    last = OTHER if concurrency_key is None else OTHER[:-1] + "d"
    _add(platform, "c", last, concurrency_key=concurrency_key and "another")
    begun, _ = loop.take(platform)
    assert [entry.payload["n"] for entry in begun] == ["a", "c"]
    assert loop.take(platform)[0] == []
    loop.do(platform, begun[0])
    (next_entry,), _ = loop.take(platform, begun[1:])
    assert next_entry.payload == {"n": "b"}


@ON_BOTH
def test_failures_are_counted(platform: Platform, doing: Doing, clock: SettableClock) -> None:
    doing.wrong["a"] = PermanentFailure("never")
    _add(platform, "a")
    _add(platform, "b", due=clock.now() + timedelta(days=99))
    outbox.once(platform)
    jobs.measure(platform, ROOMS)
    assert (platform.metrics.outbox_failed._value.get(), platform.metrics.outbox_waiting._value.get()) == (1, 1)


@given(st.integers(1, 100), st.floats(0, 1, exclude_max=True))
def test_pauses_grow_and_stay_within_a_minute_and_six_hours(attempts: int, chance: float) -> None:
    pause = pause_after(attempts, chance)
    assert SHORTEST_PAUSE <= pause <= LONGEST_PAUSE
    assert pause_after(attempts + 1, chance) >= pause


class Gate:
    """A task that waits until the test releases it."""

    def __init__(self) -> None:
        self.begun, self.opened = threading.Semaphore(0), threading.Event()

    def __call__(self, *_: object) -> None:
        self.begun.release()
        assert self.opened.wait(60)


@pytest.fixture
def gate(platform: Platform) -> Iterator[Gate]:
    gate = Gate()
    platform.outbox.declare({SLOW: gate})
    yield gate
    gate.opened.set()


def test_the_loop_does_it_as_soon_as_it_is_committed(platform: Platform, doing: Doing, client: TestClient) -> None:
    with platform.database.write(SYSTEM) as session:
        outbox.add(session, platform, COMPANY, KIND, {"n": "a"})
        session.flush()
        assert doing.done == []
    until(lambda: doing.numbers == ["a"])
    until(lambda: _rows(platform) == [])


def test_the_loop_goes_on_with_the_next_as_soon_as_one_is_done(
    platform: Platform, doing: Doing, client: TestClient
) -> None:
    with platform.database.write(SYSTEM) as session:
        for number in range(20):
            outbox.add(session, platform, COMPANY, KIND, {"n": str(number)})
    until(lambda: len(doing.done) == 20)


def test_a_slow_task_delays_no_task_of_another_kind(
    platform: Platform, doing: Doing, gate: Gate, client: TestClient
) -> None:
    def add(session: Session, kind: str, count: int) -> None:
        for number in range(count):
            outbox.add(session, platform, COMPANY[:-1] + str(number), kind, {"n": str(number)})

    with platform.database.write(SYSTEM) as session:
        add(session, SLOW, 5)
    for _ in range(loop.AT_ONCE):
        assert gate.begun.acquire(timeout=60)
    with platform.database.write(SYSTEM) as session:
        add(session, KIND, 5)
    until(lambda: len(doing.done) == 5)
    assert client.get("/api/health/live").status_code < 500
    assert not gate.begun.acquire(blocking=False)
    gate.opened.set()
    until(lambda: _rows(platform) == [])


def test_waking_without_a_loop_or_after_its_end_does_nothing() -> None:
    def ended() -> None:
        raise RuntimeError("Event loop is closed")

    box = TaskRegistry[Platform]()
    box.wake()
    with box.woken_by(ended):
        box.wake()
