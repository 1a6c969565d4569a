"""Any order of taps, answers, deliveries and crashes: no answer goes before its stamp, or again once it is settled."""

import json
import shutil
import tempfile
from datetime import datetime
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.answers import AnswersLoop
from stempelwerk_edge.cloud.client import Response
from stempelwerk_edge.storage.rows import GoneAnswer

from edge.tests.clockwork import TAG, draft
from edge.tests.model_cloud import ModelCloud
from edge.tests.test_delivery_machine import MEMORY, DirectClient, World, at_once


class AnswerClient(DirectClient):
    """Notes which answers leave the clock."""

    def __init__(self, world: "AnswerWorld") -> None:
        super().__init__(world)
        self._answers = world

    async def send(
        self, method: str, path: str, body: bytes | None = None, created: datetime | None = None
    ) -> Response:
        world = self._answers
        if path != wire.ANSWERS or body is None:
            return await super().send(method, path, body, created)
        ids = {answer["id"] for answer in json.loads(body)["answers"]}
        stamps = {answer["stampId"] for answer in json.loads(body)["answers"]}
        assert stamps <= world.marked(), "an answer went before its stamp"
        assert not ids & world.settled_ids(), "what was settled went again"
        response = await super().send(method, path, body, created)
        if response.body != b"<html>":
            results = json.loads(response.body)["results"]
            world.final.update(result["id"] for result in results if result["outcome"] in wire.SETTLED)
        return response


class AnswerWorld(World):
    """One card whose people are asked, and answer."""

    def __init__(self, directory: Path) -> None:
        self.said: list[str] = []
        self.final: set[str] = set()
        super().__init__(directory)

    def begin(self) -> None:
        super().begin()
        self.session._client = AnswerClient(self)
        self.answers = AnswersLoop(self.session, self.stores, self.around)

    def say(self, stamp_id: str) -> None:
        """Somebody answers about the entry that this stamp opened."""
        answer = GoneAnswer(self.ids.new(), stamp_id, "2026-11-20", "16:30", self.clock.wall())
        self.stores.answers.add(answer)
        self.said.append(answer.id)

    def settled_ids(self) -> set[str]:
        """The answers that the clock takes for settled."""
        return self.journal.read(lambda db: {i for (i,) in db.execute("SELECT id FROM answered")})

    def answers_kept(self) -> set[str]:
        """The answers in the journal."""
        return self.journal.read(lambda db: {i for (i,) in db.execute("SELECT id FROM answers")})


LUCK = st.sampled_from(["ok", "ok", "ok", "down", "lost answer", "413", "500", "nonsense"])


class Conversations(RuleBasedStateMachine):
    """Any order of taps, answers, deliveries, crashes and the cloud's misfortunes."""

    @initialize()
    def begin(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="stempelwerk-answers-", dir=MEMORY if MEMORY.is_dir() else None))
        self.world = AnswerWorld(self.directory)
        self.backup: ModelCloud | None = None
        self.restored = False

    @rule()
    def tap(self) -> None:
        self.world.clock.advance(seconds=7)
        stamp = draft(self.world.ids.new(), TAG, tapped_at=self.world.clock.wall())
        self.world.toned.append(self.world.journal.append(stamp).draft.id)

    @precondition(lambda self: self.world.toned)
    @rule(chosen=st.integers(0, 50))
    def say(self, chosen: int) -> None:
        self.world.say(self.world.toned[-1 - chosen % len(self.world.toned)])

    @rule(luck=LUCK)
    def deliver(self, luck: str) -> None:
        self.world.luck = luck
        at_once(self.world.sync.step())

    @rule(luck=LUCK)
    def send(self, luck: str) -> None:
        self.world.luck = luck
        at_once(self.world.answers.step())

    @rule(luck=LUCK)
    def beat(self, luck: str) -> None:
        self.world.luck = luck
        at_once(self.world.beat())

    @rule()
    def crash(self) -> None:
        self.world.begin()

    @rule(hours=st.sampled_from([1, 25]))
    def time_passes(self, hours: int) -> None:
        self.world.clock.advance(hours=hours)

    @rule()
    def back_up(self) -> None:
        self.backup = self.world.cloud.backup()

    @precondition(lambda self: self.backup is not None)
    @rule()
    def restore(self) -> None:
        assert self.backup is not None
        self.world.cloud.restore(self.backup)
        self.restored = True

    @rule()
    def another_server(self) -> None:
        number = int(self.world.cloud.server_id.rpartition("-")[2]) + 1
        self.world.cloud = ModelCloud(self.world.clock.wall, f"server-{number}")
        self.backup, self.restored = None, False

    @rule(known=st.booleans(), most=st.sampled_from([1, 2, 500]))
    def the_service_is_another_version(self, known: bool, most: int) -> None:
        self.world.cloud.knows_answers, self.world.cloud.most_answers = known, most

    @invariant()
    def nothing_that_was_said_is_forgotten(self) -> None:
        assert set(self.world.said) == self.world.answers_kept()

    @invariant()
    def settled_means_that_the_cloud_said_so(self) -> None:
        assert self.world.settled_ids() <= self.world.final

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
        """After everything works again, every answer has arrived, once."""
        self.the_service_is_another_version(True, 500)
        self.world.clock.advance(days=1, minutes=5)
        self.tap()  # a backup that came back is noticed with the next new batch
        for _ in range(60):
            for step in (self.beat, self.deliver, self.send):
                step("ok")
            if set(self.world.said) <= self.world.settled_ids() and self.world.outbox.backlog().depth == 0:
                break
        refused = set(self.world.cloud.refused)
        delivered_ids = set(self.world.cloud.answers) | refused
        assert delivered_ids == set(self.world.said)
        # Before the clock notices that the cloud was set back, an answer may come to a stamp that is no longer there.
        assert self.restored or not refused


TestConversations = Conversations.TestCase
TestConversations.settings = settings(max_examples=100, stateful_step_count=30)
