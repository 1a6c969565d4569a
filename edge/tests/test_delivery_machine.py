"""The journal and the delivery against a model of the cloud: lost messages, crashes, backups, other servers.

Invariants: an acknowledged tap is in the journal, a mark means that the cloud acknowledged it, a batch is repeated to
the last byte, nothing is sent again unless it was asked for, no false alarm of a second card is raised, and in the end
everything has arrived.
"""

import shutil
import tempfile
from collections.abc import Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.client import CloudClient, Response, refusal
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.session import CloudSession, Concluded
from stempelwerk_edge.cloud.sync import Sync
from stempelwerk_edge.errors import NotNow
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.journal import Journal, connect_sqlite

from edge.tests.clockwork import MORNING, TestClock, TestIds, TestLog, TestScreen, draft, stores_on, surroundings
from edge.tests.model_cloud import ModelCloud

IDENTITY = Identity(Ed25519PrivateKey.from_private_bytes(bytes(32)), "board:1")
MEMORY = Path("/dev/shm")
LUCK = st.sampled_from(["ok", "ok", "ok", "down", "lost answer", "413", "500", "nonsense"])


def at_once(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never really waits."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waited")


class DirectClient(CloudClient):
    """Reaches the model without a network, with the luck of the moment, and notes what it sent."""

    def __init__(self, world: "World") -> None:
        self._world = world

    async def send(
        self, method: str, path: str, body: bytes | None = None, created: datetime | None = None
    ) -> Response:
        world = self._world
        world.clock.advance(milliseconds=20)  # no two answers are of one instant
        if path == wire.STAMPS and body is not None:
            world.note(body)
        if world.luck == "down":
            raise NotNow("down")
        if world.luck in ("413", "500"):
            raise refusal(int(world.luck), httpx.Headers(), b"", MORNING)
        status, content = world.cloud.handle(method, path, body, IDENTITY.keyid)
        if world.luck == "lost answer":
            raise NotNow("lost")
        if world.luck == "nonsense":
            return Response(b"<html>", world.clock.boottime_ms(), world.clock.boottime_ms())
        if status != 200:
            raise refusal(status, httpx.Headers(), wire.encode(content), MORNING)
        if path == wire.STAMPS:
            world.durable.update(r["id"] for r in content["results"] if r["outcome"] in wire.DURABLE)
            if content["actions"] or content["serverId"] != world.server_heard:
                world.may_repeat |= world.durable
        another = content.get("serverId", world.server_heard) != world.server_heard
        if another or content.get("actions") or world.shows_a_backup(path, content.get("lease")):
            world.may_repeat |= world.durable
        world.server_heard = content.get("serverId", world.server_heard)
        return Response(wire.encode(content), world.clock.boottime_ms(), world.clock.boottime_ms())


class World:
    """One card in one clock, its starts, and the cloud."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.clock, self.ids, self.log, self.screen = TestClock(), TestIds(), TestLog(), TestScreen()
        self.cloud = ModelCloud(self.clock.wall)
        self.luck = "ok"
        self.toned: list[str] = []
        self.durable: set[str] = set()
        self.may_repeat: set[str] = set()
        self.server_heard = self.cloud.server_id
        self.bodies: dict[str, bytes] = {}
        self.starts = 0
        self.journals: list[Journal] = []
        self.repeated: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Start the agent's parts; those of the start before are left as a crash leaves them."""
        self.starts += 1
        self.journal = Journal(self.directory, self.ids, self.log, connect_sqlite, 4096)
        self.journals.append(self.journal)
        stores = stores_on(self.directory, self.journal, self.log)
        self.stores, self.outbox = stores, stores.outbox
        self.journal.open()
        time = TrustedTime(self.clock)
        time.recall(
            stores.state.anchors({self.clock.boot_id}), stores.state.highest_time(), stores.state.trusted_time()
        )
        stores.membership.load(IDENTITY.keyid)
        self.around = around = surroundings(time=time, ids=self.ids, screen=self.screen, report=self.log)
        self.session = CloudSession(DirectClient(self), IDENTITY, stores, around)
        self.sync = Sync(self.session, stores, around, self.beat)

    async def beat(self) -> Concluded[wire.Welcome]:
        """A heartbeat without its details."""
        answer, meaning = await self.session.call("POST", wire.HEARTBEAT, wire.read_welcome, b"{}")
        if isinstance(answer, wire.Welcome):
            self.session.welcomed(answer)
        return answer, meaning

    def shows_a_backup(self, path: str, lease: int | None) -> bool:
        """Returns whether an answer brings a lower lease than the clock holds, and is not an answer to a batch."""
        held_lease = self.stores.state.lease(IDENTITY.keyid)
        return path != wire.STAMPS and None not in (held_lease, lease) and lease < held_lease

    def note(self, body: bytes) -> None:
        """A batch leaves the clock."""
        content = wire.read_object(body)
        batch, ids = content["batch"], {stamp["id"] for stamp in content["stamps"]}
        if batch in self.bodies:
            assert self.bodies[batch] == body, "a batch was repeated otherwise than it was"
            return
        self.bodies[batch] = body
        if content["lease"] is None:  # it is sent again with a lease
            self.may_repeat |= ids
        self.repeated |= (ids & self.durable) - self.may_repeat

    def marked(self) -> set[str]:
        """The stamps that the clock takes for delivered."""
        query = "SELECT stamps.id FROM stamps JOIN marks ON marks.row = stamps.row"
        return self.journal.read(lambda db: {i for (i,) in db.execute(query)})

    def kept_ids(self) -> set[str]:
        """The stamps in the journal."""
        return self.journal.read(lambda db: {i for (i,) in db.execute("SELECT id FROM stamps")})


