"""The demo's company, made as a customer's would be: people by the web API, stamps by a clock with a key of its own.

Nothing bypasses the service. The clock that delivers the history is the demo's clock: its agent later finds the key in
its folder and belongs to the company from its first heartbeat on.
"""

import asyncio
import contextlib
import itertools
import json
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from time import sleep
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.client import CloudClient, http_transport
from stempelwerk_edge.cloud.identity import Identity, load_or_make
from stempelwerk_edge.errors import EdgeError
from stempelwerk_edge.machine.clock import Quality, SystemClock, SystemIds, milliseconds
from stempelwerk_edge.machine.hardware import Hardware, Machine, SystemMachine
from stempelwerk_edge.machine.trusted_time import Reading, TrustedTime
from stempelwerk_edge.storage.rows import Draft, Epoch, Row

from stempelwerk_tools.demo import plans, story
from stempelwerk_tools.demo.crew import Crew
from stempelwerk_tools.demo.house import CLOCK_PROFILE, CLOCK_SERIAL
from stempelwerk_tools.demo.layout import Layout
from stempelwerk_tools.demo.people import (
    COMPANY,
    NEIGHBOUR,
    NEIGHBOURS_OWNER,
    OPERATOR_COMPANY,
    OPERATOR_MAIL,
    OPERATOR_USER,
    PASSWORD,
    STRANGER,
    Person,
)
from stempelwerk_tools.demo.signing_in import NoLogin, log_in

CLOCK_NAME = "Werkstatt"
_BATCH = 500
_VERSION = "demo"
SILENT_SERIAL = "SW-DEMO-0002"
_FULL_MB = 41


class NotMade(RuntimeError):
    """The service refused something that a demo company needs; the text names it."""


