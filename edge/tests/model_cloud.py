"""A cloud as the contract's pages describe it, in memory and small enough to be believed, for the clock's tests.

It knows devices, leases, receipts, gaps, people and their answers; no companies' rules and no entries. The contract's
vectors for the cloud are not run against it: they are the cloud's affair.
"""

import asyncio
import copy
import itertools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx
from stempelwerk_edge.cloud import wire

_MARKS = itertools.count(1)
"""No two are alike, whatever is restored."""

Body = dict[str, Any]
Reply = tuple[int, Body]


@dataclass
class Device:
    """A device as the cloud holds it."""

    id: str
    confirmed: int = 0
    confirmed_by: str | None = None
    pending: int = 1
    forked: bool = False
    batches: list[str] = field(default_factory=list)
    replay_since: str | None = None
    answers_mark: str = "0"


@dataclass
class Stream:
    """An epoch: which numbers came, which are gone, the highest known."""

    came: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    end: int = 0

    def missing(self) -> list[list[int]]:
        """The ranges that lack."""
        ranges: list[list[int]] = []
        for seq in range(1, max([self.end, *self.came, *self.lost]) + 1):
            if seq in self.came or seq in self.lost:
                continue
            if ranges and ranges[-1][1] == seq - 1:
                ranges[-1][1] = seq
            else:
                ranges.append([seq, seq])
        return ranges


class ModelCloud:
    """The cloud. `now` is its time; `arrivals` and `heartbeats` record its requests."""

    def __init__(self, now: Callable[[], datetime], server_id: str = "server-1") -> None:
        self.now, self.server_id = now, server_id
        self.devices: dict[str, Device] = {}
        self.receipts: dict[str, str] = {}
        self.stamps: dict[str, Body] = {}
        self.streams: dict[str, Stream] = {}
        self.anchors: set[tuple[str, int]] = set()
        self.assignment: Body | None = None
        self.name: str | None = "Tor 1"
        self.people: list[Body] = []
        self.revision = "1"
        self.config: Body = {}
        self.arrivals: list[tuple[str, list[str]]] = []
        self.heartbeats: list[Body] = []
        self.logs: dict[str, Body] = {}
        self.answers: dict[str, Body] = {}
        self.refused: dict[str, str] = {}
        self.answered: list[list[str]] = []
        self.knows_answers = True
        self.rejects: dict[str, str] = {}
        self.most_answers = 500
        self.asks_for_missing = True
        self.largest_batch = 500
        self.poison: set[str] = set()
        self.update: Body | None = None
        self.channel = "stable"
        self.release: Reply = (204, {})

    def backup(self) -> "ModelCloud":
        """Returns a copy of the database."""
        backup_cloud = ModelCloud(self.now, self.server_id)
        backup_cloud.restore(self)
        return backup_cloud

    def restore(self, backup: "ModelCloud") -> None:
        """Go back to what a backup holds."""
        for name in ("devices", "receipts", "stamps", "streams", "anchors", "logs", "answers", "refused"):
            setattr(self, name, copy.deepcopy(getattr(backup, name)))

    # ---- calls

    def handle(self, method: str, path: str, body: bytes | None, keyid: str) -> Reply:
        """Answer one request, rightly signed by this key."""
        if path == wire.ENROLL:
            return 200, self._enrol(keyid)
        device, content = self.devices.get(keyid), json.loads(body or b"{}")
        if device is None:
            return 401, {"code": "unknown_device"}
        calls: dict[str, Callable[[], Reply]] = {
            wire.STAMPS: lambda: self._stamps(device, content),
            wire.HEARTBEAT: lambda: (200, self._heartbeat(device, content)),
            wire.LOGS: lambda: (200, self._logs(content)),
            wire.ANSWERS: lambda: self._take_answers(device, content),
        }
        if path.startswith("/api/clocks/"):
            return self.release if path == wire.UPDATE.format(device.id) else (404, {"code": "not_found"})
        return calls[path]() if path in calls else (200, self._people(is_delta="since" in path))

    def _people(self, *, is_delta: bool) -> Body:
        return {"revision": self.revision, "reset": not is_delta, "people": self.people, "removed": []}

    def _common(self, device: Device) -> Body:
        return {
            "deviceId": device.id,
            "serverId": self.server_id,
            "serverTime": wire.instant_text(self.now()),
            "lease": device.pending,
            "assignment": self.assignment,
        }

    def _enrol(self, keyid: str) -> Body:
        device = self.devices.setdefault(keyid, Device(f"device-{len(self.devices) + 1}"))
        return {**self._common(device), "claimCode": "00000000"}

    def _heartbeat(self, device: Device, body: Body) -> Body:
        self.heartbeats.append(body)
        config = {"heartbeatS": 30, "maxBatch": 50, **self.config}
        actions = [{"replay": {"since": device.replay_since}}] if device.replay_since else []
        extra_fields = {"name": self.name, "peopleRevision": self.revision, "config": config, "actions": actions}
        extra_fields |= {"answersMark": device.answers_mark} if self.knows_answers else {}
        extra_fields |= {"update": self.update, "channel": self.channel}
        return {**self._common(device), **extra_fields}

    def _logs(self, body: Body) -> Body:
        self.logs.update({entry["id"]: entry for entry in body["entries"]})
        return {"results": [{"id": entry["id"], "outcome": "stored"} for entry in body["entries"]]}

    def _take_answers(self, device: Device, body: Body) -> Reply:
        answers = body["answers"]
        if not self.knows_answers:
            return 404, {"code": "not_found"}
        if len(answers) > self.most_answers:
            return 413, {"code": "batch_too_large"}
        self.answered.append([answer["id"] for answer in answers])
        mark_before, known_count = device.answers_mark, len(self.answers) + len(self.refused)
        results = [{"id": answer["id"], **self._take_answer(answer)} for answer in answers]
        if len(self.answers) + len(self.refused) > known_count:
            device.answers_mark = f"mark-{next(_MARKS)}"
        return 200, {"results": results, "markBefore": mark_before, "mark": device.answers_mark}

    def _take_answer(self, answer: Body) -> Body:
        if answer["id"] not in self.answers | self.refused:
            if answer["stampId"] not in self.receipts:
                self.refused[answer["id"]] = "unknown_stamp"
            elif answer["newEnd"] in self.rejects:
                self.refused[answer["id"]] = self.rejects[answer["newEnd"]]
        if answer["id"] in self.refused:
            return {"outcome": "rejected", "code": self.refused[answer["id"]]}
        outcome = "duplicate" if answer["id"] in self.answers else "stored"
        self.answers[answer["id"]] = answer
        return {"outcome": outcome}

    # ---- stamps

    def _stamps(self, device: Device, body: Body) -> Reply:
        stamps = body["stamps"]
        if len(stamps) > self.largest_batch:
            return 413, {"code": "batch_too_large"}
        if any(stamp["id"] in self.poison for stamp in stamps):
            return 422, {"code": "unreadable_batch"}
        self.arrivals.append((body["batch"], [stamp["id"] for stamp in stamps]))
        actions = self._lease(device, body["batch"], body["lease"], body.get("leaseFrom"))
        self.anchors.update((anchor["boot"], anchor["boottimeMs"]) for anchor in body["anchors"])
        results = [{"id": stamp["id"], "outcome": self._merge(stamp), "state": "booked"} for stamp in stamps]
        stream = self.streams.setdefault(body["epoch"], Stream())
        stream.came.update(stamp["seq"] for stamp in stamps)
        for first, last in body["gone"]:
            stream.lost.update(range(first, last + 1))
        if body["previous"] is not None:
            previous_stream = self.streams.setdefault(body["previous"]["epoch"], Stream())
            previous_stream.end = max(previous_stream.end, body["previous"]["lastSeq"])
        if self.asks_for_missing:
            actions += [
                {"replay": {"epoch": epoch, "from": first, "to": last}}
                for epoch, stream in self.streams.items()
                for first, last in stream.missing()
            ]
        return 200, {
            "batch": body["batch"],
            "serverId": self.server_id,
            "serverTime": wire.instant_text(self.now()),
            "lease": device.pending,
            "results": results,
            "streams": [],
            "actions": actions,
        }

    def _merge(self, stamp: Body) -> str:
        digest, receipt = wire.digest(stamp), self.receipts.get(stamp["id"])
        if receipt is None:
            self.receipts[stamp["id"]], self.stamps[stamp["id"]] = digest, stamp
            return "stored"
        return "duplicate" if receipt == digest else "variant"

    def _lease(self, device: Device, batch: str, lease: int | None, lease_from: str | None) -> list[Body]:
        if batch not in device.batches and lease is not None:
            if lease == device.pending:
                device.forked |= _came_before(device.batches, lease_from, device.confirmed_by)
                device.confirmed, device.confirmed_by, device.pending = lease, batch, lease + 1
                device.replay_since = None
            elif lease > device.pending:
                device.confirmed, device.confirmed_by, device.pending = lease, batch, lease + 1
                device.replay_since = wire.instant_text(self.now() - timedelta(days=30))
            elif not (lease == device.confirmed and batch == device.confirmed_by):
                device.forked = True
        if batch not in device.batches:
            device.batches.append(batch)
        return [{"replay": {"since": device.replay_since}}] if device.replay_since else []


