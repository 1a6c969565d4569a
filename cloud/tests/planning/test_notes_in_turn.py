"""A company's files never block another company's note. The order proves it: the blocking files end only when the test
releases them.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.files import checking, places
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.databases import ON_SQLITE
from cloud.tests.planning.illness import hand_in, own_absences, reported
from cloud.tests.planning.plain_files import jpeg, png
from cloud.tests.room import logged
from cloud.tests.world import Firm, World

BOMB = png()
MANY = 20


class Gate:
    """In place of the process that looks into a file: bombs do not end until they are let."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.opened = threading.Event()

    def run(self, _pool: SubprocessPool, content: bytes, _media_type: str, *_: int) -> tuple[int, bytes]:
        if content == BOMB:
            self.begun.release()
            assert self.opened.wait(60)
        return 0, content


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    new_gate = Gate()
    monkeypatch.setattr(checking, "run", new_gate.run)
    yield new_gate
    new_gate.opened.set()


def bombs(world: World, firm: Firm, pool: ThreadPoolExecutor) -> list[Future[Response]]:
    """Two hand in many of them, at once."""
    uploads = []
    for person in (firm.anna, firm.ben):
        (absence,) = reported(person)
        uploads += [pool.submit(hand_in, person, absence["id"], BOMB) for _ in range(MANY // 2)]
    return uploads


@ON_SQLITE
def test_a_companys_files_are_not_in_the_way_of_anothers(
    world: World, firm: Firm, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the first two are looked into and eighteen wait for them."""
    monkeypatch.setattr(places, "PATIENCE_S", 60)
    other_firm = world.firm("Andere")
    (absence,) = reported(other_firm.anna)
    with ThreadPoolExecutor(MANY) as pool:
        waiting = bombs(world, firm, pool)
        for _ in range(places.OF_COMPANY):
            assert gate.begun.acquire(timeout=60)
        assert hand_in(other_firm.anna, absence["id"], jpeg()).status_code == 200
        assert not any(upload.done() for upload in waiting)
        assert not gate.begun.acquire(blocking=False)
        gate.opened.set()
        assert {upload.result(60).status_code for upload in waiting} == {200}


@ON_SQLITE
def test_who_waits_longer_than_a_moment_is_told_so_and_nothing_is_written(
    world: World, firm: Firm, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", 0)
    (absence,) = reported(firm.anna)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(hand_in, firm.anna, absence["id"], BOMB)
        assert gate.begun.acquire(timeout=60)
        key = {"Idempotency-Key": "k"}
        path = f"/api/absences/{absence['id']}/upload-sick-note"
        refused = firm.anna.post(path, files={"file": ("a.jpg", jpeg())}, headers=key)
        assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "files_busy", "5")
        assert refused.json()["message"].startswith("Deine vorige Datei wird noch geprüft.")
        assert own_absences(firm.anna)[0]["sickNotePath"] is None
        assert "absence.note_added" not in logged(world, firm.id, "absence.")
        gate.opened.set()
        assert first.result(60).status_code == 200
    # It was not taken for an answer: the same call may be made again.
    assert firm.anna.post(path, files={"file": ("a.jpg", jpeg())}, headers=key).status_code == 200


@ON_SQLITE
def test_who_may_not_hand_it_in_takes_nobodys_place(world: World, firm: Firm, gate: Gate) -> None:
    other_firm = world.firm("Andere")
    (absence,) = reported(firm.anna)
    assert hand_in(other_firm.anna, absence["id"], BOMB).status_code == 404
    assert hand_in(firm.ben, absence["id"], BOMB).status_code == 403
    assert not gate.begun.acquire(blocking=False)
