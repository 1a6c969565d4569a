"""The calls of the room `messages`, for the matrix."""

from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import Somebody


def _message(scene: Scene, caller: Somebody | None) -> str:
    """Creates a message of the caller's own; Anna's for a caller without a session."""
    recipient, platform = caller or scene.firm.anna, scene.world.platform
    with platform.database.write(SYSTEM) as tx:
        service.send(
            UnitOfWork(tx, platform), recipient.company_id, [recipient.id], "schedule", "Dienstplan", "Neue Dienste."
        )
        return tx.scalars(select(Message.id).filter_by(user_id=recipient.id).order_by(Message.id.desc()).limit(1)).one()


SAMPLES = Samples(
    who={
        "GET /api/messages": "session",
        "POST /api/messages/{id}/read": "session",
        "POST /api/messages/read": "session",
    },
    tells={
        "POST /api/messages/{id}/read": {"messages_update"},
        "POST /api/messages/read": {"messages_update"},
    },
    bodies={"POST /api/messages/read": lambda scene, caller: {"ids": [_message(scene, caller)]}},
    parameters={"messages/{id}": _message},
    unlogged={
        "POST /api/messages/{id}/read": "says that its reader has seen it, and decides nothing",
        "POST /api/messages/read": "the same of several",
    },
    grows=frozenset({"messages"}),
)
