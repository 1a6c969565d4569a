"""Authentication of clocks' requests: checks signature, device, the device's state and the time, in the contract's
order.

The key of a `keyid` never changes, so it is cached; revocation is checked in each transaction. A refused client does
not learn why its signature was refused. The service's log has the reason and the expected address without its query.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, NamedTuple

import structlog
from fastapi import Depends, Request
from sqlalchemy.orm import Session
from starlette.datastructures import QueryParams
from starlette.types import Scope

from stempelwerk_cloud.device_api import words
from stempelwerk_cloud.device_api.signed import signatures
from stempelwerk_cloud.device_api.signed.budgets import Budgets
from stempelwerk_cloud.device_api.signed.signatures import BadSignature, Claim, SignedRequest
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes.keys import keyid
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.request_life import drain_body, has_body
from stempelwerk_cloud.kit.http.routing import SessionlessGuard
from stempelwerk_cloud.kit.operations import service_time
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot

KEYS_LIMIT = 100_000
REASON_LIMIT = 100
"""Maximum length in characters of a reason in the log, because it may quote the content of a header."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Key:
    """The attributes of a known device that never change."""

    device_no: int
    device_id: str
    public_key: bytes


KNOWN_KEYS: Slot[Platform, dict[str, Key]] = Slot(lambda _: {})
"""This process's cache of known devices by keyid."""
BUDGETS: Slot[Platform, Budgets] = Slot(lambda _: Budgets())


@dataclass(frozen=True, slots=True)
class Call:
    """A request of a clock before any check. `address` is the sender's IP address, `scope` the ASGI scope.

    `claim` is the content of the signature, if it was already parsed for the complete request; else None.
    """

    request: SignedRequest
    address: str
    scope: Scope | None = None
    claim: Claim | None = None

    @property
    def size(self) -> int:
        return len(self.request.body)


class Arrived(NamedTuple):
    """The arguments of a clock's endpoint: the call, and the platform that answers it."""

    platform: Platform
    call: Call

    @property
    def query(self) -> QueryParams:
        """Returns the parameters of the query."""
        return QueryParams(self.call.scope["query_string"] if self.call.scope else b"")


class ClockGuard(SessionlessGuard):
    """The guard of clocks' endpoints: like `DeviceOnly` it refuses persons' sessions, and it also reads the request.
    Two separate dependencies would cost much more time.
    """

    async def __call__(self, request: Request) -> Arrived:
        """Returns the request with its whole body. Refuses the request before its body is read if it is unsigned, or if
        its device is unassigned and has used up its budget.
        """
        self._judge(request)
        platform: Platform = request.app.state.platform
        scope = request.scope
        uri = called_uri(scope, platform.settings.public_url)
        address = scope["client"][0] if scope.get("client") else ""
        headers = _headers(scope["headers"])
        head_call = Call(SignedRequest(scope["method"], uri, headers), address, scope)
        try:
            claim = read(head_call)
            if scope["method"] == "POST":
                await _expect(platform, head_call, claim)
        except Problem:
            await drain_body(request)
            raise
        if scope["method"] == "GET" and not has_body(headers):
            return Arrived(platform, Call(head_call.request, address, scope, claim))
        signed_request = SignedRequest(scope["method"], uri, headers, await request.body())
        return Arrived(platform, Call(signed_request, address, scope))


FromClock = Annotated[Arrived, Depends(ClockGuard("device", refuses_sessions=True))]


