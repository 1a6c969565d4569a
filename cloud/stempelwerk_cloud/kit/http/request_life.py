"""The life of a request to the web API: its steps from the socket to the commit, in their order, and what each leaves
for the next.

1. *Guard.* It counts the request against its rate limit, finds the caller and checks their access: before any of the
   body is read, if the request has a body or waits for a turn, else as the endpoint's first dependency.
2. *Body.* It is read and compared with the path.
3. *Turn.* The request waits in fair queues: a call that reads much of a company for `heavy_turns`, any synchronous
   endpoint for `page_turns`. It keeps its slots until the transaction has ended.
4. *Transaction.* A dependency opens it in the scope of the caller, and the endpoint works in it.
5. *Second check.* The guard checks the caller's access again, under a lock that is held until the commit.
6. *Stored answer.* A POST with an Idempotency-Key claims the key when the transaction begins, and stores its answer in
   it at the end.

The commit follows, and then the answer leaves: `ReadTx` and `WriteTx` have the scope "function", so a 2xx always means
"committed". `kit/http/requests.py` is around all of it. Clocks' calls have a way of their own
(`device_api/signed/clock_route.py`).
"""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, TypeVar

import anyio
from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from stempelwerk_cloud.kit.database.scopes import NOBODY, Scope
from stempelwerk_cloud.kit.http.idempotency import KEY_HEADER, AlreadyAnswered, KeyedAnswer, KeyOwner, keyed_answer
from stempelwerk_cloud.kit.http.off_loop import JsonRequest
from stempelwerk_cloud.kit.limits.fair_semaphore import Share
from stempelwerk_cloud.kit.platform import Platform

PASS_OVER_S = 5.0
DRY_RUN = "dryRun"
_FALSE = {"false", "f", "no", "n", "off", "0"}
"""The spellings of false that a query takes (pydantic's)."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class RequestCaller(KeyOwner, Protocol):
    """The members of a caller that the steps use. `subject_company_id`: the company that the call is about."""

    @property
    def subject_company_id(self) -> str: ...


CallerT = TypeVar("CallerT", bound=RequestCaller)


class EarlyGuard(Protocol):
    """A guard of a call. `authorize_early` admits the request before any of its body is read, or raises."""

    def authorize_early(self, request: Request) -> None: ...


@dataclass(slots=True)
class RequestLife(Generic[CallerT]):
    """The facts of one request, which its steps leave for the next ones. `CallerT`: the guards' type of caller.

    - `is_authorized`: the guard has admitted the request before its body; `authorized_caller`: the caller it found.
    - `caller`, `scope`, `recheck`: the caller that the guard passed to the endpoint, the row scope of their
      transactions, and the second check, which raises if their access has ended. Without a caller the scope shows no
      company's rows.
    - `keyed_answer`: the answer to store for the request's Idempotency-Key; `is_answer_sealed`: it has secrets, and is
      stored encrypted. Set it before the transaction.
    - `response`: the answer of the endpoint, before the commit.
    - `refusal_members`: members that every refusal of the call has.
    """

    is_authorized: bool = False
    authorized_caller: CallerT | None = None
    caller: CallerT | None = None
    scope: Scope = NOBODY
    recheck: Callable[[Session], None] | None = None
    keyed_answer: KeyedAnswer | None = None
    is_answer_sealed: bool = False
    response: Response | None = None
    refusal_members: Mapping[str, object] = field(default_factory=dict)

    def authorize(self, caller: CallerT | None) -> None:
        """Step 1, before the body: the guard has admitted the request; None: without a caller."""
        self.is_authorized, self.authorized_caller = True, caller

    def admit(self, caller: CallerT, scope: Scope, recheck: Callable[[Session], None]) -> None:
        """Step 1, before the endpoint: the guard passes on the caller."""
        self.caller, self.scope, self.recheck = caller, scope, recheck

    def begin(self, session: Session) -> None:
        """Step 4, before the endpoint: claims the Idempotency-Key of a caller. Raises AlreadyAnswered, or 422."""
        if self.keyed_answer is not None and self.caller is not None:  # no session: the key has no owner and is ignored
            self.keyed_answer.claim(session, self.caller, is_sealed=self.is_answer_sealed)

    def end(self, session: Session) -> None:
        """Steps 5 and 6, before the commit: checks the caller's access again, and stores the answer for its key."""
        if self.recheck is not None:
            self.recheck(session)
        if self.keyed_answer is not None and self.caller is not None and self.response is not None:
            self.keyed_answer.store(session, self.caller, self.response, is_sealed=self.is_answer_sealed)


