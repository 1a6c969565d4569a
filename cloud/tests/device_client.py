"""A clock for tests, with a real key. It signs every request by hand according to the contract, and forgets nothing.

It shares no code with the service: it implements the format a second time.
"""

import base64
import hashlib
import json
import random
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi.testclient import TestClient
from httpx2 import Response

HOST = "http://testserver"
STAMPS = "/api/devices/stamps"
HEARTBEAT = "/api/devices/heartbeat"


class HasNow(Protocol):
    def now(self) -> datetime: ...


class SetNow(HasNow, Protocol):
    def set(self, instant: datetime) -> None: ...

    def advance(self, **duration: float) -> None: ...


def iso(instant: datetime) -> str:
    return f"{instant:%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"


def uuid7(instant: datetime, rng: random.Random) -> str:
    milliseconds = int(instant.timestamp() * 1000)
    return str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | rng.getrandbits(12) << 64 | 2 << 62 | rng.getrandbits(62)))


def sign(
    key: Ed25519PrivateKey, keyid: str, method: str, uri: str, body: bytes, created: int, nonce: str
) -> dict[str, str]:
    """The headers that sign a request."""
    headers = {}
    components = ["@method", "@target-uri"]
    lines = [f'"@method": {method}', f'"@target-uri": {uri}']
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        headers = {"Content-Digest": f"sha-256=:{digest}:", "Content-Type": "application/json"}
        components.append("content-digest")
        lines.append(f'"content-digest": sha-256=:{digest}:')
    names = " ".join(f'"{name}"' for name in components)
    parameters = f'({names});created={created};nonce="{nonce}";keyid="{keyid}";alg="ed25519"'
    lines.append(f'"@signature-params": {parameters}')
    signature = base64.b64encode(key.sign("\n".join(lines).encode())).decode()
    return headers | {"Signature-Input": f"sig1={parameters}", "Signature": f"sig1=:{signature}:"}


@dataclass
class Clock:
    """A clock. `now` is the service's time, which it knows; `rng` makes its ids and key repeatable."""

    client: TestClient
    now: HasNow
    serial: str = "SW-T-1"
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    key: Ed25519PrivateKey = field(init=False)
    boot: str = field(init=False)
    epoch: str = field(init=False)
    booted: datetime = field(init=False)
    assignment: str | None = None
    lease: int | None = None
    previous: dict[str, Any] | None = None
    seq: int = 0
    hardware_id: str = "hw-1"
    device_id: str = ""
    server_id: str = ""

    def __post_init__(self) -> None:
        self.key = Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))
        self.start_system()

    @property
    def public_key(self) -> bytes:
        return self.key.public_key().public_bytes_raw()

    @property
    def keyid(self) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(self.public_key).digest()).rstrip(b"=").decode()

    def uuid4(self) -> str:
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def start_system(self) -> None:
        self.boot = self.uuid4()
        self.booted = self.now.now() - timedelta(hours=1)
        self.epoch = self.uuid4()

    def start_agent(self) -> None:
        self.previous = {"epoch": self.epoch, "lastSeq": self.seq}
        self.epoch = self.uuid4()
        self.seq = 0

    def boottime(self, instant: datetime) -> int:
        return max(int((instant - self.booted) / timedelta(milliseconds=1)), 0)

    def send(
        self, method: str, path: str, body: bytes = b"", *, created: int | None = None, **headers: str
    ) -> Response:
        signed_at = int(self.now.now().timestamp()) if created is None else created
        signed = sign(self.key, self.keyid, method, HOST + path, body, signed_at, self.uuid4())
        return self.client.request(method, path, content=body or None, headers=signed | headers)

    def signed(self, message: dict[str, Any], path: str = STAMPS) -> tuple[dict[str, str], bytes]:
        """The headers that sign a message, and its bytes; not sent."""
        body, signed_at = json.dumps(message).encode(), int(self.now.now().timestamp())
        return sign(self.key, self.keyid, "POST", HOST + path, body, signed_at, self.uuid4()), body

    def post(self, path: str, message: Any) -> Response:
        return self.send("POST", path, json.dumps(message).encode())

    def enrol(self, **changes: Any) -> Response:
        message = {
            "proto": 1,
            "serial": self.serial,
            "mac": "b8:27:eb:00:00:01",
            "profile": "core",
            "version": "1.0.0",
            "hardwareId": self.hardware_id,
            "publicKey": base64.b64encode(self.public_key).decode(),
        } | changes
        answer = self.post("/api/devices/enroll", message)
        if answer.status_code == 200:
            self._take(answer.json())
        return answer

    def beat(self, instant: datetime | None = None, **changes: Any) -> Response:
        answer = self.post(HEARTBEAT, self.heartbeat(instant, **changes))
        if answer.status_code == 200:
            self._take(answer.json())
        return answer

    def heartbeat(self, instant: datetime | None = None, **changes: Any) -> dict[str, Any]:
        """A heartbeat; not sent."""
        at = instant or self.now.now()
        return {
            "proto": 1,
            "version": "1.0.0",
            "profile": "core",
            "ip": "192.168.178.41",
            "mac": "b8:27:eb:00:00:01",
            "uptimeS": 10,
            "clock": {"wall": iso(at), "boot": self.boot, "boottimeMs": self.boottime(at), "quality": "ntp"},
            "queue": {"depth": 0, "oldest": None, "diskFreeMb": 1000},
            "reader": "ok",
            "update": None,
        } | changes

    def anchor(self, instant: datetime | None = None, rtt_ms: int = 20) -> dict[str, Any]:
        at = instant or self.now.now()
        return {"boot": self.boot, "boottimeMs": self.boottime(at), "serverTime": iso(at), "rttMs": rtt_ms}

    def tap(self, tag: str, at: datetime | None = None, **changes: Any) -> dict[str, Any]:
        """A stamp, numbered; not sent."""
        instant = at or self.now.now()
        self.seq += 1
        return {
            "id": uuid7(instant, self.rng),
            "seq": self.seq,
            "assignment": self.assignment,
            "tag": tag,
            "direction": "auto",
            "wall": iso(instant),
            "boot": self.boot,
            "boottimeMs": self.boottime(instant),
            "quality": "ntp",
            "via": "reader",
            "shown": None,
        } | changes

    def batch(self, *stamps: Any, **changes: Any) -> dict[str, Any]:
        """A batch of these stamps; not sent."""
        return {
            "proto": 1,
            "batch": self.uuid4(),
            "lease": self.lease,
            "epoch": self.epoch,
            "previous": self.previous,
            "gone": [],
            "anchors": [],
            "stamps": list(stamps),
        } | changes

    def deliver(self, *stamps: Any, **changes: Any) -> dict[str, Any]:
        """Sends a batch that must be taken; its answer."""
        return self.sent(self.batch(*stamps, **changes))

    def sent(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Sends this very batch, which must be taken; its answer."""
        answer = self.post("/api/devices/stamps", batch)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        self.lease = found["lease"]
        return found

    def _take(self, answer: dict[str, Any]) -> None:
        self.device_id = answer["deviceId"]
        self.server_id = answer["serverId"]
        self.assignment = answer["assignment"] and answer["assignment"]["id"]
        if self.lease is None:
            self.lease = answer["lease"]


def outcomes(answer: dict[str, Any]) -> list[str]:
    return [result["outcome"] for result in answer["results"]]


def states(answer: dict[str, Any]) -> list[str | None]:
    return [result["state"] for result in answer["results"]]
