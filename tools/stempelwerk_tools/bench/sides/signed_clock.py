"""A clock that only delivers: makes a key, enrols, and prepares signed batches of made-up taps ahead of time.

It is written against the contract and shares no code with the agent, so that preparing a request costs little. It reads
only the answer to its enrolment: it predicts its leases, which holds as long as every batch is answered.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stempelwerk_tools.bench.sides.expected import Tap
from stempelwerk_tools.bench.sides.load import request

TAPS_APART = timedelta(hours=8)  # of one person
REST = timedelta(hours=8)  # after all have come and gone: with less of it each entry would be flagged


class SignedClock:
    """One device. The `tags` tap in turn; the first tap is at `first_tap`.

    After all people have come and gone there is a pause. `taps` are all taps of the batches that it has made.
    """

    def __init__(
        self,
        origin: str,
        number: int,
        tags: list[str],
        first_tap: datetime,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._origin, self._now = origin, now
        self._key = Ed25519PrivateKey.generate()
        self.public_key = self._key.public_key().public_bytes_raw()
        digest = hashlib.sha256(self.public_key).digest()
        self._keyid = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        self._number = number
        self._tags = itertools.cycle(tags)
        self._every = TAPS_APART / len(tags)
        self._at = first_tap
        self._rests = itertools.cycle([*[timedelta()] * (2 * len(tags) - 1), REST])
        self._seq = itertools.count(1)
        self._lease = itertools.count(1)
        self._epoch, self._boot = str(uuid.uuid4()), str(uuid.uuid4())
        self._booted = first_tap - timedelta(hours=1)
        self.assignment = ""
        self.taps: list[Tap] = []

    def enrolment(self) -> bytes:
        """Returns the request that enrols this device."""
        body = {
            "proto": 1,
            "serial": f"BENCH-{self._number:03}",
            "mac": f"02:00:00:00:00:{self._number:02x}",
            "profile": "core",
            "version": "0.1.0",
            "hardwareId": f"bench:{self._number}",
            "publicKey": base64.b64encode(self.public_key).decode(),
        }
        return self.signed("POST", "/api/devices/enroll", json.dumps(body).encode())

    def heartbeat(self, boottime_ms: int = 1) -> bytes:
        """Returns the request of a heartbeat, whose answer has the assignment."""
        return self.signed("POST", "/api/devices/heartbeat", self.beat(boottime_ms))

    def beat(self, boottime_ms: int, version: str = "0.1.0", runs_on: str = "cp311-x86_64") -> bytes:
        """Returns the body of a heartbeat that reports no problem, and a portable scanner in its base."""
        wall = _text(self._now())
        clock = {"wall": wall, "boot": self._boot, "boottimeMs": boottime_ms, "quality": "ntp"}
        scanner = {
            **{"serial": f"SC-{self._number}", "board": "rp2040", "version": "1.2.0", "battery": 87, "charging": True},
            **{"log": {"used": 0, "capacity": 4000}, "overflow": 0, "reader": "ok"},
            **{"lastSeen": wall, "connected": True},
        }
        body = {
            "proto": 1,
            "version": version,
            "profile": "core",
            "ip": "192.168.178.41",
            "mac": "b8:27:eb:4a:10:9c",
            "uptimeS": boottime_ms // 1000,
            "clock": clock,
            "queue": {"depth": 0, "oldest": None, "diskFreeMb": 1000},
            "reader": "ok",
            "update": None,
            "scanners": [scanner],
            "platform": runs_on,
        }
        return json.dumps(body).encode()

    def batch(self, size: int) -> bytes:
        """Returns the request with the next `size` taps, never sent before."""
        return self.signed("POST", "/api/devices/stamps", self.batch_of([self.next_tap() for _ in range(size)]))

    def batch_of(self, taps: Sequence[tuple[str, datetime]]) -> bytes:
        """Returns the body of a batch with these taps, each a tag and a time."""
        stamps = [self._tap(tag, tapped_at) for tag, tapped_at in taps]
        anchor = {
            "boot": self._boot,
            "boottimeMs": stamps[-1]["boottimeMs"],
            "serverTime": stamps[-1]["wall"],
            "rttMs": 40,
        }
        body = {
            "proto": 1,
            "batch": str(uuid.uuid4()),
            "lease": next(self._lease),
            "epoch": self._epoch,
            "previous": None,
            "gone": [],
            "anchors": [anchor],
            "stamps": stamps,
        }
        return json.dumps(body).encode()

    def next_tap(self) -> tuple[str, datetime]:
        """Returns the tag and the time of the next made-up tap."""
        tapped_at = self._at
        self._at += self._every + next(self._rests)
        return next(self._tags), tapped_at

    def _tap(self, tag: str, tapped_at: datetime) -> dict[str, Any]:
        stamp = int(tapped_at.timestamp() * 1000)
        ident = uuid.UUID(int=stamp << 80 | 7 << 76 | 2 << 62 | uuid.uuid4().int & (1 << 62) - 1)
        self.taps.append(Tap(tag, stamp, str(ident)))
        return {
            "id": str(ident),
            "seq": next(self._seq),
            "assignment": self.assignment,
            "tag": tag,
            "direction": "auto",
            "wall": _text(tapped_at),
            "boot": self._boot,
            "boottimeMs": (tapped_at - self._booted) // timedelta(milliseconds=1),
            "quality": "ntp",
            "via": "reader",
            "shown": None,
        }

    def signed(self, method: str, path: str, body: bytes) -> bytes:
        """Returns the bytes of a request with its digest and signature."""
        return request(method, path, body, self.headers(method, path, body))

    def headers(self, method: str, path: str, body: bytes | None) -> dict[str, str]:
        """Returns the headers of a request: the signature (RFC 9421), and the body's digest (RFC 9530) if there is a
        body.
        """
        signed = {"@method": method, "@target-uri": f"{self._origin}{path}"}
        if body is not None:
            signed["content-digest"] = f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"
        components = " ".join(f'"{name}"' for name in signed)
        parameters = (
            f'({components});created={int(self._now().timestamp())};nonce="{uuid.uuid4().hex}"'
            f';keyid="{self._keyid}";alg="ed25519"'
        )
        base = "\n".join(f'"{name}": {value}' for name, value in {**signed, "@signature-params": parameters}.items())
        signature = base64.b64encode(self._key.sign(base.encode())).decode()
        return {
            "Host": self._origin.removeprefix("http://"),
            **({} if body is None else {"Content-Digest": signed["content-digest"]}),
            "Signature-Input": f"sig1={parameters}",
            "Signature": f"sig1=:{signature}:",
        }


def _text(instant: datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03}Z"