def life_of(request: Request) -> RequestLife[RequestCaller]:
    """Returns the life of a request, the only member of its `state`; begins it at the first call."""
    life: RequestLife[RequestCaller] | None = getattr(request.state, "life", None)
    if life is None:
        life = request.state.life = RequestLife()
    return life


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a route's requests, as a handler.

    - `guard`: admits requests; None: the route has no guard.
    - `reads_body`, `check_body`: the route has a body; the check raises if it contradicts the path.
    - `keeps_answers`: its POSTs honour an Idempotency-Key.
    - `is_heavy`, `has_dry_runs`: all its calls wait for `heavy_turns`, or only those with `?dryRun=true`.
    - `is_synchronous`: its calls wait for `page_turns`. Asynchronous endpoints run their work in bulkheads.
    - `endpoint`: FastAPI's handler: solves the dependencies and calls the endpoint.
    """

    guard: EarlyGuard | None
    reads_body: bool
    check_body: Callable[[Request], Coroutine[Any, Any, None]]
    keeps_answers: bool
    is_heavy: bool
    has_dry_runs: bool
    is_synchronous: bool
    endpoint: Handler

    async def handle(self, original_request: Request) -> Response:
        """Takes a request through its steps. The transaction of the endpoint is still open when this returns."""
        request = JsonRequest(original_request.scope, original_request.receive, original_request._send)
        life = life_of(request)
        # A dry run reads as much; the body must be there before, or a slow one would keep the company's turn.
        takes_turns = self.is_heavy or self.has_dry_runs
        if self.guard is not None and (takes_turns or has_body(request.headers)):
            await _authorize(request, self.guard)
        if self.reads_body:
            await request.body()  # here: FastAPI would answer a client that leaves while sending as unreadable
        await self.check_body(request)
        if request.method == "POST" and self.keeps_answers and KEY_HEADER in request.headers:
            life.keyed_answer = await keyed_answer(request)
        if self.is_heavy or (self.has_dry_runs and _is_dry_run(request)):
            await _take_heavy_turn(request, life)
        if self.is_synchronous:
            await request.body()
            await _take_page_turn(request)
        try:
            life.response = await self.endpoint(request)
        except AlreadyAnswered as repeated:
            return repeated.response
        return life.response


async def _authorize(request: Request, guard: EarlyGuard) -> None:
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


def has_body(headers: Mapping[str, str]) -> bool:
    """Returns whether a request with these headers, by lower-case name, has a body (RFC 9112, § 6.3)."""
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _is_dry_run(request: Request) -> bool:
    return request.query_params.get(DRY_RUN, "false").lower() not in _FALSE


async def _take_heavy_turn(request: Request, life: RequestLife[RequestCaller]) -> None:
    """Waits until no other heavy call of the person or the company runs."""
    platform: Platform = request.app.state.platform
    caller = life.authorized_caller
    assert caller is not None, "heavy calls have a caller"
    shares = Share(f"person {caller.user_id}"), Share(f"company {caller.subject_company_id}")
    await _hold(request, platform.heavy_turns.slot(*shares))


async def _take_page_turn(request: Request) -> None:
    platform: Platform = request.app.state.platform
    await _hold(request, platform.page_turns.slot(*platform.askers.shares_of(request)))


async def _hold(request: Request, slot: AbstractAsyncContextManager[None]) -> None:
    """Enters the slot, and leaves it when the call's dependencies have ended: FastAPI commits after the handler has
    returned.
    """
    dependencies: AsyncExitStack = request.scope["fastapi_function_astack"]
    await dependencies.enter_async_context(slot)


def _read_tx(request: Request) -> Iterator[Session]:
    platform: Platform = request.app.state.platform
    with platform.database.read(life_of(request).scope) as session:
        yield session


def _write_tx(request: Request) -> Iterator[Session]:
    platform: Platform = request.app.state.platform
    life = life_of(request)
    with platform.database.write(life.scope) as session:
        life.begin(session)
        yield session
        life.end(session)


write_of = contextmanager(_write_tx)
"""A request's writing transaction as a context manager, for a dependency that opens it only if the request is no dry
run.
"""
ReadTx = Annotated[Session, Depends(_read_tx, scope="function")]
WriteTx = Annotated[Session, Depends(_write_tx, scope="function")]
