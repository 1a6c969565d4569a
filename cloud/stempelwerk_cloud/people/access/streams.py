"""Event streams that end with the caller's session: of one topic, and of everything that concerns the caller."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from stempelwerk_cloud.kit.bulkheads import Share
from stempelwerk_cloud.kit.database.scopes import LOGIN, Scope
from stempelwerk_cloud.kit.http.problems import OUTAGES
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.live.topics import heard_by
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import sessions
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.directory.service import Caller

_Found = TypeVar("_Found")


def share_of_streams(company_id: str) -> Share:
    """Returns the share of a company's streams, which rests as its pages do: an opened stream is looked at again."""
    return Share(f"streams of {company_id}", rests=True)


def stream_to(caller: Caller, request: Request, topic: str, *, catch_up: Mapping[str, Any]) -> EventStream:
    """The events of `topic` until the caller's session ends or expires. Return it from an `async def` endpoint."""

    def is_live(session: Session) -> bool:
        return sessions.is_live(session, caller, request.app.state.platform.clock.now())

    return _stream(caller, request.app.state.platform, [topic], catch_up, LOGIN, is_live, resumed_by=request)


def session_goes_on(caller: Caller, platform: Platform) -> Callable[[], Awaitable[bool]]:
    """Returns a function that looks whether the caller's session is still live, for answers that take long."""

    def is_live(session: Session) -> bool:
        return sessions.is_live(session, caller, platform.clock.now())

    return lambda: _read(caller, platform, LOGIN, is_live)


async def all_events(caller: Caller, platform: Platform) -> EventStream:
    """What all rooms let the caller hear. It ends also when that has changed, so that whoever comes back hears that."""
    scope = scope_of(caller)

    def heard(session: Session) -> tuple[str, ...]:
        return heard_by(platform.hears, session, caller)

    topics = await _read(caller, platform, scope, heard)

    def goes_on(session: Session) -> bool:
        return sessions.is_live(session, caller, platform.clock.now()) and heard(session) == topics

    return _stream(caller, platform, topics, {"type": "catch_up"}, scope, goes_on)


def _stream(
    caller: Caller,
    platform: Platform,
    topics: Sequence[str],
    catch_up: Mapping[str, Any],
    scope: Scope,
    may_go_on: Callable[[Session], bool],
    *,
    resumed_by: Request | None = None,
) -> EventStream:
    async def goes_on() -> bool:
        try:
            return await _read(caller, platform, scope, may_go_on)
        except OUTAGES:  # the page comes back by itself
            return False

    return EventStream(
        platform.live,
        platform.clock,
        topics,
        catch_up=catch_up,
        resumed_by=resumed_by,
        whose=caller.user_id,
        company=caller.company_id,
        ends_with=(sessions.session_topic(caller.session_id),),
        until=caller.expires_at,
        goes_on=goes_on,
    )


async def _read(caller: Caller, platform: Platform, scope: Scope, look: Callable[[Session], _Found]) -> _Found:
    """Returns what `look` finds: one at a time for a company, and two of all streams beside the pages."""

    def looked() -> _Found:
        with platform.database.read(scope) as session:
            return look(session)

    async with platform.page_turns.of(share_of_streams(caller.company_id), Share("streams", 2)):
        return await run_in_threadpool(looked)
