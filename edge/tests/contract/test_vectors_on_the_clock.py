"""The vectors of deliveries, once more on a whole clock: the effect of an answer on its journal, its screen and its
people.

`test_vectors.py` asks only for the decision. Here the answer comes to the real delivery over the network, on top of
everything that a clock has in storage, and its storage, its screen and its next request are compared.
"""

import asyncio
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_edge.cloud import delivery, wire
from stempelwerk_edge.cloud.client import CloudClient
from stempelwerk_edge.cloud.delivery import Effects, Fate, Meaning, Then
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.membership import Membership
from stempelwerk_edge.cloud.session import CloudSession, Concluded
from stempelwerk_edge.cloud.sync import Sync
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rows import Batch, Mark
from stempelwerk_edge.storage.stores import Stores

from edge.tests.clockwork import MORNING, TAG, TestClock, TestIds, TestLog, TestScreen, draft, stores_on, surroundings
from edge.tests.contract import test_vectors
from edge.tests.contract.conftest import cases
from edge.tests.contract.test_vectors import vectors

IDENTITY = Identity(Ed25519PrivateKey.from_private_bytes(bytes(32)), "board:1")
EPOCH = "e1"
EARLIER = range(1, 10)
FAILURES: dict[str, Callable[[str], httpx.HTTPError]] = {
    "connection_refused": httpx.ConnectError,
    "timeout": httpx.ReadTimeout,
    "name_not_resolved": httpx.ConnectError,
    "tls": httpx.ConnectError,
    "connection_reset": httpx.ReadError,
}


class ChosenIds(TestIds):
    """The first ids are given, the others are the next."""

    def __init__(self, *fixed_ids: str) -> None:
        super().__init__()
        self.given = list(fixed_ids)

    def new(self) -> str:
        return self.given.pop(0) if self.given else super().new()


class VectorClock:
    """A clock that has delivered nine stamps, has those of a vector still to deliver, and greets one person."""

    def __init__(self, directory: Path, clock: dict[str, Any], answer: dict[str, Any]) -> None:
        self.answer, self.server_id = answer, clock["serverId"]
        self.lease = clock["lease"] or 1  # as an enrolment gives it, which these vectors do not cover
        self.to_sign_again = clock["signedAgain"]
        self.requests: list[tuple[str, bytes]] = []
        self.connections: list[object] = []
        self.answered = False
        self.log, self.screen = TestLog(), TestScreen()
        ids = ChosenIds(EPOCH, clock["batch"])
        self.journal = Journal(directory, ids, self.log, connect_sqlite, 4096)
        self.journal.open()
        stores = stores_on(directory, self.journal, self.log)
        self.state, self.outbox = stores.state, stores.outbox
        self.membership, self.people = stores.membership, stores.people
        time = TrustedTime(TestClock(boot=2))
        time.contact(MORNING, 0, 100)
        person = wire.PersonRow("u-1", "M. Eiche", (TAG,), "out", None, None, None, None)
        self.people.apply(wire.PeopleChange("1", True, (person,), ()), 0, date(2026, 11, 20))
        self.membership.change(
            Membership(IDENTITY.keyid, None if clock["enrolledJustNow"] else "device", server_id=self.server_id)
        )
        if clock["lease"] is not None:
            self.state.take_lease(IDENTITY.keyid, clock["lease"])
        self._append(clock["stamps"])
        self._deliver(stores, time, ids)

    def _deliver(self, stores: Stores, time: TrustedTime, ids: TestIds) -> None:
        """The way to the cloud, which gives the vector's answer, and the delivery over it."""
        client = CloudClient(
            "https://zeit.test", IDENTITY, time, TestIds(), lambda _: httpx.MockTransport(self._pass), "1"
        )
        around = surroundings(time=time, ids=ids, screen=self.screen, report=self.log)
        self.session = CloudSession(client, IDENTITY, stores, around)
        self.sync = Sync(self.session, stores, around, self._no_beat)

    async def _no_beat(self) -> Concluded[wire.Welcome]:
        raise AssertionError("it has had a contact already")

    def _append(self, ids: list[str]) -> None:
        stored = [self.journal.append(draft(earlier(number))) for number in EARLIER]
        rows = tuple(row.row for row in stored)
        done = Effects(Fate.DONE, Then.GO_ON)
        self.outbox.settle(
            Batch("earlier", "", 1, rows, (), b""), done, [Mark(r, "stored", None) for r in rows], MORNING
        )
        for identifier in ids:
            self.journal.append(draft(identifier))

    async def _pass(self, request: httpx.Request) -> httpx.Response:
        self.connections.append(self.screen.status.get("connection"))
        self.requests.append((request.url.path, request.content))
        if request.url.path == wire.ENROLL:
            welcome = {"deviceId": "device", "serverId": self.server_id, "lease": self.lease, "assignment": None}
            return httpx.Response(200, json={**welcome, "serverTime": wire.instant_text(MORNING)})
        if self.to_sign_again:
            self.to_sign_again = False
            refusal = {"code": "clock_skew", "serverTime": wire.instant_text(MORNING)}
            return httpx.Response(401, json=refusal)
        if self.answered:
            raise httpx.ConnectError("once is enough")
        self.answered = True
        self.asked_before = len(self.requests)
        if "failure" in self.answer:
            raise FAILURES[self.answer["failure"]](self.answer["failure"])
        headers = self.answer["headers"]
        return httpx.Response(self.answer["status"], headers=headers, content=(self.answer["body"] or "").encode())

    def told_afterwards(self) -> tuple[list[str], object]:
        """Returns the paths that were requested because of the answer, and the connection on the screen after it."""
        paths = [path for path, _ in self.requests[self.asked_before :]]
        connections = [*self.connections, self.screen.status.get("connection")]
        return paths, connections[self.asked_before]

    def marks(self) -> dict[str, str | None]:
        """The stamps that count as delivered, and their states."""
        query = "SELECT stamps.id, marks.state FROM stamps JOIN marks ON marks.row = stamps.row"
        return dict(self.journal.read(lambda db: list(db.execute(query))))

    def next_batch(self) -> tuple[str, list[str]] | None:
        """Returns the batch of the next step: its id and its stamps."""
        request_count = len(self.requests)
        asyncio.run(self.sync.step())
        sent = [json.loads(body) for path, body in self.requests[request_count:] if path == wire.STAMPS]
        return (sent[0]["batch"], [stamp["id"] for stamp in sent[0]["stamps"]]) if sent else None


