"""Event streams that end with the caller's session."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from stempelwerk_cloud.kit.live import EventStream
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.callers import Caller
from stempelwerk_cloud.people.access.sessions import session_topic


def stream_to(caller: Caller, request: Request, topic: str, *, catch_up: Mapping[str, Any]) -> EventStream:
    """The events of `topic` until the caller's session ends or expires. Return it from an `async def` endpoint."""
    platform: Platform = request.app.state.platform
    return EventStream(
        request,
        platform.live,
        platform.clock,
        topic,
        catch_up=catch_up,
        ends_with=(session_topic(caller.session_id),),
        until=caller.expires_at,
    )
