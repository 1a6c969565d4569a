"""The router of a room: FastAPI's, where every call declares its allowed callers and POSTs honour `Idempotency-Key`.

The answer to a POST with a key is stored in the transaction of its effect, so that both commit or neither. The same key
and body give the same answer for 30 days; the same key with another request is refused.
"""

import inspect
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import anyio
from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from python_multipart.multipart import parse_options_header
from sqlalchemy import Index, Integer, LargeBinary, String, delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import PERSON, NotShown, Part, describe_table
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.http import body_checks
from stempelwerk_cloud.kit.http.askers import bearer
from stempelwerk_cloud.kit.http.body_checks import PATH_PART, refuse_contradiction
from stempelwerk_cloud.kit.http.off_loop import JsonRequest, off_loop
from stempelwerk_cloud.kit.http.problems import Problem, unauthorized
from stempelwerk_cloud.kit.limits.fair_semaphore import Share

if TYPE_CHECKING:
    from stempelwerk_cloud.kit.platform import Platform
    from stempelwerk_cloud.kit.security.vault import Vault

ANSWER_RETENTION = timedelta(days=30)
KEY_LIMIT = 200
DAY = timedelta(days=1)
KEYS_A_DAY = 2000
BYTES_A_DAY = 4 * 1024 * 1024
"""The most stored answers of a person in 24 hours, in number and bytes. Planning a roster by hand makes a fraction of
them within a day. The last answer may exceed the bound, so an answer of any size can be stored.
"""
PASS_OVER_S = 5.0
DRY_RUN = "dryRun"
_FALSE = {"false", "f", "no", "n", "off", "0"}
"""The spellings of false that a query takes (pydantic's)."""


