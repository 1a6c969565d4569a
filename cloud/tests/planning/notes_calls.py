"""The calls of the room `notes`, for the matrix."""

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.planning.notes.tables import Note

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene

A_NOTE = {"date": "2026-11-20", "text": "Lieferung am Tor 2"}


def _note(scene: Scene) -> str:
    """A note of the firm."""
    platform, company_id = scene.world.platform, scene.firm.id
    with platform.database.write(SYSTEM) as tx:
        note = Note(company_id=company_id, id=platform.ids.new(), date=platform.clock.now().date(), text="Inventur")
        tx.add(note)
        return note.id


SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/notes": "company with schedule",
        "POST /api/companies/{id}/notes": "company with schedule",
        "DELETE /api/companies/{id}/notes/{noteId}": "company with schedule",
    },
    bodies={"POST /api/companies/{id}/notes": lambda _scene, _: A_NOTE},
    parameters={"notes/{noteId}": lambda scene, _: scene.once(_note)},
    grows=frozenset({"notes"}),
)
