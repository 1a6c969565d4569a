"""The calls of the room `device_api`, for the matrix."""

import hashlib
from datetime import timedelta
from typing import cast

from fastapi import FastAPI
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.device_client import Clock
from cloud.tests.fleet.rolling import RUNS_ON, published, rollout_of
from cloud.tests.matrix.samples import Samples


def _update(clock: Clock) -> tuple[str, str]:
    """The name of a signed file of the repository, and of another, which are there."""
    platform: Platform = cast(FastAPI, clock.client.app).state.platform
    content, digest = b"{}", hashlib.sha256(b"{}").hexdigest()
    with platform.database.write(SYSTEM) as tx:
        now = platform.clock.now()
        tx.merge(UpdateMetadata(role="snapshot", version=1, content=content, at=now))
        tx.merge(UpdateRelease(channel="beta", version="0.1", notes="", published_at=now))
        tx.flush()
        tx.merge(UpdateTarget(path="beta/a.whl", version="0.1", channel="beta", sha256=digest, length=len(content)))
    updates.folder(platform).mkdir(parents=True, exist_ok=True)
    (updates.folder(platform) / digest).write_bytes(content)
    return "1.snapshot.json", f"beta/{digest}.a.whl"


def _offered(clock: Clock) -> str:
    """Returns the id of the clock, with a newer version on offer."""
    platform: Platform = cast(FastAPI, clock.client.app).state.platform
    version = f"9.{int(platform.ids.new()[-7:], 16)}.0"
    published(platform, version)
    rollout_of(platform, version, "done")
    clock.beat(clock.now.now() + timedelta(seconds=1), platform=RUNS_ON)
    return clock.device_id or clock.uuid4()


SAMPLES = Samples(
    who={
        "POST /api/devices/enroll": "device",
        "POST /api/devices/heartbeat": "device",
        "POST /api/devices/stamps": "device",
        "POST /api/devices/logs": "device",
        "POST /api/devices/answers": "device",
        "GET /api/devices/people": "device",
        "GET /api/clocks/{id}/update": "device",
        "GET /api/updates/metadata/{name}": "device",
        "GET /api/updates/targets/{channel}/{file}": "device",
        "GET /api/devices/{id}": "admin",
    },
    parameters={
        "metadata/{name}": lambda _scene, _: "timestamp.json",
        "{channel}/{file}": lambda _scene, _: "a.whl",
        "targets/{channel}": lambda _scene, _: "stable",
    },
    by_clock={
        "POST /api/devices/enroll": lambda clock: clock.enrol(),
        "POST /api/devices/heartbeat": lambda clock: clock.beat(),
        "POST /api/devices/stamps": lambda clock: clock.post("/api/devices/stamps", clock.batch(clock.tap("04A1B2C3"))),
        "POST /api/devices/logs": lambda clock: clock.post(
            "/api/devices/logs", {"entries": [{"id": clock.uuid4(), "code": "test"}]}
        ),
        "POST /api/devices/answers": lambda clock: clock.post(
            "/api/devices/answers", {"answers": [{"id": clock.uuid4(), "stampId": clock.uuid4()}]}
        ),
        "GET /api/clocks/{id}/update": lambda clock: clock.send("GET", f"/api/clocks/{_offered(clock)}/update"),
        "GET /api/devices/people": lambda clock: clock.send("GET", "/api/devices/people", b""),
        "GET /api/updates/metadata/{name}": lambda clock: clock.send(
            "GET", f"/api/updates/metadata/{_update(clock)[0]}"
        ),
        "GET /api/updates/targets/{channel}/{file}": lambda clock: clock.send(
            "GET", f"/api/updates/targets/{_update(clock)[1]}"
        ),
    },
)
