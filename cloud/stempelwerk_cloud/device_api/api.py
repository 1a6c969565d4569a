"""Endpoints for clocks. Clocks sign each call; sessions of persons are refused, except for the page with a clock's
details.

The endpoints are plain routes without response models: `docs/contract/v1` defines the messages, and tests check them by
its schemas and vectors. Routes are tried in order, so the most frequent calls come first.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from sqlalchemy.orm import Session

from stempelwerk_cloud.device_api import wire
from stempelwerk_cloud.device_api.about import DeviceDetail, read_detail
from stempelwerk_cloud.device_api.answers import keep_answers
from stempelwerk_cloud.device_api.beats import device_state
from stempelwerk_cloud.device_api.beats.heartbeat import NOBODY, heartbeat
from stempelwerk_cloud.device_api.delivery.gathering import GroupCommit
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.device_api.logs import keep_logs
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.clock_route import ClockRoute
from stempelwerk_cloud.device_api.signed.enrolment import enrol
from stempelwerk_cloud.device_api.signed.gate import Arrived, Call, FromClock
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import BeatsWritten
from stempelwerk_cloud.fleet.rollouts import service as rollouts
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.work import Reading
from stempelwerk_cloud.timekeeping.times import clock_people

router = APIRouter(tags=["clocks"], route_class=ClockRoute)
_SINCE = {
    "name": "since",
    "in": "query",
    "required": False,
    "schema": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Since"},
}
"""The OpenAPI description of the query parameter `since`. It is not declared as an argument, because FastAPI would
spend a seventh of the time of a cached answer on parsing it.
"""
_DELIVERIES: Slot[Platform, GroupCommit[Call, bytes]] = Slot(
    lambda platform: GroupCommit(platform, merge, platform.bulkheads.merging)
)
"""The group commit for the batches of this process."""
P = ParamSpec("P")
Found = TypeVar("Found")


@router.post("/api/devices/heartbeat")
async def device_heartbeat(clock_request: FromClock) -> Response:
    """Records the state of a clock. The answer contains the clock's settings, its update and what the service
    requests.
    """
    return Response(await heartbeat(*clock_request), media_type="application/json")


@router.post("/api/devices/stamps")
async def deliver_stamps(clock_request: FromClock) -> Response:
    """Stores a batch of stamps. The answer is sent after the commit."""
    gate.check_own_time(clock_request.platform)
    answer = await _DELIVERIES.of(clock_request.platform).answer(clock_request.call)
    return Response(answer, media_type="application/json")


@router.get("/api/devices/people", openapi_extra={"parameters": [_SINCE]})
async def device_people(clock_request: FromClock) -> Response:
    """Lists the people that the clock can greet: those who changed since the revision that the clock has."""
    with clock_request.platform.bulkheads.clocks.permit():
        answer = await _people(*clock_request, clock_request.query.get("since"))
    return Response(wire.encode(answer), media_type="application/json")


@router.post("/api/devices/enroll")
async def enrol_device(clock_request: FromClock) -> Response:
    """Enrols a clock with its key. A clock may repeat the call at any time; its data is then updated."""
    return await _answered(clock_request, enrol)


@router.post("/api/devices/logs")
async def deliver_logs(clock_request: FromClock) -> Response:
    """Stores lines of a clock's own log."""
    return await _answered(clock_request, keep_logs)


@router.post("/api/devices/answers")
async def deliver_answers(clock_request: FromClock) -> Response:
    """Stores answers that people gave on a touchscreen about a missing Gehen. The answer is sent after the commits."""
    return await _answered(clock_request, keep_answers)


@router.get("/api/clocks/{id}/update")
async def clock_update(clock_request: FromClock, clock_id: PathId) -> Response:
    """Returns the version that the clock should install; 204 if it has that version. 404 if the id is another
    clock's.
    """
    clocks = clock_request.platform.bulkheads.clocks
    with clocks.permit():
        answer = await clocks.run(_update, *clock_request, clock_id)
    if answer is None:
        return Response(status_code=204)
    return Response(wire.encode(answer), media_type="application/json")


