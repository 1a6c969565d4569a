"""The calls of the room `hand_overs`, for the matrix. `anna` answers requests, and withdraws her own."""

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.planning.rosters import add_duty, add_hand_over
from cloud.tests.world import Somebody

DAY = "2026-12-01"


def _wish(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """An employee has a duty, and asks a colleague of their own company."""
    firm = scene.elsewhere if caller is not None and caller.company_id == scene.elsewhere.id else scene.firm
    if caller is not None and caller.id in {firm.anna.id, firm.ben.id}:
        add_duty(caller, DAY)
    return {"date": DAY, "to": firm.anna.id if caller is not None and caller.id == firm.ben.id else firm.ben.id}


def _to_anna(scene: Scene) -> str:
    return _request(scene.firm.ben, scene.firm.anna)


def _of_anna(scene: Scene) -> str:
    return _request(scene.firm.anna, scene.firm.ben)


def _request(giver: Somebody, taker: Somebody) -> str:
    duty = add_duty(giver, DAY)
    return add_hand_over(giver, taker, duty, DAY)


SAMPLES = Samples(
    who={
        "POST /api/schedule/swap-request": "user",
        "GET /api/schedule/my-swap-requests": "user",
        "GET /api/schedule/swap-requests": "user",
        "GET /api/schedule/swap-candidates": "user",
        "POST /api/schedule/swap-requests/{id}/accept": "user",
        "POST /api/schedule/swap-requests/{id}/decline": "user",
        "DELETE /api/schedule/swap-requests/{id}": "user",
    },
    tells={
        "POST /api/schedule/swap-request": {"messages_update", "plan_update"},
        "POST /api/schedule/swap-requests/{id}/accept": {"messages_update", "plan_update"},
        "POST /api/schedule/swap-requests/{id}/decline": {"messages_update", "plan_update"},
        "DELETE /api/schedule/swap-requests/{id}": {"messages_update", "plan_update"},
    },
    bodies={
        "POST /api/schedule/swap-request": _wish,
    },
    once={
        "POST /api/schedule/swap-requests/{id}/accept": "already_decided",
        "POST /api/schedule/swap-requests/{id}/decline": "already_decided",
        "DELETE /api/schedule/swap-requests/{id}": "withdrawn",
    },
    queries={"GET /api/schedule/swap-candidates": lambda _scene, _: {"date": DAY}},
    parameters={
        "swap-requests/{id}": lambda scene, _: scene.once(_to_anna),
        "DELETE swap-requests/{id}": lambda scene, _: scene.once(_of_anna),
    },
    grows=frozenset({"swap_requests", "duties"}),
)
