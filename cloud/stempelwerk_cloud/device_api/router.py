"""The calls of clocks. Each is signed; a person's session means nothing here.

They are plain routes without response models: what goes over the wire stands in `docs/contract/v1`, is written by
`wire.py`, and is held to the contract's schemas and vectors.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from stempelwerk_cloud.device_api import enrolment, gate, wire
from stempelwerk_cloud.device_api.deliveries import deliveries
from stempelwerk_cloud.device_api.gate import DeviceCall
from stempelwerk_cloud.device_api.heartbeat import NOBODY, heartbeat
from stempelwerk_cloud.device_api.logs import keep_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.routing import DeviceOnly
from stempelwerk_cloud.kit.scopes import DEVICES
from stempelwerk_cloud.timekeeping.entries import presence

router = APIRouter(tags=["clocks"])


@router.post("/api/devices/enroll")
def enrol_device(_: DeviceOnly, platform: PlatformDep, call: DeviceCall) -> Response:
    """A clock introduces itself by its key."""
    with platform.database.write(DEVICES) as tx:
        answer = enrolment.enrol(tx, platform, call)
    return _json(answer)


@router.post("/api/devices/heartbeat")
def device_heartbeat(_: DeviceOnly, platform: PlatformDep, call: DeviceCall) -> Response:
    """How a clock is, and what is wished of it."""
    key, claim = gate.known(platform, call)
    with platform.database.write(DEVICES) as tx:
        device = gate.device_of(tx, key)
        gate.check_time(platform, claim)
        answer = heartbeat(tx, platform, call, device)
    return _json(answer)


@router.post("/api/devices/stamps")
async def deliver_stamps(_: DeviceOnly, platform: PlatformDep, call: DeviceCall) -> Response:
    """A batch of stamps; answered after the commit."""
    return Response(await deliveries(platform).answer(call), media_type="application/json")


@router.post("/api/devices/logs")
def deliver_logs(_: DeviceOnly, platform: PlatformDep, call: DeviceCall) -> Response:
    """Lines of a clock's own log."""
    key, _claim = gate.known(platform, call)
    with platform.database.write(DEVICES) as tx:
        answer = keep_logs(tx, platform, call, gate.device_of(tx, key))
    return _json(answer)


@router.get("/api/devices/people")
def device_people(
    _: DeviceOnly, platform: PlatformDep, call: DeviceCall, since: Annotated[str | None, Query()] = None
) -> Response:
    """Whom the clock greets: those who changed since the revision that it holds."""
    key, claim = gate.known(platform, call)
    now = platform.clock.now()
    with platform.database.read(DEVICES) as tx:
        device = gate.device_of(tx, key)
        gate.check_time(platform, claim)
        assignment = devices.assignment_now(tx, device.no, now)
        if assignment is None:
            gate.spend_unassigned(platform, call)
            return _json({"revision": NOBODY, "reset": True, "people": [], "removed": []})
        held = presence.read_revision(since)
        found = presence.people_list(tx, assignment.company_id, assignment.id, held, now)
    return _json(
        {
            "revision": str(found.revision),
            "reset": found.reset,
            "people": found.people,
            "removed": found.removed,
        }
    )


def _json(answer: dict[str, Any]) -> Response:
    return Response(wire.encode(answer), media_type="application/json")
