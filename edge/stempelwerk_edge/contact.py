"""The clock's dealings with the cloud as a whole: enrolling, signing again, and taking in what every answer brings.

Each answer may bring the time, the clock's standing, another server. The loops ask through `call` and never see an
unknown device or a wrong time that could be cured at once. It repeats nothing that failed for another reason.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, retry_if_exception_type, stop_after_attempt

from . import wire
from .cloud_client import CloudClient, Response
from .errors import ClockSkew, CloudError, JournalError, NotConnected, NotNow, Refused, Revoked, TooLarge, UnknownDevice
from .hardware import Hardware
from .identity import Identity
from .outbox import Outbox
from .ports import Connection, Report, Screen
from .remembered import Remembered
from .snapshot import Snapshot
from .standing import StandingStore
from .trusted_time import Anchor, TrustedTime
from .wire import Assignment, NotOurs, Welcome

_KEEP_ANCHOR_EVERY_MS = 600_000
_MUCH_BETTER_MS = 50

Answer = TypeVar("Answer")


class Contact:
    """Asks the cloud under this clock's identity. Used by the loops' thread only."""

    def __init__(
        self,
        client: CloudClient,
        identity: Identity,
        hardware: Hardware,
        profile: str,
        version: str,
        standing: StandingStore,
        remembered: Remembered,
        outbox: Outbox,
        people: Snapshot,
        time: TrustedTime,
        screen: Screen,
        report: Report,
    ) -> None:
        self._client, self._identity = client, identity
        self._hardware = replace(hardware, hardware_id=identity.hardware_id)
        self._profile, self._version = profile, version
        self._standing, self._remembered, self._outbox, self._people = standing, remembered, outbox, people
        self._time, self._screen, self._report = time, screen, report
        self._enrolling = asyncio.Lock()
        self._enrolments = 0
        self._kept_anchor: Anchor | None = None
        self._connection: Connection | None = None
        self.on_replay: Callable[[], object] = lambda: None
        self.on_time_found: Callable[[], object] = lambda: None

    @property
    def identity(self) -> Identity:
        """The key that everything is signed with."""
        return self._identity

    @property
    def connection(self) -> Connection | None:
        """What the last request found; None before the first."""
        return self._connection

    # ---- asking

    async def call(self, method: str, path: str, body: bytes | None = None) -> Response:
        """One request, enrolling before or in between where that is what it takes. Raises CloudError."""
        try:
            response = await self._call(method, path, body)
        except CloudError as fault:
            self._failed(fault)
            raise
        self._show("online")
        return response

    async def _call(self, method: str, path: str, body: bytes | None) -> Response:
        seen, new = self._enrolments, self._standing.current.device_id is None
        if new:
            await self._enrol(seen)

        async def enrol(_: RetryCallState) -> None:
            await self._enrol(seen)

        # Who has just enrolled and is still unknown will not become known by enrolling again.
        known = AsyncRetrying(
            retry=retry_if_exception_type(UnknownDevice),
            stop=stop_after_attempt(1 if new else 2),
            before_sleep=enrol,
            sleep=_at_once,
            reraise=True,
        )
        return await known(self._signed, method, path, body)

    async def _signed(self, method: str, path: str, body: bytes | None) -> Response:
        """One request, signed again with the server's time if that is what it lacks."""
        created: datetime | None = None

        def take_time(attempt: RetryCallState) -> None:
            nonlocal created
            fault = attempt.outcome and attempt.outcome.exception()
            assert isinstance(fault, ClockSkew)
            created = fault.server_time
            if fault.flight is not None:
                self.heard(created, *fault.flight)

        async for attempt in AsyncRetrying(
            retry=retry_if_exception(_tells_the_time),
            stop=stop_after_attempt(2),
            before_sleep=take_time,
            sleep=_at_once,
            reraise=True,
        ):
            with attempt:
                return await self._client.send(method, path, body, created=created)
        raise AssertionError("reraise ends the loop")

    async def _enrol(self, seen: int) -> None:
        """Make the clock known to the server, unless another request has just done so."""
        async with self._enrolling:
            if self._enrolments != seen:
                return
            message = wire.enrolment(self._hardware, self._profile, self._version, self._identity.public_key)
            try:
                response = await self._signed("POST", wire.ENROLL, wire.encode(message))
            except (Refused, TooLarge) as fault:  # about the enrolment: not to be taken for a word about the batch
                self._report("error", "enrolment_refused", str(fault), {})
                raise NotNow(f"the enrolment was refused: {fault}") from fault
            welcome = self.understood(wire.read_welcome, response.body)
            self.heard(welcome.server_time, response.sent_ms, response.received_ms)
            self._enrolments += 1
            self._report("info", "enrolled", f"known as {welcome.device_id}", {})
            try:
                self.welcomed(welcome)
            except JournalError as fault:
                raise NotNow(f"the journal does not take the enrolment: {fault}") from fault

    def understood(self, read: Callable[[bytes], Answer], body: bytes) -> Answer:
        """Read an answer; one that is not ours means "not now"."""
        try:
            return read(body)
        except NotOurs as fault:
            error = NotNow(f"not an answer of the service: {fault}")
            self._failed(error)
            raise error from fault

    # ---- what answers bring

    def heard(self, server_time: datetime | None, sent_ms: int, received_ms: int) -> None:
        """Take in the server's time of an answer; now and then it is kept for the stamps of this boot."""
        if server_time is None:
            return
        first = not self._time.anchored
        anchor = self._time.contact(server_time, sent_ms, received_ms)
        if first:
            self.on_time_found()
        self._screen.set_status(time_trusted=self._time.trusted)
        kept = self._kept_anchor
        if (
            kept is None
            or anchor.boottime_ms - kept.boottime_ms >= _KEEP_ANCHOR_EVERY_MS
            or anchor.rtt_ms + _MUCH_BETTER_MS <= kept.rtt_ms
        ):
            try:
                self._remembered.keep_anchor(anchor, self._time.highest)
                self._kept_anchor = anchor
            except JournalError as fault:
                self._report("warn", "anchor_not_kept", str(fault), {})

    def welcomed(self, welcome: Welcome) -> None:
        """Take in a heartbeat's or an enrolment's answer. Raises JournalError; then it counts as not heard."""
        keyid, standing = self._identity.keyid, self._standing.current
        if standing.server_id is not None and standing.server_id != welcome.server_id:
            self.another_server(welcome.server_id)
        if welcome.lease is not None and self._remembered.lease(keyid) is None:
            self._remembered.take_lease(keyid, welcome.lease)
        if welcome.replays:
            self._outbox.replay(welcome.replays)
            self.on_replay()
        if _belongs(welcome.assignment) != _belongs(standing.assignment):
            self._report("info", "assignment", f"now {welcome.assignment.id if welcome.assignment else 'none'}", {})
            self._people.wipe()
        self._standing.change(
            replace(
                standing,
                keyid=keyid,
                device_id=welcome.device_id,
                server_id=welcome.server_id,
                name=standing.name if welcome.name is None else welcome.name,
                assignment=welcome.assignment,
                config=welcome.config or standing.config,
            )
        )
        self.show_standing()

    def another_server(self, server_id: str) -> None:
        """Another server answers at this address: everything kept goes there too. Raises JournalError."""
        self._report("warn", "another_server", f"{self._standing.current.server_id} is now {server_id}", {})
        self._people.wipe()
        self._remembered.forget_lease()
        self._outbox.replay((), everything=True)
        self.on_replay()

    def served_by(self, server_id: str) -> None:
        """Remember who answered a batch. Raises JournalError."""
        self._standing.change(replace(self._standing.current, server_id=server_id))

    # ---- what the screen says

    def show_standing(self) -> None:
        """Put the standing on the screen."""
        standing = self._standing.current
        self._screen.set_status(
            assigned=standing.assignment is not None,
            zone=standing.zone.key,
            clock_name=standing.name,
            company_name=None if standing.assignment is None else standing.assignment.company_name,
            claim_code=self._identity.claim_code,
            time_trusted=self._time.trusted,
        )

    def _failed(self, fault: CloudError) -> None:
        if isinstance(fault, Revoked):
            self._people.wipe()
        if isinstance(fault, NotConnected):
            self._show("not_connected")
            self._report("warn", "not_connected", str(fault), {})
        elif isinstance(fault, Refused | TooLarge):
            self._show("online")
        else:
            self._show("offline")

    def _show(self, connection: Connection) -> None:
        if connection == self._connection:
            return
        self._connection = connection
        self._screen.set_status(connection=connection)


async def _at_once(_seconds: float) -> None:
    """A cure needs no pause; the loops' pauses are `delivery.back_off`."""


def _tells_the_time(fault: BaseException) -> bool:
    return isinstance(fault, ClockSkew) and fault.server_time is not None


def _belongs(assignment: Assignment | None) -> tuple[str, str] | None:
    """What makes an assignment another one; a company's name does not."""
    return None if assignment is None else (assignment.id, assignment.company_id)
