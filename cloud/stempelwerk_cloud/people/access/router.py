"""The stream of everything that concerns whoever is logged in."""

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AnySession
from stempelwerk_cloud.people.access.streams import all_events

router = room_router("events")


@router.get("/api/events", status_code=200, response_class=EventStream)
async def events(caller: AnySession, platform: PlatformDep) -> EventStream:
    """Everything that concerns the caller, on one stream; `catch_up` if something was missed. Nobody resumes it."""
    return await all_events(caller, platform)
