"""The endpoints of the room `support`, for the matrix."""

from typing import Any

from stempelwerk_cloud.fleet.support.tables import SupportMessage

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given
from cloud.tests.world import Somebody

ASKED = {"subject": "Uhr ohne Ton", "message": "Seit gestern piept sie nicht mehr."}


def _message(author: Somebody, _number: int = 0) -> str:
    return given(
        author,
        SupportMessage,
        author=author.id,
        status="open",
        category="question",
        priority="normal",
        include_logs=True,
        **ASKED,
    )


def message_id(scene: Scene) -> str:
    return _message(scene.firm.boss)


def _new_message(scene: Scene, _: Any) -> dict[str, Any]:
    return ASKED | {"companyId": scene.firm.id}


SAMPLES = Samples(
    who={
        "POST /api/support/messages": "company",
        "GET /api/companies/{id}/support/messages": "company",
        "GET /api/support/messages": "admin",
        "PUT /api/support/messages/{id}": "admin",
        "POST /api/support/messages/{id}/replies": "company",
    },
    rates={
        "POST /api/support/messages": "30/10 minutes",
        "POST /api/support/messages/{id}/replies": "120/minute",
    },
    bodies={
        "POST /api/support/messages": _new_message,
        "PUT /api/support/messages/{id}": lambda _scene, _: {"status": "in_progress"},
        "POST /api/support/messages/{id}/replies": lambda _scene, _: {"message": "Danke!"},
    },
    tells={
        "POST /api/support/messages": {"support_update"},
        "PUT /api/support/messages/{id}": {"support_update"},
        "POST /api/support/messages/{id}/replies": {"support_update", "messages_update"},
    },
    parameters={
        "PUT /api/support/messages/{id}": lambda scene, _: scene.once(message_id),
        "POST /api/support/messages/{id}/replies": lambda scene, _: scene.once(message_id),
    },
    lists=dict.fromkeys(("GET /api/companies/{id}/support/messages", "GET /api/support/messages"), _message),
)
