"""Notes: written, read, removed, and forgotten after as many days as the company wants."""

from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.conftest import SettableClock
from cloud.tests.planning.notes_calls import A_NOTE
from cloud.tests.world import Firm, World

PURGE = next(job for job in JOBS if job.name == "purge_notes")


def test_a_note_without_words_is_refused(firm: Firm) -> None:
    refused = firm.boss.post(f"/api/companies/{firm.id}/notes", json=A_NOTE | {"text": "  "})
    assert (refused.status_code, refused.json()["message"]) == (422, "Bitte eine Notiz eingeben.")


def test_another_company_neither_reads_nor_removes_a_note(firm: Firm, world: World) -> None:
    path, other = f"/api/companies/{firm.id}/notes", world.firm("Andere")
    note = firm.boss.post(path, json=A_NOTE).json()
    assert other.boss.get(path).status_code == 404
    assert other.boss.delete(f"/api/companies/{other.id}/notes/{note['id']}").status_code == 404
    assert firm.boss.get(path).json() == [note]


def test_a_note_that_is_removed_is_gone(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/notes"
    note = firm.boss.post(path, json=A_NOTE).json()
    assert firm.boss.delete(f"{path}/{note['id']}").status_code == 204
    assert firm.boss.delete(f"{path}/{note['id']}").status_code == 404
    assert firm.boss.get(path).json() == []


def test_notes_are_kept_as_long_as_the_company_wants(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    path = f"/api/companies/{firm.id}/notes"
    firm.boss.post(path, json=A_NOTE)
    settings = f"/api/companies/{firm.id}/settings"
    assert firm.boss.put(settings, json={"notesKeptDays": 0}).status_code == 422
    assert firm.boss.put(settings, json={"notesKeptDays": 3}).json()["notesKeptDays"] == 3
    clock.advance(days=3)
    jobs.run_once(platform, PURGE)
    assert len(firm.world.again(firm.boss).get(path).json()) == 1
    clock.advance(days=1)
    jobs.run_once(platform, PURGE)
    assert firm.world.again(firm.boss).get(path).json() == []