def called_uri(scope: Scope, public_url: str | None) -> str:
    """Returns the URI that the clock called. `scope` has already passed `kit/http/addresses.py`."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    target = path.split(b"?", 1)[0].decode("latin-1")
    if scope["query_string"]:
        target += "?" + scope["query_string"].decode("latin-1")
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return signatures.target_uri(scope["scheme"], host, target, public_url)


def authenticate(platform: Platform, call: Call) -> tuple[Key, Claim]:
    """Returns the device that signed the call, and the content of the signature. Raises 401 `bad_signature` or
    `unknown_device`.
    """
    claim = read(call)
    key = KNOWN_KEYS.of(platform).get(claim.keyid) or _find(platform, claim)
    verify(claim, call, key.public_key)
    return key, claim


async def authenticate_soon(platform: Platform, call: Call) -> tuple[Key, Claim]:
    """Does the same as `authenticate`, but on the event loop. It needs a thread (one of the heartbeats') only for a key
    that is not cached.
    """
    claim = read(call)
    key = KNOWN_KEYS.of(platform).get(claim.keyid)
    if key is None:
        key = await platform.bulkheads.beats.run(_find, platform, claim)
    verify(claim, call, key.public_key)
    return key, claim


def _find(platform: Platform, claim: Claim) -> Key:
    with platform.database.read(DEVICES) as session:
        device = devices.find_by_keyid(session, claim.keyid)
    if device is None:
        raise words.unknown_device()
    key, keys = Key(device.no, device.id, device.public_key), KNOWN_KEYS.of(platform)
    if len(keys) >= KEYS_LIMIT:
        keys.clear()
    keys[claim.keyid] = key
    return key


def device_of(session: Session, key: Key) -> Device:
    """Returns the device of this key from the database. Raises 403 `revoked`, or 401 `unknown_device` if a restored
    database no longer has it.
    """
    device = devices.find_by_no(session, key.device_no, key.device_id)
    if device is None:
        raise words.unknown_device()
    check_state(device.revoked_at)
    return device


def check_state(revoked_at: datetime | None) -> None:
    """Raises 403 `revoked` if the device was withdrawn."""
    if revoked_at is not None:
        raise words.revoked()


def read(call: Call) -> Claim:
    """Returns the content of the signature without verifying it. Raises 401 `bad_signature` if it cannot be parsed."""
    if call.claim is not None:
        return call.claim
    try:
        return signatures.read(call.request)
    except BadSignature as wrong:
        log.warning("signature_refused", reason=str(wrong)[:REASON_LIMIT], client=call.address)
        raise words.bad_signature() from None


def verify(claim: Claim, call: Call, public_key: bytes) -> None:
    """Raises 401 `bad_signature` unless the holder of `public_key` signed exactly this call."""
    if claim.keyid != keyid(public_key):
        log.warning("signature_refused", reason="keyid", client=call.address)
        raise words.bad_signature()
    wrong = _wrong(claim, call.request, public_key)
    if wrong is not None:
        _log_refusal(wrong, claim, call, public_key)
        raise words.bad_signature()


def _wrong(claim: Claim, request: SignedRequest, public_key: bytes) -> BadSignature | None:
    """Returns None if the key's holder signed the request in one of its possible forms on the wire; else what
    is wrong.
    """
    wrong = None
    for possible in _as_called(request):
        try:
            signatures.verify(claim, possible, public_key)
        except BadSignature as error:
            wrong = error
        else:
            return None
    return wrong


def _log_refusal(wrong: BadSignature, claim: Claim, call: Call, public_key: bytes) -> None:
    """Logs why a signature was refused. If the clock only calls another address than the expected one, the line names
    it.
    """
    fields = {"reason": str(wrong)[:REASON_LIMIT], "keyid": claim.keyid, "client": call.address}
    if fields["reason"] == signatures.SIGNATURE_MISMATCH:
        fields["expected"] = _without_query(call.request.target_uri)
        called_address = "" if call.scope is None else called_uri(call.scope, None)
        if (
            call.scope is not None
            and _wrong(claim, replace(call.request, target_uri=called_address), public_key) is None
        ):
            fields["called"] = _without_query(called_address)
            fields["effect"] = "the clock calls another address than STEMPELWERK_PUBLIC_URL"
    log.warning("signature_refused", **fields)


def _without_query(uri: str) -> str:
    return uri.split("?", 1)[0]


def check_time(platform: Platform, claim: Claim) -> None:
    """Raises 401 `clock_skew` if the request was signed more than 300 s before or after the server's time."""
    now = platform.clock.now()
    if not signatures.within(claim, now):
        raise words.clock_skew(now)


def check_own_time(platform: Platform) -> None:
    """Raises 503 `time_in_doubt` while the server's time is in doubt. Clocks take the time in an answer as the true
    time of their stamps, so no wrong time may be sent.
    """
    if service_time.misleads_clocks(platform):
        raise words.time_in_doubt()


def spend_unassigned(platform: Platform, call: Call) -> None:
    """Charges the call to the budget of unassigned devices. Raises 429 if that is used up. The caller has verified the
    signature.
    """
    size = len(call.request.body)
    wait = BUDGETS.of(platform).unassigned(read(call).keyid, call.address, size, platform.clock.now())
    if wait:
        raise words.too_many(wait)


async def _expect(platform: Platform, call: Call, claim: Claim) -> None:
    """Raises 429, before the body is read, if the device is unassigned and its budget does not suffice for the
    announced size.

    The signature is not verified yet, so the sender may only pretend to have this key. Therefore nothing is charged
    here, and assigned devices always pass.
    """
    announced = call.request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else 0
    wait = BUDGETS.of(platform).unassigned_wait(claim.keyid, call.address, size, platform.clock.now())
    if not wait:
        return
    with platform.bulkheads.clocks.permit():
        if await platform.bulkheads.clocks.run(_is_unassigned, platform, claim.keyid):
            raise words.too_many(wait)


def _is_unassigned(platform: Platform, keyid: str) -> bool:
    """Returns whether the key is that of an unassigned device that is not revoked."""
    with platform.database.read(DEVICES) as session:
        device = devices.find_by_keyid(session, keyid)
        if device is None or device.revoked_at is not None:
            return False
        return devices.assignment_now(session, device.no, platform.clock.now()) is None


def admit_sender(platform: Platform, call: Call, key: Key) -> None:
    """Checks that the device exists, is not revoked and, if unassigned, has budget left. Called before the body is
    parsed. Raises 401 and 403 like `device_of`, 429 like `spend_unassigned`.
    """
    with platform.database.read(DEVICES) as session:
        device = device_of(session, key)
        unassigned = devices.assignment_now(session, device.no, platform.clock.now()) is None
    if unassigned:
        spend_unassigned(platform, call)


def _as_called(request: SignedRequest) -> list[SignedRequest]:
    """Returns the possible forms of the request on the wire. There are two for a target without a query, because ASGI
    does not show whether it ended with `?`.
    """
    if "?" in request.target_uri:
        return [request]
    return [request, replace(request, target_uri=f"{request.target_uri}?")]


def _headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Returns header values by lower-case name. Values of several lines with one name are joined by ", " as in RFC
    9110.
    """
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1").strip()
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers
