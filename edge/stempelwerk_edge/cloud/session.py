"""The clock's session with the cloud: enrolling, signing again, and applying every answer.

Any answer may bring the server's time, a changed membership, or another server. `delivery.judge` decides what an answer
means; this module carries it out, for every call alike. `call` cures two failures: it enrols an unknown device, and
signs again with the server's time. It does not repeat a request that failed for another reason.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.client import CloudClient
from stempelwerk_edge.cloud.delivery import Meaning, RequestContext, Then, judge
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.wire import Assignment, NotOurs, Receipt, Welcome
from stempelwerk_edge.errors import (
    ClockSkew,
    CloudError,
    JournalError,
    MeantForAnother,
    NotNow,
    Refused,
    TooLarge,
)
from stempelwerk_edge.machine.trusted_time import Anchor
from stempelwerk_edge.ports import Connection
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings

_KEEP_ANCHOR_EVERY_MS = 600_000
_MUCH_BETTER_MS = 50
_SET_BACK_AGAIN_MS = 6 * 3_600_000
_SET_BACK_ANEW_MS = 900_000

Answer = TypeVar("Answer")
Read_co = TypeVar("Read_co", covariant=True)
Concluded = tuple[Answer | CloudError, Meaning]
"""The answer, or the error in its place; and what it means for the clock."""


@dataclass(frozen=True, slots=True)
class _Request(Generic[Read_co]):
    """A request; `read` raises NotOurs for a body that is no answer to it."""

    method: str
    path: str
    read: Callable[[bytes], Read_co]
    body: bytes | None
    may_be_unknown: bool = False
    as_of: int | None = None


class CloudSession:
    """Asks the cloud under this clock's identity. Used by the loops' thread only."""

    def __init__(self, client: CloudClient, identity: Identity, stores: Stores, surroundings: Surroundings) -> None:
        self._client, self._identity = client, identity
        self._hardware = replace(surroundings.machine.hardware, hardware_id=identity.hardware_id)
        self._profile, self._version = surroundings.profile, surroundings.version
        self._membership, self._state = stores.membership, stores.state
        self._outbox, self._people, self._answers = stores.outbox, stores.people, stores.answers
        self._time, self._screen, self._report = surroundings.time, surroundings.screen, surroundings.report
        self._enrolling = asyncio.Lock()
        self._enrolments = 0
        self._kept_anchor: Anchor | None = None
        self._connection: Connection | None = None
        self._told: Connection | None = None
        self._lost_by: str | None = None
        self._set_back: tuple[int, int] | None = None  # the lease that was held, when (boot time in ms)
        self._resets = 0
        self.on_replay: Callable[[], object] = lambda: None
        self.on_time_found: Callable[[], object] = lambda: None

    @property
    def identity(self) -> Identity:
        """The key that everything is signed with."""
        return self._identity

    @property
    def connection(self) -> Connection | None:
        """The result of the last request; None before the first."""
        return self._connection

    @property
    def certificate_days(self) -> tuple[int, int] | None:
        """The days that the cloud's certificate has left, and its whole lifetime; None while either is unknown."""
        validity = self._client.certificate
        return None if validity is None or not self._time.trusted else validity.days(self._time.now())

    @property
    def resets(self) -> int:
        """How often the server was replaced by another one or restored from a backup: it then lacks what it was sent
        before.
        """
        return self._resets

    # ---- asking

    async def call(
        self,
        method: str,
        path: str,
        read: Callable[[bytes], Answer],
        body: bytes | None = None,
        *,
        may_be_unknown: bool = False,
        as_of: int | None = None,
    ) -> Concluded[Answer]:
        """Makes one request; enrols before or in between if necessary.

        Its meaning for the clock as a whole is carried out before it returns. Raises JournalError if the disk refuses
        that. `may_be_unknown`: an older cloud does not have this call, and answers NoSuchCall. `as_of`: the value of
        `resets` when the message was put together; if there was one more before it goes, it is MeantForAnother.
        """
        request, enrolments_before = _Request(method, path, read, body, may_be_unknown, as_of), self._enrolments
        enrolled = self._membership.current.device_id is None
        failed = await self._enrol(enrolments_before) if enrolled else None

        async def ask() -> Concluded[Answer]:
            return failed or await self._signed(request, enrolled_just_now=enrolled)

        async def enrol(_: RetryCallState) -> None:
            nonlocal enrolled, failed
            enrolled, failed = True, await self._enrol(enrolments_before)

        concluded: Concluded[Answer] = await _retrying(Then.ENROL, apply_cure=enrol)(ask)
        answer, meaning = concluded
        self._log_connection(meaning.connection, answer)
        return concluded

    async def _signed(self, request: _Request[Answer], *, enrolled_just_now: bool) -> Concluded[Answer]:
        """Makes one request. If the server refuses it because the clock's time is wrong, signs it once more with the
        server's.
        """
        context = RequestContext(
            self._membership.current.server_id,
            enrolled_just_now,
            may_be_unknown=request.may_be_unknown,
            lease=self._held_lease(),
            answers_mark=self._held_mark(),
        )
        created: datetime | None = None

        async def ask() -> Concluded[Answer]:
            return await self._once(request, context, created)

        async def take_time(state: RetryCallState) -> None:
            nonlocal context, created
            assert state.outcome is not None
            skew: ClockSkew = state.outcome.result()[0]
            context, created = replace(context, signed_again=True), skew.server_time
            if skew.flight is not None:
                self._take_server_time(skew.server_time, *skew.flight)

        return await _retrying(Then.SIGN_AGAIN, apply_cure=take_time)(ask)

    async def _once(
        self, request: _Request[Answer], context: RequestContext, created: datetime | None = None
    ) -> Concluded[Answer]:
        if request.as_of not in (None, self._resets):
            return self._concluded(context, MeantForAnother(request.path))
        try:
            response = await self._client.send(request.method, request.path, request.body, created=created)
            answer = request.read(response.body)
        except NotOurs as fault:
            return self._concluded(context, NotNow(f"not an answer of the service: {fault}"))
        except CloudError as fault:
            return self._concluded(context, fault)
        if isinstance(answer, Receipt | Welcome):
            self._take_server_time(answer.server_time, response.sent_ms, response.received_ms)
        return self._concluded(context, answer)

    def _concluded(self, context: RequestContext, answer: Answer | CloudError) -> Concluded[Answer]:
        """Carries out what an answer means for the clock as a whole; returns the answer with its meaning."""
        meaning = judge(context, answer)
        self._show(meaning.connection)
        if meaning.log is not None:
            self._report("warn", meaning.log, str(answer), {})
        if meaning.wipe_people:
            self._people.wipe()
        if isinstance(answer, Receipt | Welcome):
            if meaning.another_server:
                self._another_server(answer.server_id)
            if meaning.set_back:
                self._server_set_back(context.lease, answer.lease)
            if isinstance(answer, Welcome) and meaning.answers_again and answer.answers_mark is not None:
                self._answers.send_again(context.answers_mark, answer.answers_mark)
            self._membership.change(replace(self._membership.current, server_id=answer.server_id))
        return answer, meaning

    async def _enrol(self, enrolments_before: int) -> tuple[CloudError, Meaning] | None:
        """Makes the clock known to the server, unless another request has just done so; returns why that failed."""
        async with self._enrolling:
            if self._enrolments != enrolments_before:
                return None
            message = wire.enrolment(self._hardware, self._profile, self._version, self._identity.public_key)
            request = _Request("POST", wire.ENROLL, wire.read_welcome, wire.encode(message))
            try:
                answer, meaning = await self._signed(request, enrolled_just_now=True)
                if isinstance(answer, Welcome):
                    self._enrolments += 1
                    self._report("info", "enrolled", f"known as {answer.device_id}", {})
                    self.welcomed(answer)
                    return None
            except JournalError as fault:
                return self._not_enrolled(f"the journal does not take the enrolment: {fault}")
            if isinstance(answer, Refused | TooLarge):
                self._report("error", "enrolment_refused", str(answer), {})
                return self._not_enrolled(f"the enrolment was refused: {answer}")
            return answer, meaning

    def _not_enrolled(self, why: str) -> tuple[CloudError, Meaning]:
        """Returns the failure of an enrolment as NotNow: its refusal is no answer to the original request."""
        fault = NotNow(why)
        _, meaning = self._concluded(RequestContext(self._membership.current.server_id, enrolled_just_now=True), fault)
        return fault, meaning

    # ---- what answers bring

    def _take_server_time(self, server_time: datetime | None, sent_ms: int, received_ms: int) -> None:
        """Takes the server's time of an answer as an anchor. It is stored for the stamps of this boot if it is the
        first one, clearly better than the last stored one, or ten minutes later.
        """
        if server_time is None:
            return
        first = not self._time.anchored
        anchor = self._time.contact(server_time, sent_ms, received_ms)
        if first:
            self.on_time_found()
        self._screen.set_status(time_trusted=self._time.trusted)
        kept_anchor = self._kept_anchor
        if (
            kept_anchor is None
            or anchor.boottime_ms - kept_anchor.boottime_ms >= _KEEP_ANCHOR_EVERY_MS
            or anchor.rtt_ms + _MUCH_BETTER_MS <= kept_anchor.rtt_ms
        ):
            try:
                self._state.store_anchor(anchor, self._time.highest)
                self._kept_anchor = anchor
            except JournalError as fault:
                self._report("warn", "anchor_not_kept", str(fault), {})

    def welcomed(self, welcome: Welcome) -> None:
        """Applies a heartbeat's or an enrolment's answer to this clock. Raises JournalError.

        The membership comes first and is kept in memory even if the disk fails, so that a clock with a broken journal
        still sends heartbeats.
        """
        keyid, membership = self._identity.keyid, self._membership.current
        if _belongs(welcome.assignment) != _belongs(membership.assignment):
            self._report("info", "assignment", f"now {welcome.assignment.id if welcome.assignment else 'none'}", {})
            self._people.wipe()
        try:
            self._membership.change(
                replace(
                    membership,
                    keyid=keyid,
                    device_id=welcome.device_id,
                    name=self._name(welcome),
                    assignment=welcome.assignment,
                    config=welcome.config or membership.config,
                )
            )
        finally:
            self.show_membership()
        if welcome.lease is not None and self._state.lease(keyid) is None:
            self._state.take_lease(keyid, welcome.lease)
        if welcome.replays:
            self._outbox.replay(welcome.replays)
            self.on_replay()

    def _name(self, welcome: Welcome) -> str:
        """Returns the clock's name; an answer without a name leaves it, unless the clock has another owner now."""
        membership = self._membership.current
        if welcome.name is not None:
            return welcome.name
        return membership.name if _belongs(welcome.assignment) == _belongs(membership.assignment) else ""

    def _another_server(self, server_id: str) -> None:
        """Switches to another server at the same address: it gets every stored stamp again, as the first one did.
        Raises JournalError.
        """
        self._report("warn", "another_server", f"{self._membership.current.server_id} is now {server_id}", {})
        self._resets += 1
        self._people.request_all()
        self._state.forget_lease()
        self._outbox.replay((), everything=True)
        self.on_replay()

    def _held_lease(self) -> int | None:
        """Returns the lease, None if the disk does not give it: a request does not wait for that."""
        try:
            return self._state.lease(self._identity.keyid)
        except JournalError:
            return None

    def _held_mark(self) -> str | None:
        try:
            return self._answers.mark()
        except JournalError:
            return None

    def _server_set_back(self, held_lease: int | None, given_lease: int | None) -> None:
        """Delivers every stored stamp again to a server that was restored from a backup, so that it sees the lease and
        lacks nothing. Raises JournalError.

        The whole list of people is requested too: the server will give the numbers of its revisions a second time.

        If the server still gives a lower lease, this is repeated after six hours. After a new lease it takes 15 minutes
        at least, in case one address leads to two databases.
        """
        now_ms = self._time.boottime_ms()
        if held_lease is not None and self._set_back is not None:
            earlier_lease, at_ms = self._set_back
            if now_ms - at_ms < (_SET_BACK_AGAIN_MS if held_lease == earlier_lease else _SET_BACK_ANEW_MS):
                return
        self._report(
            "warn", "cloud_set_back", f"the cloud gives lease {given_lease}, this clock held {held_lease} before", {}
        )
        self._resets += 1
        self._people.request_all()
        self._outbox.replay((), everything=True)
        self._set_back = (held_lease or 0, now_ms)
        self.on_replay()

    # ---- the screen and the log

    def show_membership(self) -> None:
        """Shows the membership on the screen."""
        membership = self._membership.current
        self._screen.set_status(
            assigned=membership.assignment is not None,
            zone=membership.zone.key,
            clock_name=membership.name,
            company_name=None if membership.assignment is None else membership.assignment.company_name,
            claim_code=self._identity.claim_code,
            time_trusted=self._time.trusted,
        )

    def _show(self, connection: Connection) -> None:
        if connection == self._connection:
            return
        self._connection = connection
        self._screen.set_status(connection=connection)

    def _log_connection(self, connection: Connection, answer: object) -> None:
        """Logs that the cloud is lost or back. A fault that `call` has cured is not logged, and a refusal is logged
        elsewhere.

        The `online` line names the cause of the loss, because the log leaves out repeated lines. Without the cause, an
        `offline` for a new reason would be logged, and the `online` after it be left out as a repetition.
        """
        if connection == self._told:
            return
        self._told = connection
        if connection == "online":
            cause = "" if self._lost_by is None else f", after {self._lost_by}"
            self._lost_by = None
            self._report("info", "online", f"the cloud answers{cause}", {})
        elif connection == "offline":
            self._lost_by = str(answer)
            self._report("warn", "offline", self._lost_by, {})


def _retrying(cure: Then, apply_cure: Callable[[RetryCallState], Awaitable[None]]) -> AsyncRetrying:
    """Returns a policy that applies the cure and repeats the request whenever `judge` asks for this cure. `judge` asks
    for it only once in a request.
    """

    def needs_it(concluded: Concluded[object]) -> bool:
        return concluded[1].then is cure

    return AsyncRetrying(retry=retry_if_result(needs_it), before_sleep=apply_cure, sleep=_at_once)


async def _at_once(_seconds: float) -> None:
    """Does not wait: a cure needs no pause; the loops' pauses are `delivery.pause`."""


def _belongs(assignment: Assignment | None) -> tuple[str, str] | None:
    """Returns the ids of the assignment and its company, which identify it: a new name of the company changes
    nothing.
    """
    return None if assignment is None else (assignment.id, assignment.company_id)
