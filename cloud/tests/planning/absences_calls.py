"""The calls of the room `absences`, for the matrix. Sick notes are read by their owner and the company's own (38)."""

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.planning.plain_files import jpeg
from cloud.tests.room import given


def noted_day(scene: Scene) -> str:
    """An open sick day of Anna's, with a note."""
    platform, firm = scene.world.platform, scene.firm
    with platform.database.write(SYSTEM) as tx:
        file_id = store.store(tx, platform, firm.id, jpeg(), "image/jpeg")
    noted = {"file_id": file_id, "noted_at": platform.clock.now()}
    return given(firm.anna, Absence, date="2026-11-19", kind="sick", status="open", **noted)


def _excused_day(scene: Scene) -> str:
    return given(scene.firm.anna, Absence, date="2026-11-18", kind="sick", status="excused")


SAMPLES = Samples(
    who={
        "GET /api/users/{userId}/absences": "self with absences",
        "GET /api/companies/{companyId}/absences": "company with absences",
        "POST /api/absences": "user or company with absences",
        "POST /api/absences/{id}/upload-sick-note": "stamping",
        "GET /api/absences/{id}/sick-note": "user or companyAdmin with absences",
        "POST /api/absences/{id}/message": "user",
        "POST /api/absences/{id}/excuse": "company with absences",
        "POST /api/absences/{id}/decline": "company with absences",
        "DELETE /api/absences/{id}": "user",
        "POST /api/absences/{id}/cancel": "company with absences",
        "POST /api/absences/{id}/reopen": "company with absences",
    },
    tells={
        "POST /api/absences": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/upload-sick-note": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/message": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/excuse": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/decline": {"messages_update", "plan_update"},
        "DELETE /api/absences/{id}": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/cancel": {"messages_update", "plan_update"},
        "POST /api/absences/{id}/reopen": {"messages_update", "plan_update"},
    },
    rates={"POST /api/absences/{id}/upload-sick-note": "30/minute"},
    bodies={
        "POST /api/absences": lambda scene, caller: (
            {"startDate": "2026-11-20", "endDate": "2026-11-21"}
            | ({} if caller is None or caller.username in {"anna", "ben"} else {"userId": scene.firm.anna.id})
        ),
        "POST /api/absences/{id}/message": lambda _scene, _: {"message": "Der Arzt schickt sie mir noch."},
        "POST /api/absences/{id}/excuse": lambda _scene, _: {},
        "POST /api/absences/{id}/decline": lambda _scene, _: {"wholeReport": True},
        "POST /api/absences/{id}/cancel": lambda _scene, _: {"comment": "Ein Irrtum."},
        "POST /api/absences/{id}/reopen": lambda _scene, _: {"comment": "Die Bescheinigung kam doch noch."},
    },
    once={
        "POST /api/absences/{id}/excuse": "already_decided",
        "POST /api/absences/{id}/decline": "already_decided",
    },
    uploads={"POST /api/absences/{id}/upload-sick-note": ("foto.jpg", jpeg())},
    parameters={
        "absences/{id}": lambda scene, _: scene.once(noted_day),
        "POST /api/absences/{id}/reopen": lambda scene, _: scene.once(_excused_day),
    },
    grows=frozenset({"absences", "files", "file_contents"}),
    lists={
        "GET /api/companies/{companyId}/absences": lambda person, n: given(
            person, Absence, date=f"2026-11-1{n}", kind="sick", status="open"
        ),
    },
)
