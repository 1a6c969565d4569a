"""Event streams that end with the caller's session: of one topic, or of everything that concerns the caller.

The sessions of many streams of a process are checked in one transaction at each beat. Its scope is `LOGIN`: it reads
only sessions, people, companies and modules, of several companies.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from stempelwerk_cloud.kit.batcher import Batcher
from stempelwerk_cloud.kit.database.scopes import LOGIN, Scope, of_company
from stempelwerk_cloud.kit.http.problems import OUTAGES
from stempelwerk_cloud.kit.limits.fair_semaphore import Share
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.live.topics import heard_by
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.access.identity.sessions import SessionKey
from stempelwerk_cloud.people.directory.callers import ADMIN, Caller
from stempelwerk_cloud.people.directory.companies import feature_keys, feature_keys_in

_Found = TypeVar("_Found")
_Modules = Collection[str]

CHECKED_AT_ONCE = 200
"""The most streams that one transaction checks: about ten milliseconds, so that no company's streams delay another's.
"""


def share_of_streams(company_id: str) -> Share:
    """Returns the share of a company's streams. It pauses after much work, as the company's pages do: opening a stream
    is work.
    """
    return Share(f"streams of {company_id}", rests=True)


def stream_to(
    caller: Caller, request: Request, topic: str, *, catch_up: Mapping[str, Any], module: str | None = None
) -> EventStream:
    """Streams the events of `topic` until the caller's session ends or expires. Return it from an `async def` endpoint.

    `module`: switching it off ends the stream as well, except for system administrators.
    """

    def may_hear(modules: _Modules) -> bool:
        return module is None or caller.role == ADMIN or module in modules

    return _stream(caller, request.app.state.platform, [topic], catch_up, may_hear, resumed_by=request)


def session_goes_on(caller: Caller, platform: Platform) -> Callable[[], Awaitable[bool]]:
    """Returns a function that checks whether the caller's session is still live, for answers that take long."""

    def is_live(session: Session) -> bool:
        return sessions.is_live(session, caller, platform.clock.now())

    return lambda: _read(caller, platform, LOGIN, is_live)


async def all_events(caller: Caller, platform: Platform) -> EventStream:
    """Streams all topics that the caller may receive. The stream also ends when these change: a reconnecting page gets
    the new ones.
    """

    def own_modules(session: Session) -> _Modules:
        return feature_keys(session, caller.company_id)

    def caller_topics(modules: _Modules) -> tuple[str, ...]:
        return heard_by(platform.hears, caller, modules)

    topics = caller_topics(await _read(caller, platform, of_company(caller.company_id), own_modules))
    return _stream(caller, platform, topics, {"type": "catch_up"}, lambda modules: caller_topics(modules) == topics)


def _stream(
    caller: Caller,
    platform: Platform,
    topics: Sequence[str],
    catch_up: Mapping[str, Any],
    may_hear: Callable[[_Modules], bool],
    *,
    resumed_by: Request | None = None,
) -> EventStream:
    checker = _SESSION_CHECKER.of(platform)

    async def goes_on() -> bool:
        try:
            modules = await checker.ask((caller.company_id, caller.session_id))
        except OUTAGES:  # the page reconnects on its own
            return False
        return modules is not None and may_hear(modules)

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


async def _check_sessions(platform: Platform, keys: Sequence[SessionKey]) -> Sequence[_Modules | None]:
    def read_modules() -> list[_Modules | None]:
        with platform.database.read(LOGIN) as session:
            live = sessions.live_among(session, keys, platform.clock.now())
            modules = feature_keys_in(session, {company_id for company_id, _ in live})
        return [modules[key[0]] if key in live else None for key in keys]

    async with platform.page_turns.slot():
        return await run_in_threadpool(read_modules)


_SESSION_CHECKER: Slot[Platform, Batcher[SessionKey, _Modules | None]] = Slot(
    lambda platform: Batcher(partial(_check_sessions, platform), CHECKED_AT_ONCE)
)
"""The process's batcher that checks sessions: it answers with the modules of a live session's company, or None."""


async def _read(caller: Caller, platform: Platform, scope: Scope, look: Callable[[Session], _Found]) -> _Found:
    """Returns the result of `look` in a transaction: one such call at a time per company, and two in total."""

    def read() -> _Found:
        with platform.database.read(scope) as session:
            return look(session)

    async with platform.page_turns.slot(share_of_streams(caller.company_id), Share("streams", 2)):
        return await run_in_threadpool(read)
