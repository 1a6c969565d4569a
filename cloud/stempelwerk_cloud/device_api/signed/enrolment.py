"""Enrolment: a clock registers its public key. It may repeat that at any time; its data is then updated."""

from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.device_api import wire, words
from stempelwerk_cloud.device_api.beats.contacts import assignment_member
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.signed.signatures import Claim
from stempelwerk_cloud.device_api.wire import UnknownProto, UnreadableMessage
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes.keys import PublicKeyRefused, read_public_key
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform

_TEXTS = ("serial", "mac", "profile", "version", "hardwareId")


def enrol(platform: Platform, call: Call) -> dict[str, Any]:
    """Enrols a clock and returns the body of the answer. The call is signed by the key that it contains; the signature
    is checked before all other content.
    """
    gate.check_own_time(platform)
    claim = gate.read(call)
    message, public_key = _introduced(call)
    gate.verify(claim, call, public_key)
    identity = _identity(message, public_key)
    with platform.database.write(DEVICES) as tx:  # late: an unverified call must not block SQLite's writer
        return _enrolled(tx, platform, call, claim, identity)


def _enrolled(session: Session, platform: Platform, call: Call, claim: Claim, identity: Identity) -> dict[str, Any]:
    now = platform.clock.now()
    existing_device = devices.find_to_enrol(session, claim.keyid)
    if existing_device is None:
        wait = gate.BUDGETS.of(platform).enrol(call.address, now)
        if wait:
            raise words.too_many(wait)
    elif existing_device.revoked_at is not None:
        raise words.revoked()
    device = devices.enrol(session, platform, identity)
    return {
        "deviceId": device.id,
        "claimCode": device.claim_code,
        "assignment": assignment_member(session, devices.assignment_now(session, device.no, now)),
        "lease": devices.current_lease(session, device.no).pending,
        "serverId": devices.server_id(session, platform),
        "serverTime": format_instant(now),
    }


def _introduced(call: Call) -> tuple[dict[str, Any], bytes]:
    """Parses an enrolment. Returns its message and the public key in it."""
    try:
        message = wire.read_object(call.request.body)
        wire.check_proto(message)
        key = message.get("publicKey")
        return message, read_public_key(key if isinstance(key, str) else "")
    except UnknownProto:
        raise words.unknown_proto() from None
    except (UnreadableMessage, PublicKeyRefused):
        raise words.unreadable("enrolment") from None


def _identity(message: dict[str, Any], public_key: bytes) -> Identity:
    texts = [message.get(name) for name in _TEXTS]
    if not all(wire.is_text(text) for text in texts):
        raise words.unreadable("enrolment")
    serial, mac, profile, version, hardware_id = map(str, texts)
    return Identity(serial, mac, profile, version, hardware_id, public_key)
