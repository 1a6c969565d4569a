"""Event streams that end with the caller's session."""

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from stempelwerk_cloud.kit.database.scopes import LOGIN
from stempelwerk_cloud.kit.http.problems import OUTAGES
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import sessions
from stempelwerk_cloud.people.directory.service import Caller


def stream_to(caller: Caller, request: Request, topic: str, *, catch_up: Mapping[str, Any]) -> EventStream:
    """The events of `topic` until the caller's session ends or expires. Return it from an `async def` endpoint."""
    platform: Platform = request.app.state.platform

    def is_live() -> bool:
        with platform.database.read(LOGIN) as session:
            return sessions.is_live(session, caller)

    async def goes_on() -> bool:
        async with platform.limiter.permit():
            try:
                return await run_in_threadpool(is_live)
            except OUTAGES:  # the page comes back by itself
                return False

    return EventStream(
        request,
        platform.live,
        platform.clock,
        topic,
        catch_up=catch_up,
        whose=caller.user_id,
        ends_with=(sessions.session_topic(caller.session_id),),
        until=caller.expires_at,
        goes_on=goes_on,
    )
