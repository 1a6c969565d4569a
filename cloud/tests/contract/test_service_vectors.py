"""The vectors of the running service. The tables are emptied between cases.

Both databases run them; signatures need no database, so SQLite checks them.
"""

import copy
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text
from stempelwerk_cloud.app import create_app, metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.device_api.signed import enrolment, gate
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.signed.signatures import SignedRequest
from stempelwerk_cloud.fleet.devices.changes.keys import read_public_key
from stempelwerk_cloud.fleet.devices.service import Identity, enrol
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.timekeeping.ledger.tables import Stamp, StampClaim
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.contract.vectors import Case, as_uuid, cases
from cloud.tests.device_client import Clock
from cloud.tests.many_in_one import many_in_one
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import World

NOW = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


class Service:
    """One application for a whole module."""

    def __init__(self, client: TestClient, platform: Platform, clock: SettableClock) -> None:
        self.client = client
        self.platform = platform
        self.clock = clock

    def clear(self) -> None:
        with self.platform.database.write(SYSTEM) as tx:
            for table in reversed(metadata().sorted_tables):
                if table.name in {"audit_entries", "tombstones"}:  # no role may
                    continue
                tx.execute(text(f"DELETE FROM {table.name}"))
        self.platform.info.clear()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        shutil.copyfile(template, folder / "service.db")
        url = f"sqlite:///{folder / 'service.db'}"
    else:
        url = postgres_server.new_database(request.getfixturevalue("postgres_template"))
    clock = SettableClock(NOW)
    app = create_app(Settings(database_url=url, data_dir=folder, web_dir=folder), clock=clock)
    with QuickClient(app, raise_server_exceptions=False) as client:
        yield Service(client, app.state.platform, clock)


@pytest.fixture
def service(running: Service) -> Service:
    running.clock.set(NOW)
    running.clear()
    return running


def _body(given: dict[str, Any]) -> bytes:
    if "bodyText" in given:
        return str(given["bodyText"]).encode()
    body = copy.deepcopy(given["body"])
    if "repeat" in given:
        (stamp,) = body["stamps"]
        body["stamps"] = [
            stamp | {"seq": number, "id": f"{stamp['id'][:-12]}{number:012x}"}
            for number in range(1, given["repeat"] + 1)
        ]
    return json.dumps(body).encode()


@cases("batches")
def test_batches(service: Service, case: Case) -> None:
    device = Clock(service.client, service.clock)
    device.enrol()
    answer = device.send("POST", "/api/devices/stamps", _body(case["input"]))
    expected = case["expected"]
    assert answer.status_code == expected["status"], answer.text
    if "code" in expected:
        assert answer.json()["code"] == expected["code"]
        return
    results = answer.json()["results"]
    if "allResults" in expected:
        assert len(results) == expected["allResults"]["count"]
        assert {result["outcome"] for result in results} == {expected["allResults"]["outcome"]}
    else:
        assert [{"id": one["id"], "outcome": one["outcome"]} for one in results] == expected["results"]


@cases("variants")
def test_variants(service: Service, case: Case) -> None:
    world = World(service.client, service.platform)
    firm = world.firm()
    world.user(firm.id, "carla", tag="04A224B1C2D380")
    device = Clock(service.client, service.clock)
    device.enrol()
    with service.platform.database.write(SYSTEM) as tx:
        number = tx.scalar(select(Device.no).where(Device.id == device.device_id))
        assert number is not None
        begun = datetime(2026, 1, 1, tzinfo=UTC)
        tx.add(
            DeviceAssignment(
                company_id=firm.id,
                id=case["input"]["arrivals"][0]["assignment"],
                device_no=number,
                starts_at=begun,
                assigned_at=begun,
            )
        )
    answers = [device.deliver(arrival) for arrival in case["input"]["arrivals"]]
    expected = case["expected"]
    assert [answer["results"][0]["outcome"] for answer in answers] == expected["outcomes"]
    assert (answers[-1]["results"][0]["state"] == "conflict") is expected["conflict"]
    with service.platform.database.read(SYSTEM) as tx:
        claims = tx.scalars(select(StampClaim.digest)).all()
        (stamp,) = tx.scalars(select(Stamp)).all()
        kept = {f"{digest & (2**64 - 1):016x}" for digest in claims}
        if expected["kept"] > 1:
            assert kept == {digest[:16] for digest in expected["digests"]}
        else:
            assert not kept
        counting = next(
            arrival
            for arrival, digest in zip(case["input"]["arrivals"], expected["digests"], strict=True)
            if digest == expected["counts"]
        )
        assert (stamp.seq, stamp.reported_bits & 3) == (
            counting["seq"],
            ["auto", "in", "out"].index(counting["direction"]),
        )


@cases("heartbeat_order")
def test_heartbeat_order(service: Service, case: Case) -> None:
    world = World(service.client, service.platform)
    device = Clock(service.client, service.clock)
    device.enrol()
    applied = []
    for sent in case["input"]["heartbeats"]:
        service.clock.advance(seconds=30)
        clock = {"wall": "x", "boot": as_uuid(sent["boot"]), "boottimeMs": sent["boottimeMs"], "quality": "ntp"}
        assert device.beat(clock=clock).status_code == 200
        (listed,) = world.founder.get("/api/devices").json()
        applied.append(parse_instant(listed["lastSeen"]) == service.clock.now())
    assert applied == case["expected"]["applied"]


@pytest.mark.parametrize("running", ["sqlite"], indirect=True)
@cases("signature_check")
def test_signature_checks(service: Service, case: Case) -> None:
    given = case["input"]
    service.clock.set(parse_instant(given["serverTime"]))
    with service.platform.database.write(SYSTEM) as tx, many_in_one():
        for one in given["devices"]:
            key = read_public_key(one["publicKey"])
            device = enrol(tx, service.platform, Identity("", "", "", "", "", key))
            device.revoked_at = service.clock.now() if one["revoked"] else None
    sent = given["request"]
    headers = {name.lower(): value for name, value in sent["headers"].items()}
    request = SignedRequest(sent["method"], sent["targetUri"], headers, (sent["body"] or "").encode())
    said = _said(service, Call(request, "203.0.113.9"), sent["targetUri"])
    assert said == case["expected"]


def _said(service: Service, call: Call, uri: str) -> dict[str, Any]:
    """Returns the gate's answer, in the order of the calls' checks."""
    platform = service.platform
    try:
        if uri.endswith("/enroll"):
            enrolment.enrol(platform, call)
            return {"status": 200, "keyid": gate.read(call).keyid}
        with platform.database.write(SYSTEM) as tx:
            key, claim = gate.authenticate(platform, call)
            gate.device_of(tx, key)
            if not uri.endswith(("/stamps", "/logs")):
                gate.check_time(platform, claim)
            return {"status": 200, "keyid": claim.keyid}
    except Problem as problem:
        said: dict[str, Any] = {"status": problem.status, "code": problem.code}
        return said | problem.extra