def earlier(number: int) -> str:
    """The id of an earlier stamp."""
    return f"0192747f-0000-7000-8000-{number:012}"


def sends_again(replay: list[Any]) -> list[str]:
    """Which of the earlier nine wait again for such requests."""
    resent_rows: set[int] = set()
    for requested in replay:
        is_everything = requested == "all" or "since" in requested
        resent_rows.update(EARLIER if is_everything else range(requested["from"], requested["to"] + 1))
    return [earlier(number) for number in EARLIER if number in resent_rows]


@vectors("delivery")
def test_an_answer_does_this_to_a_clock(given: dict[str, Any], expected: dict[str, Any], memory: Path) -> None:
    stamps, lease = given["clock"]["stamps"], given["clock"]["lease"]
    # Stamps that are durable, but went without a lease, go once more with the lease that the answer brought, and count
    # then.
    once_more = stamps if lease is None and expected["delivered"] else []
    clock = VectorClock(memory, given["clock"], given["answer"])
    try:
        pause = asyncio.run(clock.sync.step())
        paths, connection = clock.told_afterwards()
        assert connection == expected["connection"]
        assert paths == {"enrol": [wire.ENROLL, wire.STAMPS], "sign_again": [wire.STAMPS]}.get(expected["then"], [])
        if expected["then"] in ("go_on", "wait"):
            assert (pause.seconds, pause.firm) == (expected["waitSeconds"] or 0.0, expected["then"] == "wait")
        else:
            assert pause.seconds > 0
            assert not pause.firm
        marks = clock.marks()
        delivered = {i: state for i, state in expected["states"].items() if i not in once_more}
        assert {i: state for i, state in marks.items() if i in stamps} == delivered
        waiting = [earlier(number) for number in EARLIER if earlier(number) not in marks]
        assert waiting == sends_again(expected["replay"])
        assert clock.state.lease(IDENTITY.keyid) == expected["lease"]
        assert clock.membership.current.server_id == expected["serverId"]
        assert (clock.people.by_tag(TAG) is None) == expected["wipePeople"]
        sent = clock.next_batch()
        if expected["batch"] == "repeat":
            assert sent == (given["clock"]["batch"], stamps)
            return
        remaining = waiting + expected["keep"] + once_more
        if expected["batch"] == "halve":
            remaining = stamps[: max(1, len(stamps) // 2)]
        assert (sent and sent[1]) == (remaining or None)
        assert sent is None or sent[0] != given["clock"]["batch"]
    finally:
        clock.journal.close()
        clock.people.close()


@pytest.mark.parametrize(
    ("decision", "wrong", "case"),
    [
        ("_not_connected", Meaning(Then.BACK_OFF, "not_connected"), "unknown-device"),
        ("_not_connected", Meaning(Then.BACK_OFF, "not_connected"), "clock-skew"),
        ("_not_connected", Meaning(Then.BACK_OFF, "not_connected"), "revoked"),
        ("_not_connected", Meaning(Then.BACK_OFF, "offline"), "bad-signature"),
        ("_halve", Effects(Fate.REPEAT, Then.BACK_OFF), "too-large"),
        ("_halve", Effects(Fate.DONE, Then.GO_ON), "too-large-single"),
        ("_receipt", Effects(Fate.DONE, Then.BACK_OFF, lease=8), "all-stored"),
    ],
)
def test_a_wrong_decision_is_one_of_the_clock_too(
    decision: str, wrong: object, case: str, monkeypatch: pytest.MonkeyPatch, memory: Path
) -> None:
    [(given, expected)] = [param.values for param in cases("delivery") if param.id == case]
    monkeypatch.setattr(delivery, decision, lambda *_: wrong)
    with pytest.raises(AssertionError):
        test_vectors.test_an_answer_means_this(given, expected)
    with pytest.raises(AssertionError):
        test_an_answer_does_this_to_a_clock(given, expected, memory)
