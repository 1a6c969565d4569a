"""The calls of the room `credentials`, for the matrix."""

import pyotp

from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import PASSWORD, Somebody

ANOTHER_PASSWORD = "ein besseres Passwort"
UNKNOWN_SESSION = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def _code(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """Returns the first code of a new authenticator; any code for a caller who may not set one up."""
    answer = None if caller is None else caller.post("/api/auth/2fa/setup/start")
    if answer is None or answer.status_code != 200:
        return {"code": "123456"}
    return {"code": pyotp.TOTP(answer.json()["secret"]).at(scene.world.platform.clock.now())}


def recovery_code(scene: Scene, caller: Somebody | None) -> dict[str, str]:
    """Returns a recovery code of an active authenticator."""
    if caller is None or (answer := caller.post("/api/auth/2fa/setup/verify", json=_code(scene, caller))).is_error:
        return {"code": "123456"}
    return {"code": answer.json()["recoveryCodes"][0]}


SAMPLES = Samples(
    who={
        "GET /api/auth/2fa/status": "session",
        "POST /api/auth/2fa/setup/start": "session",
        "POST /api/auth/2fa/setup/verify": "session",
        "POST /api/auth/2fa/disable": "session",
        "GET /api/auth/sessions": "session",
        "DELETE /api/auth/sessions/{id}": "session",
        "DELETE /api/auth/sessions": "session",
        "PUT /api/users/{userId}/change-password": "that user",
        "PUT /api/users/{id}/password-reset": "admin",
        "PUT /api/users/{id}/lock": "admin",
        "PUT /api/companies/{id}/password-reset-all": "admin",
        "DELETE /api/users/{id}/second-factor": "admin",
    },
    tells={
        "DELETE /api/auth/sessions/{id}": {"ended"},
        "DELETE /api/auth/sessions": {"ended"},
        "PUT /api/users/{userId}/change-password": {"ended"},
    },
    rates={
        "POST /api/auth/2fa/setup/start": "20/minute",
        "POST /api/auth/2fa/setup/verify": "20/minute",
        "POST /api/auth/2fa/disable": "20/minute",
        "PUT /api/users/{userId}/change-password": "20/minute",
        "PUT /api/users/{id}/password-reset": "120/minute",
        "PUT /api/companies/{id}/password-reset-all": "20/minute",
    },
    bodies={
        "POST /api/auth/2fa/setup/start": lambda _scene, _: {"password": PASSWORD},
        "POST /api/auth/2fa/setup/verify": _code,
        "POST /api/auth/2fa/disable": recovery_code,
        "PUT /api/users/{userId}/change-password": lambda _scene, _: {
            "currentPassword": PASSWORD,
            "newPassword": ANOTHER_PASSWORD,
        },
    },
    parameters={
        "sessions/{id}": lambda scene, caller: UNKNOWN_SESSION if caller is None else scene.session_id(caller),
    },
    unlogged={
        "POST /api/auth/2fa/setup/start": "decides nothing before it is confirmed",
        "DELETE /api/auth/sessions/{id}": "ends a session",
    },
    keyless={
        "POST /api/auth/2fa/setup/verify": "its answer holds secrets",
        "POST /api/auth/2fa/disable": "its body holds a secret",
    },
    left={"DELETE /api/auth/sessions/{id}": 404},  # the session to end is gone
)