@router.get("/api/updates/metadata/{name}")
async def update_metadata(clock_request: FromClock, name: str) -> Response:
    """Returns a signed metadata file of the update repository."""
    content = await _of_repository(clock_request, lambda session: updates.metadata(session, name))
    return Response(content, media_type="application/json")


@router.get("/api/updates/targets/{channel}/{file}")
async def update_target(clock_request: FromClock, channel: str, file: str) -> FileResponse:
    """Returns a file of a release by its consistent name (`<sha256>.<file>`)."""
    find = partial(updates.target_file, platform=clock_request.platform, channel=channel, file_name=file)
    return FileResponse(await _of_repository(clock_request, find), media_type="application/octet-stream")


@router.get("/api/devices/{id}", response_model=DeviceDetail)
def device(_: AdminOnly, _beats: BeatsWritten, work: Reading, device_id: PathId) -> DeviceDetail:
    """Returns the details of a clock for the operator: its state, its former companies and its missing rows."""
    return read_detail(work, device_id)


async def _answered(
    clock_request: Arrived,
    work: Callable[Concatenate[Platform, Call, P], dict[str, Any]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Response:
    """Runs `work` on one of the clocks' own threads and returns its result as JSON. Requests of pages may occupy all of
    the shared threads.
    """
    clocks = clock_request.platform.bulkheads.clocks
    with clocks.permit():
        answer = await clocks.run(work, *clock_request, *args, **kwargs)
    return Response(wire.encode(answer), media_type="application/json")


async def _of_repository(clock_request: Arrived, find: Callable[[Session], Found | None]) -> Found:
    """Authenticates a clock, with or without a company, and returns the result of `find`. Raises 404 if that is
    None.
    """
    platform, call = clock_request

    def look() -> Found:
        key, claim = gate.authenticate(platform, call)
        with platform.database.read(DEVICES) as session:
            device = gate.device_of(session, key)
            gate.check_time(platform, claim)
            if devices.assignment_now(session, device.no, platform.clock.now()) is None:
                gate.spend_unassigned(platform, call)
            content = find(session)
        if content is None:
            raise not_found()
        return content

    with platform.bulkheads.clocks.permit():
        return await platform.bulkheads.clocks.run(look)


def _update(platform: Platform, call: Call, clock_id: str) -> dict[str, Any] | None:
    key, claim = gate.authenticate(platform, call)
    devices.write_beats(platform)  # the clock's latest heartbeat has its version and platform
    with platform.database.read(DEVICES) as session:
        gate.device_of(session, key)
        gate.check_time(platform, claim)
        if clock_id != key.device_id:
            raise not_found()
        rollout_target = rollouts.target_release(session, key.device_no)
    if rollout_target is None:
        return None
    release, runs_on = rollout_target
    target = updates.manifest_target(release.version, release.channel, runs_on)
    return {"channel": release.channel, "version": release.version, "target": target, "notes": release.notes}


async def _people(platform: Platform, call: Call, since_revision: str | None) -> dict[str, Any]:
    """Returns the body of the answer with the people of the clock's company. The list is read on a thread, unless
    another clock of the company has just received the same one.
    """
    key, claim = await gate.authenticate_soon(platform, call)
    now = platform.clock.now()
    state = await device_state.read_soon(platform, key.device_no, now)
    assigned = device_state.admit(platform, key, claim, state).assigned
    if assigned is None:
        gate.spend_unassigned(platform, call)
        return {"revision": NOBODY, "reset": True, "people": [], "removed": []}
    company = clock_people.Company(assigned.company_id, assigned.newest, assigned.rules, assigned.in_force)
    list_request = clock_people.request_list(
        company, key.device_id, assigned.id, clock_people.read_revision(since_revision), now
    )
    people_list = clock_people.shared_list(platform, list_request, now)
    if people_list is None:
        people_list = await platform.bulkheads.clocks.run(clock_people.people_list, platform, list_request, now)
    return {
        "revision": str(people_list.revision),
        "day": people_list.day.isoformat(),
        "reset": people_list.reset,
        "people": people_list.people,
        "removed": people_list.removed,
    }
