"""The calls of the room `login`, for the matrix."""

from typing import Any

from cloud.tests.matrix.promises import ADMIN, SELF
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.people.credentials_calls import ANOTHER_PASSWORD, recovery_code
from cloud.tests.world import PASSWORD


def _after_a_reset(scene: Scene) -> dict[str, Any]:
    """Builds a login that waits for a new password."""
    admin = scene.somebody(ADMIN)
    assert admin is not None
    password = admin.put(f"/api/users/{scene.firm.anna.id}/password-reset").json()["password"]
    return {"temp_token": _log_in(scene, password), "newPassword": ANOTHER_PASSWORD}


def _with_an_authenticator(scene: Scene) -> dict[str, Any]:
    """Builds a login that waits for a code of the authenticator, with a recovery code instead."""
    code = recovery_code(scene, scene.somebody(SELF))
    return {"temp_token": _log_in(scene, PASSWORD), "rememberDevice": False} | code


def _log_in(scene: Scene, password: str) -> str:
    body = {"company": scene.firm.name, "username": "anna", "password": password}
    token: str = scene.world.client.post("/api/login", json=body).json()["temp_token"]
    return token


SAMPLES = Samples(
    who={
        "POST /api/login": "anyone",
        "POST /api/auth/email/start": "temp",
        "POST /api/auth/email/verify": "temp",
        "POST /api/auth/2fa/verify": "temp",
        "POST /api/auth/password-change": "temp",
        "POST /api/logout": "session or its hash",
        "POST /api/tickets": "session",
    },
    tells={
        "POST /api/logout": {"ended"},
    },
    rates={
        "POST /api/login": "600/minute",
        "POST /api/auth/email/start": "300/minute",
        "POST /api/auth/email/verify": "300/minute",
        "POST /api/auth/2fa/verify": "300/minute",
        "POST /api/auth/password-change": "300/minute",
        "POST /api/logout": "300/minute",
        "POST /api/tickets": "300/minute",
    },
    bodies={
        "POST /api/login": lambda scene, _: {"company": scene.firm.name, "username": "anna", "password": PASSWORD},
        "POST /api/auth/email/start": lambda _scene, _: {"temp_token": "x" * 43, "email": "anna@holzmann.example"},
        "POST /api/auth/email/verify": lambda _scene, _: _code_of_a_step(),
        "POST /api/auth/2fa/verify": lambda _scene, _: _code_of_a_step(),
        "POST /api/auth/password-change": lambda _scene, _: {"temp_token": "x" * 43, "newPassword": ANOTHER_PASSWORD},
        "POST /api/logout": lambda _scene, caller: {"sessions": ["0" * 64] if caller is None else []},
        "POST /api/tickets": lambda scene, _: {"path": f"/api/users/{scene.firm.anna.id}/times/stream"},
    },
    unlogged={
        "POST /api/login": "opens a session",
        "POST /api/auth/email/start": "a step of a login",
        "POST /api/auth/email/verify": "a step of a login",
        "POST /api/auth/2fa/verify": "a step of a login",
        "POST /api/logout": "ends a session",
        "POST /api/tickets": "30 seconds of a session",
    },
    holders={
        "POST /api/auth/password-change": _after_a_reset,
        "POST /api/auth/2fa/verify": _with_an_authenticator,
        "POST /api/auth/email/start": None,
        "POST /api/auth/email/verify": None,
    },
)


def _code_of_a_step() -> dict[str, Any]:
    return {"temp_token": "x" * 43, "code": "123456", "rememberDevice": False}