def read(layout: Layout) -> dict[str, Any] | None:
    """Returns what an earlier start made; None before the first start, or after one that was interrupted."""
    try:
        facts: dict[str, Any] = json.loads(layout.facts.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return facts if layout.database.exists() and layout.clock_data.exists() else None


def write(layout: Layout, facts: dict[str, Any]) -> None:
    """Stores what was made and where it runs, atomically."""
    fresh = layout.facts.with_suffix(".new")
    fresh.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", "utf-8")
    fresh.replace(layout.facts)


def make(
    address: str, clock_data: Path, mails: Path, crew: Crew, report: Callable[[str], object] = lambda _: None
) -> dict[str, Any]:
    """Makes company, people, clock and history in the fresh service at `address`; returns the facts. Raises NotMade.

    `mails` is where the service's mails arrive; `report` receives progress messages in German.
    """
    now = milliseconds(datetime.now(UTC))
    with _Web(address, mails, crew.mails) as web:
        company_id = web.call("POST", "/api/companies", {"name": COMPANY})["id"]
        modules = [module["id"] for module in web.call("GET", "/api/features")]
        web.call("PUT", f"/api/companies/{company_id}/features", {"featureIds": modules})
        _trouble(web, address, modules, now)
        people = [_hire(web, company_id, person) for person in crew.people]
        for username, email in crew.mails.items():
            web.link(username, email)
        machine = SystemMachine(CLOCK_SERIAL, clock_data)
        identity = load_or_make(clock_data, machine.hardware.all_ids)

        def hang_up() -> None:
            assigned_from = story.start_of_history(now, crew.months)
            notes = "neben der Tür zum Maschinenraum"
            _hang_up(web, company_id, identity.claim_code, assigned_from, name=CLOCK_NAME, notes=notes)

        report(f"{len(people)} Leute sind da; nun stempeln sie {crew.months} Monate lang …")
        try:
            count = asyncio.run(_deliver(address, identity, machine, hang_up, now, crew))
        except EdgeError as error:
            raise NotMade(f"Die Cloud nimmt die Stempel der Demo nicht an: {error}") from error
        ids = {person["username"]: person["id"] for person in people}
        report(f"{count} Stempel sind gebucht; nun wird geplant, gefragt und abgeschlossen …")
        company = _RoundRobin([web.as_person(person.name) for person in crew.administrators])
        plans.make(company, web.as_person, company_id, ids, now, crew)
    return {
        "company": {"id": company_id, "name": COMPANY},
        "operator": {"company": OPERATOR_COMPANY, "username": OPERATOR_USER},
        "password": PASSWORD,
        "people": people,
        "months": crew.months,
        "stamps": count,
    }


class _Web:
    """The calls of the web API as the operator's administrator; on exit it ends its sessions and deletes their
    mails.
    """

    def __init__(self, address: str, mails: Path, addresses: Mapping[str, str]) -> None:
        self._mails, self._addresses = mails, addresses
        self._sessions: list[str] = []
        self._client = httpx.Client(base_url=address, timeout=30, trust_env=False)

    def __enter__(self) -> "_Web":
        try:
            token = self.log_in(OPERATOR_COMPANY, OPERATOR_USER, OPERATOR_MAIL)["token"]
        except NotMade:
            self._client.close()
            raise
        self._client.headers["authorization"] = f"Bearer {token}"
        return self

    def __exit__(self, *_: object) -> None:
        for token in self._sessions:
            self._client.post("/api/logout", headers={"authorization": f"Bearer {token}"})
        self._client.post("/api/logout")
        self._client.close()
        for mail in self._mails.glob("*.eml"):
            mail.unlink()

    def link(self, username: str, email: str) -> None:
        """Links the address to an employee of the company by their first login."""
        token = self.log_in(COMPANY, username, email)["token"]
        self._client.post("/api/logout", headers={"authorization": f"Bearer {token}"})

    def log_in(self, company: str, username: str, email: str) -> dict[str, Any]:
        """Logs a person in and returns the parts of the session; afterwards the address is linked to the person."""
        try:
            return log_in(self._client, self._mails, company, username, PASSWORD, email)
        except NoLogin as error:
            raise NotMade(str(error)) from error

    def as_person(self, username: str) -> "_Person":
        """Returns the calls of a person who has a mail address; their session ends with this object's."""
        token = self.log_in(COMPANY, username, self._addresses[username])["token"]
        self._sessions.append(token)
        return _Person(self._client, {"authorization": f"Bearer {token}"})

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Returns the JSON of a successful answer."""
        return _ask(self._client, method, path, json=body)

    def upload(self, path: str, name: str, content: bytes) -> Any:
        """Uploads a file."""
        return _ask(self._client, "POST", path, files={"file": (name, content)})


class _Person:
    """The calls of the web API as a member of the company."""

    def __init__(self, client: httpx.Client, headers: dict[str, str]) -> None:
        self._client, self._headers = client, headers

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Returns the JSON of a successful answer."""
        return _ask(self._client, method, path, json=body, headers=self._headers)

    def upload(self, path: str, name: str, content: bytes) -> Any:
        """Uploads a file."""
        return _ask(self._client, "POST", path, files={"file": (name, content)}, headers=self._headers)


class _RoundRobin:
    """Distributes calls over the sessions of several people in turn: a large company needs more notifications than one
    person may send.
    """

    def __init__(self, people: Sequence[_Person]) -> None:
        self._people = itertools.cycle(people)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Returns the JSON of a successful answer."""
        return next(self._people).call(method, path, body)

    def upload(self, path: str, name: str, content: bytes) -> Any:
        """Uploads a file."""
        return next(self._people).upload(path, name, content)


def _ask(client: httpx.Client, method: str, path: str, **parts: Any) -> Any:
    """Makes a call and returns the JSON of its answer; repeats it after a 429. Raises NotMade for any other failure."""
    while (response := client.request(method, path, **parts)).status_code == httpx.codes.TOO_MANY_REQUESTS:
        sleep(float(response.headers["retry-after"]))
    if not response.is_success:
        raise NotMade(f"{method} {path}: {response.status_code} {response.text[:300]}")
    return response.json() if response.content else None


def _hire(web: _Web, company_id: str, person: Person) -> dict[str, Any]:
    wish = {
        "companyId": company_id,
        "username": person.name,
        "password": PASSWORD,
        "tagId": person.tag,
        "role": person.role,
    }
    created_user = web.call("POST", "/api/users", wish)
    return {
        "id": created_user["id"],
        "username": person.name,
        "tag": person.tag,
        "role": person.role,
        "job": person.job,
    }


def _hang_up(web: _Web, company_id: str, claim_code: str, assigned_from: datetime, **details: str) -> None:
    """Assigns the clock with this claim code to the company, with its name and notes."""
    waiting = web.call("GET", "/api/devices?unassigned=true")
    device = next((row for row in waiting if row["claimCode"] == claim_code), None)
    if device is None:
        raise NotMade("Die Uhr der Demo hat sich nicht angemeldet.")
    wish = {"companyId": company_id, "from": wire.instant_text(assigned_from)}
    web.call("POST", f"/api/devices/{device['id']}/assign-company", wish)
    web.call("PUT", f"/api/devices/{device['id']}", details)


def _trouble(web: _Web, address: str, modules: list[str], now: datetime) -> None:
    """Adds a second company, whose clock reports a full disk once and then falls silent, so that alarms arise."""
    company_id = web.call("POST", "/api/companies", {"name": NEIGHBOUR})["id"]
    web.call("PUT", f"/api/companies/{company_id}/features", {"featureIds": modules})
    _hire(web, company_id, NEIGHBOURS_OWNER)
    hardware = Hardware("demo:full-and-silent", SILENT_SERIAL, "02:00:00:00:00:02")
    identity = Identity(Ed25519PrivateKey.generate(), hardware.hardware_id)

    def hang_up() -> None:
        _hang_up(web, company_id, identity.claim_code, now, name="Hof", notes="im Schuppen, kaum Netz")

    async def speak() -> None:
        async with _line(address, identity) as (client, time):
            await _appear(client, time, identity, hardware, hang_up, _FULL_MB)

    asyncio.run(speak())


async def _deliver(
    address: str, identity: Identity, machine: Machine, hang_up: Callable[[], None], now: datetime, crew: Crew
) -> int:
    async with _line(address, identity) as (client, time):
        welcome = await _appear(client, time, identity, machine.hardware, hang_up, machine.disk_free_mb())
        if welcome.assignment is None:
            raise NotMade("Die Uhr der Demo weiß nicht, wohin sie gehört.")
        return await _deliver_history(client, welcome.lease, _drafts(now, crew, welcome.assignment.id))


@contextlib.asynccontextmanager
async def _line(address: str, identity: Identity) -> AsyncIterator[tuple[CloudClient, TrustedTime]]:
    """Yields a client that signs with this clock's key, and the clock's time."""
    clock = SystemClock()
    time = TrustedTime(clock)
    client = CloudClient(address.rstrip("/"), identity, time, SystemIds(clock), http_transport(), _VERSION)
    try:
        yield client, time
    finally:
        await client.close()


async def _appear(
    client: CloudClient,
    time: TrustedTime,
    identity: Identity,
    hardware: Hardware,
    hang_up: Callable[[], None],
    disk_free_mb: int,
) -> wire.Welcome:
    """Enrols the clock, and sends its first heartbeat after `hang_up`."""
    body = wire.enrolment(hardware, CLOCK_PROFILE, _VERSION, identity.public_key)
    await client.send("POST", wire.ENROLL, wire.encode(body))
    hang_up()
    reading = time.reading()
    condition = wire.Condition(_VERSION, CLOCK_PROFILE, None, hardware.mac, 0, reading, 0, None, disk_free_mb, "ok")
    answer = await client.send("POST", wire.HEARTBEAT, wire.encode(wire.heartbeat(condition)))
    return wire.read_welcome(answer.body)


async def _deliver_history(client: CloudClient, lease: int | None, drafts: Sequence[Draft]) -> int:
    epoch = Epoch(number=1, id=str(uuid.uuid4()), previous=None, previous_last_seq=0)
    rows = [Row(epoch.row(seq), epoch.id, draft) for seq, draft in enumerate(drafts, start=1)]
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        batch = str(uuid.uuid4())
        body = wire.encode(wire.batch(batch, lease, None, epoch, part, (), ()))
        receipt = wire.read_receipt((await client.send("POST", wire.STAMPS, body)).body, batch)
        lease = receipt.lease
        _insist_on_all(part, receipt.results)
    return len(rows)


def _insist_on_all(rows: Sequence[Row], results: Sequence[wire.Result]) -> None:
    for row, result in itertools.zip_longest(rows, results):
        if result is None or row is None or result.outcome != "stored" or result.state not in _states_of(row):
            raise NotMade(f"Ein Stempel der Demo wurde nicht gebucht: {row}, {result}")


def _states_of(row: Row) -> tuple[str, ...]:
    return ("held_unknown_tag",) if row.draft.tag == STRANGER else ("booked", "not_counted")


class _EarlierClock(SystemClock):
    """This machine's clock at an earlier moment, so that a stamp's id carries the time when it was made."""

    moment = datetime(1970, 1, 1, tzinfo=UTC)

    def wall(self) -> datetime:
        return self.moment


def _drafts(now: datetime, crew: Crew, assignment: str) -> list[Draft]:
    """Returns the demo's taps as stamps of a clock that ran all the time and had the right time."""
    clock, boot = _EarlierClock(), str(uuid.uuid4())
    ids = SystemIds(clock)
    switched_on = story.start_of_history(now, crew.months)
    drafts = []
    for tap in sorted([*story.taps(now, crew), *story.strangers(now)], key=attrgetter("tapped_at")):
        clock.moment = tap.tapped_at
        reading = Reading(tap.tapped_at, boot, (tap.tapped_at - switched_on) // timedelta(milliseconds=1), Quality.NTP)
        drafts.append(Draft(ids.new(), assignment, tap.tag, tap.direction, reading, "reader", tap.displayed))
    return drafts