def _came_before(batches: list[str], batch: str | None, reference: str | None) -> bool:
    are_known = batch in batches and reference in batches
    return are_known and batches.index(str(batch)) < batches.index(str(reference))


_KEYID = re.compile(r'keyid="([^"]+)"')


class Net:
    """The way to a cloud: an httpx transport whose next messages may be lost. `luck` is asked for every request.

    `instead` may answer in the cloud's place; `under_way_s` is how long the cloud's own answer is on its way.
    """

    def __init__(self, cloud: ModelCloud) -> None:
        self.cloud = cloud
        self.luck: Callable[[httpx.Request], str] = lambda _: "ok"
        self.instead: Callable[[httpx.Request], httpx.Response | None] = lambda _: None
        self.under_way_s: Callable[[httpx.Request], float] = lambda _: 0.0
        self.requests: list[httpx.Request] = []

    def transport(self, _check_dates: bool) -> httpx.AsyncBaseTransport:
        """A transport, as the agent's port wants it."""
        return httpx.MockTransport(self._pass)

    async def _pass(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.instead(request)
        if answer is not None:
            return answer
        luck = self.luck(request)
        if luck == "down":
            raise httpx.ConnectError("refused", request=request)
        if luck == "portal":
            return httpx.Response(200, text="<html>Willkommen im WLAN</html>")
        if luck.isdecimal():
            return httpx.Response(int(luck), text="<h1>no</h1>")
        match = _KEYID.search(request.headers["Signature-Input"])
        assert match is not None
        path = request.url.raw_path.decode()
        status, body = self.cloud.handle(request.method, path, request.content, match[1])
        if luck == "lost answer":
            raise httpx.ReadTimeout("lost", request=request)
        if seconds := self.under_way_s(request):
            await asyncio.sleep(seconds)
        return httpx.Response(status) if status == 204 else httpx.Response(status, json=body)