class Deliveries(RuleBasedStateMachine):
    """Any order of taps, deliveries, crashes and the cloud's misfortunes."""

    @initialize()
    def begin(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="stempelwerk-machine-", dir=MEMORY if MEMORY.is_dir() else None))
        self.world = World(self.directory)
        self.backup: ModelCloud | None = None

    @rule(count=st.integers(1, 4))
    def tap(self, count: int) -> None:
        for _ in range(count):
            self.world.clock.advance(seconds=7)
            stamp = draft(self.world.ids.new(), tapped_at=self.world.clock.wall())
            self.world.toned.append(self.world.journal.append(stamp).draft.id)

    @rule(luck=LUCK)
    def deliver(self, luck: str) -> None:
        self.world.luck = luck
        at_once(self.world.sync.step())

    @rule(luck=LUCK)
    def beat(self, luck: str) -> None:
        self.world.luck = luck
        at_once(self.world.beat())

    @rule()
    def crash(self) -> None:
        self.world.begin()

    @rule(days=st.integers(0, 2))
    def time_passes(self, days: int) -> None:
        self.world.clock.advance(days=days, hours=1)

    @rule()
    def back_up(self) -> None:
        self.backup = self.world.cloud.backup()

    @precondition(lambda self: self.backup is not None)
    @rule()
    def restore(self) -> None:
        assert self.backup is not None
        self.world.cloud.restore(self.backup)

    @rule()
    def another_server(self) -> None:
        number = int(self.world.cloud.server_id.rpartition("-")[2]) + 1
        self.world.cloud = ModelCloud(self.world.clock.wall, f"server-{number}")
        self.backup = None

    @rule(largest=st.sampled_from([1, 3, 500]))
    def the_service_takes_less(self, largest: int) -> None:
        self.world.cloud.largest_batch = largest

    @invariant()
    def every_tone_has_its_row(self) -> None:
        assert set(self.world.toned) <= self.world.kept_ids()

    @invariant()
    def delivered_means_that_the_cloud_said_so(self) -> None:
        assert self.world.marked() <= self.world.durable

    @invariant()
    def nothing_is_sent_again_unasked(self) -> None:
        # Once a start, one stamp may carry the anchor that came too late for it.
        assert len(self.world.repeated) <= self.world.starts

    @invariant()
    def the_count_on_the_screen_is_right(self) -> None:
        assert self.world.outbox.backlog().depth == len(self.world.kept_ids() - self.world.marked())

    @invariant()
    def no_false_alarm(self) -> None:
        assert not any(device.forked for device in self.world.cloud.devices.values())

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        try:
            self.heal()
        finally:
            for journal in self.world.journals:
                journal.close()
            shutil.rmtree(self.directory)

    def heal(self) -> None:
        """After the faults end, everything arrives without another tap, also stamps that a backup lacked."""
        self.world.cloud.largest_batch = 500
        self.world.clock.advance(days=1, minutes=5)  # what was set aside waits for a day
        for _ in range(2):  # where the lease was in doubt, the first one settles it
            self.beat("ok")
        for _ in range(60):
            self.deliver("ok")
            if self.world.outbox.cut(1) is None and self.world.outbox.open_batch() is None:
                break
        assert self.world.outbox.backlog().depth == 0
        self.no_false_alarm()
        assert set(self.world.toned) <= set(self.world.cloud.receipts)


TestDeliveries = Deliveries.TestCase
TestDeliveries.settings = settings(max_examples=150, stateful_step_count=30)


def test_a_set_back_cloud_is_noticed_although_it_had_one_batch_only_that_was_composed_anew() -> None:
    state = Deliveries()
    state.begin()
    state.tap(count=1)
    state.back_up()
    state.crash()
    state.beat("ok")
    state.deliver("down")
    state.deliver("413")
    state.crash()
    state.deliver("ok")
    state.restore()
    state.teardown()
