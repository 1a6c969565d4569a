"""Today's agent goes on from the card of an agent of an earlier month."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_edge.ports import AnswerKind
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import TestClock, TestIds
from edge.tests.model_cloud import Device
from edge.tests.rig import EICHE, Rig

FIELD = Path(__file__).parent / "field"
DATABASES = {"journal": "journal/journal.db", "people": "people.db", "logbook": "logbook.db"}
DELIVERED = "01a1f7c1-4180-7000-8000-000000000013"
WAITING = [f"01a1f7c1-4180-7000-8000-0000000000{last}" for last in ("7d", "c6")]
WAITING.append("01a1f7c1-4180-7000-8000-000000000105")


ANSWERED = {f"01a1f7c1-4180-7000-8000-0000000001f{last}": stamp for last, stamp in enumerate([DELIVERED, WAITING[1]])}
"""People's answers about these stamps; an agent of 2026-11 kept them and never sent them."""


@pytest.fixture(params=sorted(path.name for path in FIELD.iterdir() if path.is_dir()))
def card(request: pytest.FixtureRequest, memory: Path) -> Iterator[Rig]:
    """A clock with that card, and a cloud that has its first stamp; the network is down."""
    field_card = FIELD / request.param
    shutil.copy(field_card / "identity.json", memory)
    (memory / "journal").mkdir()
    for name, place in DATABASES.items():
        with closing(sqlite3.connect(memory / place)) as database:
            database.execute("PRAGMA journal_mode = wal")
            database.executescript((field_card / f"{name}.sql").read_text())
    with closing(sqlite3.connect(memory / DATABASES["journal"])) as journal, journal:
        for identifier, stamp in ANSWERED.items():
            journal.execute(
                "INSERT INTO answers VALUES (?, ?, '2026-11-20', '16:30', 1795162000000)", (identifier, stamp)
            )
    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        rig.ids = TestIds(10_000)  # not an id that the card has drawn
        rig.clock = TestClock(boot=2)
        rig.clock.follow(loop.time)
        loop.run_until_complete(asyncio.sleep(timedelta(hours=5).total_seconds()))
        keyid = load_or_make(memory, ("board:1",)).keyid
        rig.cloud.devices[keyid] = Device("device-1", confirmed=1, pending=2)
        rig.cloud.receipts[DELIVERED] = "stored"
        rig.has_luck("down")
        rig.start()
        yield rig
        rig.crash()


def test_without_a_network_assignment_lease_people_and_queue_are_found(card: Rig) -> None:
    agent = card.agent
    membership = agent.membership.current
    assert membership.assignment is not None
    assert (membership.device_id, membership.name, membership.assignment.id) == ("device-1", "Tor 1", "a-1")
    assert membership.keyid is not None
    assert agent.state.lease(membership.keyid) == 2
    assert card.screen.status["queued"] == len(WAITING)
    answer = card.tap()
    assert (answer.kind, answer.name) == (AnswerKind.IN, "M. Eiche")
    # The cloud's figures, and the entries that the clock has seen end since.
    assert (answer.today_minutes, answer.balance_minutes) == (80, 50)


def test_with_a_network_what_waits_arrives_once_and_in_order(card: Rig) -> None:
    card.tap()
    card.has_luck("ok")
    card.wait(minutes=15)
    assert card.delivered() == [DELIVERED, *WAITING, *card.toned]
    assert [stamp["assignment"] for stamp in card.cloud.stamps.values()] == ["a-1"] * 4
    assert not any(device.forked for device in card.cloud.devices.values())


def test_what_was_answered_before_the_agent_could_send_it_goes_after_its_stamp(card: Rig) -> None:
    card.wait(minutes=5)
    card.has_luck("ok")
    card.wait(minutes=15)
    assert {answer["id"]: answer["stampId"] for answer in card.cloud.answers.values()} == ANSWERED
    assert card.cloud.refused == {}


def test_the_people_are_asked_for_whatever_an_earlier_agent_passed_over(card: Rig) -> None:
    card.cloud.assignment = {"id": "a-1", "companyId": "c-1", "companyName": "Ahorn"}
    card.cloud.people = [EICHE | {"targetMinutes": 480, "openHandovers": 2, "unreadMessages": 1}]
    card.has_luck("ok")
    card.wait(minutes=15)
    answer = card.tap()
    assert (answer.name, answer.open_handovers, answer.unread_messages) == ("M. Eiche", 2, 1)
