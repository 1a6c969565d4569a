"""Mistakes planted into the programs on purpose: a simulation that does not find them proves nothing.

Each replaces one function by a version that is wrong in one of the classic ways. They exist only for the tests of the
simulation.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.device_api.delivery import merge
from stempelwerk_cloud.device_api.delivery.lease import Lease
from stempelwerk_cloud.device_api.signed.gate import Key
from stempelwerk_cloud.domain.true_time import Mark, TrueMs
from stempelwerk_cloud.kit.database.statements import RowBuffer
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.timekeeping.ledger.intake import intake
from stempelwerk_cloud.timekeeping.ledger.intake.intake import Delivered, Taken
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Claim, Tap
from stempelwerk_cloud.timekeeping.tx import Tx
from stempelwerk_edge.storage import rescue
from stempelwerk_edge.storage.outbox import Outbox
from stempelwerk_edge.storage.rows import Batch
from stempelwerk_edge.storage.salvage import Rescued

from stempelwerk_tools.simulation.machines import internals

Plant = Callable[[], contextlib.AbstractContextManager[Callable[..., Any]]]

_SEQ_THERE = """SELECT 1 FROM stamps s JOIN streams m ON m.no = s.stream_no
    WHERE m.device_no IN (SELECT device_no FROM boots WHERE boot = :boot) AND s.seq = :seq AND s.id <> :id"""


@contextlib.contextmanager
def _replaced(owner: type, name: str, value: object) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextlib.contextmanager
def dedup_by_sequence_number() -> Iterator[Callable[..., Any]]:
    """The service takes a stamp for a duplicate if it knows the device's sequence number, whatever the stamp's id."""
    receive = intake.receive

    def wrong(tx: Tx, writing: RowBuffer, delivered: Sequence[Delivered]) -> list[list[Taken]]:
        def is_already_stored(tap: Tap) -> bool:
            values = {"boot": tap.boot, "seq": tap.seq, "id": tap.id}
            return tx.session.execute(text(_SEQ_THERE), values).first() is not None

        dropped = {tap.id for delivery in delivered for tap in delivery.taps if is_already_stored(tap)}
        remaining = [
            delivery._replace(taps=[tap for tap in delivery.taps if tap.id not in dropped]) for delivery in delivered
        ]
        outcomes = [iter(taken_stamps) for taken_stamps in receive(tx, writing, remaining)]
        return [
            [Taken("duplicate", "booked") if tap.id in dropped else next(outcome) for tap in delivery.taps]
            for delivery, outcome in zip(delivered, outcomes, strict=True)
        ]

    with internals.patched({("stempelwerk_cloud.device_api.delivery.merge", "receive"): wrong}):
        yield create_app


_late: ContextVar[list[contextlib.ExitStack] | None] = ContextVar("late commits", default=None)
_ROUNDS_TO_COMMIT = 10


class _CommitsLate:
    """The service, which commits a batch's transaction some rounds of the loop after it has answered."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Any:
        return getattr(self._app, name)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        waiting: list[contextlib.ExitStack] = []
        _late.set(waiting if scope.get("path") == "/api/devices/stamps" else None)
        try:
            await self._app(scope, receive, send)
            for _ in range(_ROUNDS_TO_COMMIT):
                await asyncio.sleep(0)
        except asyncio.CancelledError as death:
            for transaction in waiting:
                with contextlib.suppress(Exception):  # its database is gone with its process
                    transaction.__exit__(type(death), death, death.__traceback__)
            raise
        for transaction in waiting:
            transaction.close()


@contextlib.contextmanager
def acknowledgement_before_commit() -> Iterator[Callable[..., Any]]:
    """The service answers a batch before its transaction is committed."""
    merge = Database.merge

    @contextlib.contextmanager
    def wrong(database: Database) -> Iterator[Session]:
        waiting = _late.get()
        with contextlib.ExitStack() as stack:
            session = stack.enter_context(merge(database))
            yield session
            if waiting is not None:
                waiting.append(stack.pop_all())

    with _replaced(Database, "merge", wrong):
        yield lambda *arguments, **ports: _CommitsLate(create_app(*arguments, **ports))


@contextlib.contextmanager
def deletion_before_acknowledgement() -> Iterator[Callable[..., Any]]:
    """The clock deletes its rows when it sends them, and not when they are acknowledged."""

    def wrong(outbox: Outbox, batch: Batch) -> None:
        def work(database: Any) -> None:
            for row in batch.rows:
                database.execute("DELETE FROM stamps WHERE row = ?", (row,))

        outbox._journal.write(work)

    with _replaced(Outbox, "write_down", wrong):
        yield create_app


@contextlib.contextmanager
def first_variant_wins() -> Iterator[Callable[..., Any]]:
    """The service counts the stamp that came first among several with one id."""
    with _replaced(Claim, "rank", property(lambda claim: (claim.received_ms, claim.device_no))):
        yield create_app


@contextlib.contextmanager
def order_by_wall_time() -> Iterator[Callable[..., Any]]:
    """The service believes the clock's wall time and ignores its anchors."""

    def wrong(wall_ms: int, boottime_ms: int, quality: str, marks: Iterable[Mark], received_ms: int) -> TrueMs:
        return TrueMs(wall_ms, 0, True, "wall")

    with internals.patched({("stempelwerk_cloud.timekeeping.ledger.placing.anchoring", "true_ms"): wrong}):
        yield create_app


@contextlib.contextmanager
def fork_forgotten() -> Iterator[Callable[..., Any]]:
    """The service reports a card that lives twice, but does not flag the device."""
    write = merge._write_lease

    def wrong(writing: RowBuffer, key: Key, lease: Lease) -> None:
        write(writing, key, replace(lease, forked=False))

    with internals.patched({("stempelwerk_cloud.device_api.delivery.merge", "_write_lease"): wrong}):
        yield create_app


@contextlib.contextmanager
def second_key_unnoticed() -> Iterator[Callable[..., Any]]:
    """The service does not show a machine that enrols a second key as an identity conflict."""
    with internals.patched({("stempelwerk_cloud.fleet.devices.queries", "flag_serial"): lambda *_: None}):
        yield create_app


@contextlib.contextmanager
def set_back_unnoticed() -> Iterator[Callable[..., Any]]:
    """A clock ignores a lower lease in a heartbeat's answer: it waits for a tap."""
    with internals.patched({("stempelwerk_edge.cloud.delivery", "_is_set_back"): lambda *_: False}):
        yield create_app


@contextlib.contextmanager
def rescued_under_new_ids() -> Iterator[Callable[..., Any]]:
    """A rescue stores the old card's stamps under new ids."""

    def wrong(database: Any, card: Rescued, new_id: Callable[[], str]) -> rescue.Taken:
        renamed_stamps = [(row, new_id(), *columns) for row, _, *columns in card.stamps]
        return rescue.take(database, replace(card, stamps=renamed_stamps), new_id)

    with internals.patched({("stempelwerk_tools.simulation.machines.station", "take"): wrong}):
        yield create_app


ALL: dict[str, Plant] = {
    "dedup by sequence number": dedup_by_sequence_number,
    "acknowledgement before commit": acknowledgement_before_commit,
    "deletion before acknowledgement": deletion_before_acknowledgement,
    "first variant wins": first_variant_wins,
    "order by wall time": order_by_wall_time,
    "fork forgotten": fork_forgotten,
    "second key unnoticed": second_key_unnoticed,
    "set back unnoticed": set_back_unnoticed,
    "rescued under new ids": rescued_under_new_ids,
}
"""Every planted mistake: a context that plants it and yields the factory of the service."""
