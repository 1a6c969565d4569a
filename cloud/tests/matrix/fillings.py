"""A good body and good path parameters for every call, so that only its declaration can refuse it.

A new call with a body, or with a parameter that stands for something new, needs a line here; the matrix says so.
"""

from collections.abc import Callable
from typing import Any

import pyotp
from httpx2 import Response

from cloud.tests.device_client import Clock
from cloud.tests.matrix.promises import ADMIN, SELF, Call, parameters
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import PASSWORD, Somebody

ANOTHER_PASSWORD = "ein besseres Passwort"
UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

Filling = Callable[[Scene, Somebody | None], Any]


def _code(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """The first code of an authenticator that has just been set up; for who may not set one up, any."""
    answer = None if caller is None else caller.post("/api/auth/2fa/setup/start")
    if answer is None or answer.status_code != 200:
        return {"code": "123456"}
    return {"code": pyotp.TOTP(answer.json()["secret"]).at(scene.world.platform.clock.now())}


def _recovery_code(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """A recovery code of an active authenticator."""
    if caller is None or (answer := caller.post("/api/auth/2fa/setup/verify", json=_code(scene, caller))).is_error:
        return {"code": "123456"}
    return {"code": answer.json()["recoveryCodes"][0]}


BODIES: dict[str, Filling] = {
    "POST /api/login": lambda scene, _: {"company": scene.firm.name, "username": "anna", "password": PASSWORD},
    "POST /api/auth/email/start": lambda scene, _: {"temp_token": "x" * 43, "email": "anna@holzmann.example"},
    "POST /api/auth/email/verify": lambda scene, _: {"temp_token": "x" * 43, "code": "123456", "rememberDevice": False},
    "POST /api/auth/2fa/verify": lambda scene, _: {"temp_token": "x" * 43, "code": "123456", "rememberDevice": False},
    "POST /api/auth/password-change": lambda scene, _: {"temp_token": "x" * 43, "newPassword": ANOTHER_PASSWORD},
    "POST /api/logout": lambda _scene, caller: {"sessions": ["0" * 64] if caller is None else []},
    "POST /api/tickets": lambda scene, _: {"path": f"/api/users/{scene.firm.anna.id}/times/stream"},
    "POST /api/auth/2fa/setup/start": lambda _scene, _: {"password": PASSWORD},
    "POST /api/auth/2fa/setup/verify": _code,
    "POST /api/auth/2fa/disable": _recovery_code,
    "PUT /api/users/{userId}/change-password": lambda scene, _: {
        "currentPassword": PASSWORD,
        "newPassword": ANOTHER_PASSWORD,
    },
    "POST /api/companies": lambda scene, _: {"name": f"Neue Firma {scene.town.number()}"},
    "PUT /api/companies/{id}/features": lambda scene, _: {"featureIds": ["costs"]},
    "PUT /api/companies/{id}/settings": lambda scene, _: {"maxShiftHours": 12},
    "POST /api/users": lambda scene, _: {
        "companyId": scene.firm.id,
        "username": "clara",
        "password": PASSWORD,
        "tagId": "04ABCDEF",
        "role": "user",
    },
    "PUT /api/users/{id}": lambda scene, _: {"username": "Anna B."},
    "PUT /api/devices/{id}": lambda scene, _: {"name": "Werkstatt"},
    "POST /api/devices/{id}/assign-company": lambda scene, _: {"companyId": scene.firm.id},
    "POST /api/companies/{id}/held-stamps/assign": lambda scene, _: {
        "tag": "04EEEEEE",
        "userId": scene.firm.anna.id,
        "from": "2026-11-20T06:00:00Z",
    },
    "POST /api/companies/{id}/held-stamps/{stampId}/resolve": lambda scene, _: {"action": "discard"},
    "POST /api/held-stamps/release": lambda scene, _: {
        "deviceId": scene.device_id,
        "from": "2026-11-19T06:00:00Z",
        "to": "2026-11-20T06:00:00Z",
        "companyId": scene.firm.id,
    },
}
"""By call: a body that it takes."""

PARAMETERS: dict[str, Filling] = {
    "companies/{id}": lambda scene, _: scene.firm.id,
    "companies/{companyId}": lambda scene, _: scene.firm.id,
    "users/{id}": lambda scene, _: scene.firm.anna.id,
    "users/{userId}": lambda scene, _: scene.firm.anna.id,
    "devices/{id}": lambda scene, _: scene.device_id,
    "sessions/{id}": lambda scene, caller: UNKNOWN if caller is None else scene.session_id(caller),
    "held-stamps/{stampId}": lambda scene, _: scene.held_stamp,
}
"""By the thing before it and its name: what a parameter of a path may be."""

DEVICE_CALLS: dict[str, Callable[[Clock], Response]] = {
    "POST /api/devices/enroll": lambda clock: clock.enrol(),
    "POST /api/devices/heartbeat": lambda clock: clock.beat(),
    "POST /api/devices/stamps": lambda clock: clock.post("/api/devices/stamps", clock.batch(clock.tap("04A1B2C3"))),
    "POST /api/devices/logs": lambda clock: clock.post(
        "/api/devices/logs", {"entries": [{"id": clock.uuid4(), "code": "test"}]}
    ),
    "GET /api/devices/people": lambda clock: clock.send("GET", "/api/devices/people", b""),
}
"""By call: how a clock makes it."""


def _after_a_reset(scene: Scene) -> dict[str, Any]:
    """A login that waits for a new password."""
    admin = scene.somebody(ADMIN)
    assert admin is not None
    password = admin.put(f"/api/users/{scene.firm.anna.id}/password-reset").json()["password"]
    return {"temp_token": _log_in(scene, password), "newPassword": ANOTHER_PASSWORD}


def _with_an_authenticator(scene: Scene) -> dict[str, Any]:
    """A login that waits for a code of the authenticator, and a recovery code in its place."""
    code = _recovery_code(scene, scene.somebody(SELF))
    return {"temp_token": _log_in(scene, PASSWORD), "rememberDevice": False} | code


def _log_in(scene: Scene, password: str) -> str:
    body = {"company": scene.firm.name, "username": "anna", "password": password}
    found: str = scene.world.client.post("/api/login", json=body).json()["temp_token"]
    return found


HOLDERS: dict[str, Callable[[Scene], dict[str, Any]] | None] = {
    "POST /api/auth/password-change": _after_a_reset,
    "POST /api/auth/2fa/verify": _with_an_authenticator,
    "POST /api/auth/email/start": None,
    "POST /api/auth/email/verify": None,
}
"""By call of a login's step: a body of whoever holds its `temp_token`. None: without a mail server it is never due."""


def filled(call: Call, scene: Scene, caller: Somebody | None) -> tuple[str, dict[str, Any]]:
    """The path, and what else a request takes."""
    path = path_of(call, scene, caller)
    if call.route.body_field is None:
        return path, {}
    assert str(call) in BODIES, f"{call}: say in fillings.BODIES what a good body of it is."
    return path, {"json": BODIES[str(call)](scene, caller)}


def path_of(call: Call, scene: Scene, caller: Somebody | None) -> str:
    """The path, about something that is there."""
    path = call.path
    segments = path.split("/")
    # From the right: what stands there may decide which company the scene is about.
    for name in reversed(parameters(path)):
        place = segments.index(f"{{{name}}}")
        thing = f"{segments[place - 1]}/{{{name}}}"
        assert thing in PARAMETERS, f"{call}: say in fillings.PARAMETERS what a good {thing} is."
        path = path.replace(f"{{{name}}}", PARAMETERS[thing](scene, caller))
    return path
