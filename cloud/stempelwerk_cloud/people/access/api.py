"""The stream of all events for the logged-in person."""

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AnySession
from stempelwerk_cloud.people.access.identity.streams import all_events

router = room_router("events")


@router.get("/api/events", status_code=200, response_class=EventStream)
async def events(caller: AnySession, platform: PlatformDep) -> EventStream:
    """Streams all events that concern the caller; `catch_up` if something was missed. The stream cannot be resumed."""
    return await all_events(caller, platform)
