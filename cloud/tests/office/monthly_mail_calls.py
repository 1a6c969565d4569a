"""The calls of the room `monthly_mail`, for the matrix."""

import json
from datetime import date
from typing import Any

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.office.monthly_mail import queries
from stempelwerk_cloud.office.monthly_mail.mails import declining
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail

from cloud.tests.device_client import HOST
from cloud.tests.matrix.samples import Samples
from cloud.tests.matrix.scene import Scene
from cloud.tests.room import given
from cloud.tests.world import Somebody

PATH = "/api/companies/{id}"
SUBSCRIPTION = "/api/export-mails/subscription"


def _month(scene: Scene, _: Somebody | None) -> dict[str, Any]:
    """Returns a month to be sent, in a company with active mails."""
    row = queries.unset(scene.firm.id, date(2026, 10, 1))
    row.active, row.recipients = True, json.dumps(["buero@holzmann.de"])
    with scene.world.platform.database.write(SYSTEM) as session:
        session.merge(row)
    return {"month": "2026-10"}


def _mail(scene: Scene, _: Somebody | None) -> str:
    platform = scene.world.platform
    with platform.database.write(SYSTEM) as session:
        file_id = store.store(session, platform, scene.firm.id, b"PK", "application/zip")
    return _mailed(scene.firm.boss, file_id=file_id)


def _mailed(person: Somebody, _number: int = 0, file_id: str | None = None) -> str:
    return given(
        person,
        ExportMail,
        month="2026-10",
        recipient="buero@holzmann.de",
        delivery="link",
        state="sent",
        draft=False,
        file_id=file_id,
        file_name="times_2026-10.xlsx",
    )


def _token(scene: Scene, _: Somebody | None) -> str:
    """Returns the token of a link whose recipient has not declined."""
    platform = scene.world.platform
    return declining.token_of(platform, scene.firm.id, f"{platform.ids.new()}@holzmann.de")


SAMPLES = Samples(
    who={
        f"GET {PATH}/export-settings": "company with monthly_mail",
        f"PUT {PATH}/export-settings": "company with monthly_mail",
        f"POST {PATH}/export-send-now": "company with monthly_mail",
        f"GET {PATH}/export-mails": "company with monthly_mail",
        f"GET {PATH}/export-mails/{{mailId}}/file": "company with monthly_mail",
        f"POST {SUBSCRIPTION}": "anyone",
        f"PUT {SUBSCRIPTION}": "anyone",
        f"GET {declining.ONE_CLICK}": "anyone",
        f"POST {declining.ONE_CLICK}": "anyone",
    },
    rates={
        f"POST {PATH}/export-send-now": "20/hour",
        f"GET {PATH}/export-mails/{{mailId}}/file": "60/minute",
        f"POST {SUBSCRIPTION}": "30/minute",
        f"PUT {SUBSCRIPTION}": "30/minute",
        f"GET {declining.ONE_CLICK}": "30/minute",
        f"POST {declining.ONE_CLICK}": "600/minute",
    },
    bodies={
        f"PUT {PATH}/export-settings": lambda _scene, _: {
            "active": True,
            "useGmail": False,
            "recipients": [{"email": "buero@holzmann.de"}],
        },
        f"POST {PATH}/export-send-now": _month,
        f"POST {SUBSCRIPTION}": lambda scene, caller: {"token": _token(scene, caller)},
        f"PUT {SUBSCRIPTION}": lambda scene, caller: {"token": _token(scene, caller), "declined": True},
    },
    queries={
        f"GET {declining.ONE_CLICK}": lambda scene, caller: {"token": _token(scene, caller)},
        f"POST {declining.ONE_CLICK}": lambda scene, caller: {"token": _token(scene, caller)},
    },
    forms={f"POST {declining.ONE_CLICK}": {"List-Unsubscribe": "One-Click"}},
    unlogged={f"POST {SUBSCRIPTION}": "says what a link is about"},
    parameters={"export-mails/{mailId}": _mail},
    tells={f"POST {PATH}/export-send-now": {"export_mails_update"}},
    settings={"smtp_url": "smtp://127.0.0.1:1", "public_url": HOST},
    grows=frozenset({"export_mails"}),
    lists={f"GET {PATH}/export-mails": _mailed},
)