@describe_table(
    NotShown("answers for who repeats a call, wages among them"),
    Part(
        "Antworten auf wiederholte Anfragen",
        PERSON,
        rank=330,
        left_out="enthalten nichts, was nicht auch in den anderen Tabellen steht",
    ),
)
class StoredAnswer(Base):
    """The stored answer to a user's POST with an Idempotency-Key. Purged after 30 days."""

    __tablename__ = "kept_answers"
    __table_args__ = (Index("ix_kept_answers_person", "company_id", "user_id", "created_at"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    key: Mapped[str] = mapped_column(String(KEY_LIMIT), primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(Instant, index=True)
    status: Mapped[int | None] = mapped_column(Integer)
    media_type: Mapped[str | None] = mapped_column(String(100))
    body: Mapped[bytes | None] = mapped_column(LargeBinary)


class AlreadyAnswered(Exception):
    """Raised by `Keyed.begin` when the Idempotency-Key was answered before. It ends the transaction and carries the
    first answer.
    """

    def __init__(self, response: Response) -> None:
        super().__init__("answered before")
        self.response = response


class SessionlessGuard:
    """A guard that needs no session: for anyone, or for a clock (whose signature `device_api` checks).

    `audience`: the allowed callers, shown as `x-who`. `rate`: the rate limit by address ("20/minute"); `shared`: it
    counts for the installation. `refuses_sessions`: answers 401 to a request with a bearer token.
    """

    def __init__(
        self, audience: str, *, rate: str | None = None, shared: bool = False, refuses_sessions: bool = False
    ) -> None:
        self.who = audience
        self.rate, self.shared = rate, shared
        self._refuses_sessions = refuses_sessions

    def authorize_early(self, request: Request) -> None:
        """Counts the request against the rate limit before anything of its body has been read. Raises 429 or 401."""
        self._judge(request)
        request.state.judged = self

    async def __call__(self, request: Request) -> Any:
        """Counts the request, unless `authorize_early` has done so. Yields no caller."""
        if getattr(request.state, "judged", None) is not None:
            return
        if self.shared:
            await run_in_threadpool(self._judge, request)
        else:
            self._judge(request)

    def _judge(self, request: Request) -> None:
        if not self._refuses_sessions:
            platform: Platform = request.app.state.platform
            platform.rates.spend(request, None, self.rate, shared=self.shared)
        elif bearer(request) is not None:
            raise unauthorized()


Anyone = Annotated[None, Depends(SessionlessGuard("anyone"))]
"""The guard of calls that need no session."""

DeviceOnly = Annotated[None, Depends(SessionlessGuard("device", refuses_sessions=True))]
"""The guard of clocks' calls. A user's bearer token is refused with 401; `device_api` checks the clock's signature."""


def describe(openapi: dict[str, Any]) -> None:
    """Adds the path parameters that only a guard reads to the OpenAPI document: FastAPI does not see them."""
    for path, calls in openapi["paths"].items():
        for call in calls.values():
            declared = {parameter["name"] for parameter in call.get("parameters", ()) if parameter["in"] == "path"}
            unseen = [name for name in PATH_PART.findall(path) if name not in declared]
            if unseen:
                call["parameters"] = [
                    {"name": name, "in": "path", "required": True, "schema": {"type": "string", "title": name}}
                    for name in unseen
                ] + call.get("parameters", [])


def guards_of(dependant: Dependant) -> list[Any]:
    """Returns the guards of an endpoint: its dependencies, also nested ones, that have a `who`."""
    own_guards = [dependant.call] if getattr(dependant.call, "who", None) else []
    return own_guards + [guard for part in dependant.dependencies for guard in guards_of(part)]


def who_of(dependant: Dependant) -> list[str]:
    """Returns the declared callers of an endpoint. There must be exactly one."""
    return [guard.who for guard in guards_of(dependant)]


def is_for_strangers(dependant: Dependant) -> bool:
    """Returns whether an endpoint is open to callers without a session."""
    return any(isinstance(guard, SessionlessGuard) for guard in guards_of(dependant))


def module_of(dependant: Dependant) -> str | None:
    """Returns the module of an endpoint, as its guard declares it."""
    return next((guard.module for guard in guards_of(dependant) if getattr(guard, "module", None)), None)


class WebRoute(APIRoute):
    """A call of the web API. Its POST honours Idempotency-Key, and its body must not contradict its path.

    The caller is authorized before the body is read, and before the request waits for its slot: a stranger's body is
    neither stored nor parsed, and delays no other request.
    """

    keeps_answers = True
    """Whether the call honours Idempotency-Key. It then reads its body into memory."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        body_checks.limit_errors(self.dependant)
        handle = limited(super().get_route_handler(), self.endpoint)
        guards = guards_of(self.dependant)
        in_turns = any(getattr(guard, "in_turns", False) for guard in guards)
        # A dry run reads as much; the body must be there before, or a slow one would keep the company's turn.
        takes_turns = in_turns or (self.body_field is not None and _has_dry_runs(self.dependant))
        if takes_turns:
            handle = _in_turn(handle, dry_runs_alone=not in_turns)

        async def handle_keyed(original_request: Request) -> Response:
            request = JsonRequest(original_request.scope, original_request.receive, original_request._send)
            if guards and (takes_turns or has_body(request.headers)):
                await _authorize_first(request, guards[0])
            if self.body_field is not None:
                await request.body()  # here: FastAPI would answer a client that leaves while sending as unreadable
            await refuse_contradiction(request, self)
            keyed_call = request.method == "POST" and self.keeps_answers
            key = request.headers.get("idempotency-key") if keyed_call else None
            if key is None:
                return await handle(request)
            if not 0 < len(key) <= KEY_LIMIT:
                raise Problem(422, "idempotency_key", "Der Idempotency-Key ist ungültig.")
            body = await request.body()
            keyed = Keyed(request, key, await off_loop(len(body), _digest, request, body))
            request.state.transaction_hook = keyed
            try:
                keyed.response = await handle(request)
            except AlreadyAnswered as repeated:
                return repeated.response
            return keyed.response

        return handle_keyed


class StreamedRoute(WebRoute):
    """A call whose body is streamed to a disk, and that is idempotent by itself."""

    keeps_answers = False


def has_body(headers: Mapping[str, str]) -> bool:
    """Returns whether a request with these headers, by lower-case name, has a body (RFC 9112, § 6.3)."""
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


async def _authorize_first(request: Request, guard: Any) -> None:
    platform: Platform = request.app.state.platform
    try:
        async with platform.page_turns.slot(*platform.askers.shares_of(request)):
            await run_in_threadpool(guard.authorize_early, request)
    except Exception:
        await drain_body(request)
        raise


async def drain_body(request: Request) -> None:
    """Reads and discards the rest of a body for at most `PASS_OVER_S` seconds: a client that is still sending would not
    read its refusal.
    """
    with suppress(ClientDisconnect, HTTPException), anyio.move_on_after(PASS_OVER_S):
        async for _ in request.stream():
            pass


def _has_dry_runs(dependant: Dependant) -> bool:
    return any(query.alias == DRY_RUN for part in dependant.dependencies for query in part.query_params)


def _digest(request: Request, body: bytes) -> bytes:
    """Returns a keyed hash of method, path, query and body.

    The boundary between the parts of a form is left out, because a client makes it new for each attempt.
    """
    boundary = parse_options_header(request.headers.get("content-type"))[1].get(b"boundary")
    content = body.replace(boundary, b"") if boundary else body
    platform: Platform = request.app.state.platform
    # No plain hash: a body may hold a password, which could be guessed from it.
    return platform.vault.fingerprint(f"{request.method} {request.url.path}?{request.url.query}\n".encode() + content)


def seal_answer(request: Request) -> None:
    """Marks the request's answer as secret: it is stored encrypted for its Idempotency-Key. Call it before the
    transaction.
    """
    request.state.sealed_answer = True


Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def limited(handle: Handler, endpoint: Callable[..., Any]) -> Handler:
    """Returns a handler that waits for a slot of `page_turns` once the body is complete.

    Asynchronous endpoints are returned unchanged: they run their work in bulkheads.
    """
    if inspect.iscoroutinefunction(endpoint):
        return handle

    async def handle_in_turn(request: Request) -> Response:
        await request.body()
        platform: Platform = request.app.state.platform
        await _hold(request, platform.page_turns.slot(*platform.askers.shares_of(request)))
        return await handle(request)

    return handle_in_turn


async def _hold(request: Request, place: AbstractAsyncContextManager[None]) -> None:
    """Enters the slot, and leaves it when the call's dependencies have ended: FastAPI commits after the handler has
    returned.
    """
    dependencies: AsyncExitStack = request.scope["fastapi_function_astack"]
    await dependencies.enter_async_context(place)


def _in_turn(handle: Handler, *, dry_runs_alone: bool) -> Handler:
    """Returns a handler that waits for a slot of `heavy_turns`: one such call at a time for a person and for a company.

    `dry_runs_alone`: only dry runs wait.
    """

    async def handle_in_turn(request: Request) -> Response:
        if dry_runs_alone and request.query_params.get(DRY_RUN, "false").lower() in _FALSE:
            return await handle(request)
        platform: Platform = request.app.state.platform
        caller = request.state.judged
        shares = Share(f"person {caller.user_id}"), Share(f"company {caller.subject_company_id}")
        await _hold(request, platform.heavy_turns.slot(*shares))
        return await handle(request)

    return handle_in_turn


def too_many_keys(retry_after_s: int) -> Problem:
    """Returns 429 for a person whose stored answers have reached the day's bound."""
    sentence = (
        "Von dir sind in den letzten 24 Stunden sehr viele Änderungen gekommen; gerade wird keine weitere angenommen. "
        "Gespeichert ist alles, was bestätigt wurde. Versuch es später noch einmal."
    )
    return Problem(429, "too_many_keys", sentence, headers={"Retry-After": str(max(1, retry_after_s))})


class Keyed:
    """The transaction hook of a request with an Idempotency-Key: it claims the key, and stores the answer for it."""

    def __init__(self, request: Request, key: str, digest: bytes) -> None:
        self._request = request
        self._key = key
        self._digest = digest
        self.response: Response | None = None

    def begin(self, session: Session) -> None:
        """Claims the key. Raises AlreadyAnswered if the same request was answered before, 422 if the key belongs to
        another one.

        The claim is a row, so a second request with the same key waits for the first one's commit.
        """
        owner = self._owner()
        if owner is None:
            return
        now = self._request.app.state.platform.clock.now()
        locks.record_row_lock(session, Lock.KEPT_ANSWER, [tuple(owner.values())])
        session.execute(
            delete(StoredAnswer).filter_by(**owner).where(StoredAnswer.created_at <= now - ANSWER_RETENTION)
        )
        claim = upsert(session, StoredAnswer).values(**owner, digest=self._digest, created_at=now)
        if session.execute(claim.on_conflict_do_nothing().returning(StoredAnswer.key)).first() is not None:
            self._ensure_room(session, now)
            return
        stored = session.execute(select(StoredAnswer).filter_by(**owner)).scalar_one()
        if stored.digest != self._digest:
            raise Problem(422, "idempotency_key_reused", "Der Idempotency-Key gehört zu einer anderen Anfrage.")
        body = stored.body
        if body is not None and self._sealed:
            body = self._vault.decrypt(body).encode()
        raise AlreadyAnswered(Response(body, stored.status or 200, media_type=stored.media_type))

    def _ensure_room(self, session: Session, now: datetime) -> None:
        """Raises 429 if the person's stored answers of the last 24 hours have reached the bound. The claim is rolled
        back.

        A known key never gets here: an accepted call is answered for 30 days.
        """
        owner = {name: value for name, value in (self._owner() or {}).items() if name != "key"}
        recent = select(StoredAnswer.created_at, StoredAnswer.body).filter_by(**owner)
        recent = recent.where(StoredAnswer.created_at > now - DAY, StoredAnswer.key != self._key)
        rows = recent.subquery()
        totals = select(func.count(), func.sum(func.length(rows.c.body)), func.min(rows.c.created_at))
        count, size, oldest = session.execute(totals.select_from(rows)).one()
        if count >= KEYS_A_DAY or (size or 0) >= BYTES_A_DAY:
            raise too_many_keys(int((oldest + DAY - now).total_seconds()) + 1)

    def end(self, session: Session) -> None:
        """Stores the answer in the transaction of its effect."""
        owner = self._owner()
        if owner is None or self.response is None:
            return
        body = bytes(self.response.body)
        session.execute(
            update(StoredAnswer)
            .filter_by(**owner)
            .values(
                status=self.response.status_code,
                media_type=self.response.headers.get("content-type"),
                body=self._vault.encrypt(body.decode()) if self._sealed else body,
            )
        )

    @property
    def _sealed(self) -> bool:
        """Whether the call's answer has secrets (`seal_answer`)."""
        return getattr(self._request.state, "sealed_answer", False)

    @property
    def _vault(self) -> "Vault":
        platform: Platform = self._request.app.state.platform
        return platform.vault

    def _owner(self) -> dict[str, str] | None:
        caller = getattr(self._request.state, "caller", None)
        if caller is None:  # no session: the key has no owner and is ignored
            return None
        return {"company_id": caller.company_id, "user_id": caller.user_id, "key": self._key}


def room_router(tag: str) -> APIRouter:
    """Returns the router of a room of the web API; `tag` groups its calls in the OpenAPI document."""
    return APIRouter(tags=[tag], route_class=WebRoute)
