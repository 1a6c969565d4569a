"""The calls of the room `site_notes`, for the matrix."""

from stempelwerk_cloud.planning.site_notes.tables import DayNote

from cloud.tests.matrix.samples import Samples
from cloud.tests.room import given
from cloud.tests.world import Somebody

NOTE = {"day": "2026-11-27", "text": "Freitag ab 12 Uhr Sommerfest"}


def noted(whose: Somebody, **values: object) -> str:
    """Creates a note of the person's company; returns its id."""
    return given(whose, DayNote, **(NOTE | values))


SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/day-notes": "member",
        "POST /api/companies/{id}/day-notes": "company",
        "DELETE /api/day-notes/{id}": "company",
    },
    bodies={"POST /api/companies/{id}/day-notes": lambda _scene, _: NOTE},
    parameters={"day-notes/{id}": lambda scene, _: scene.once(lambda known: noted(known.firm.boss))},
    tells={
        "POST /api/companies/{id}/day-notes": {"day_notes_update"},
        "DELETE /api/day-notes/{id}": {"day_notes_update"},
    },
    grows=frozenset({"day_notes"}),
)
