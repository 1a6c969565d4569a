"""A clock that shows 1970, or 2040, delivers over TLS to a service with a real certificate, and to no other service. So
does one that runs on while the authority of that certificate changes.

OpenSSL judges a certificate by the machine's own time, which a test cannot change. So the certificate's dates are
changed instead: on a machine in 1970 today's certificate is not valid yet, and on one in 2040 it has long expired.
"""

import asyncio
import contextlib
import gc
import random
import socket
import ssl
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import trustme
import uvicorn
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings as CloudSide
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_edge.agent import Agent, Ports
from stempelwerk_edge.cloud.client import TransportFactory, http_transport
from stempelwerk_edge.configuration import CloudSettings, Settings
from stempelwerk_edge.machine.clock import Quality, SystemClock, SystemIds, milliseconds
from stempelwerk_edge.machine.hardware import SystemMachine
from stempelwerk_edge.ports import AnswerKind
from stempelwerk_edge.signals.simulated import SimulatedSignals

from tools.tests.processes.service_process import FOUNDER, PASSWORD, Office

TAGS = ["04A2B3C4D5E601", "04A2B3C4D5E602", "04A2B3C4D5E603"]
LIMIT_S = 60.0
NOT_YET = (datetime(2050, 1, 1, tzinfo=UTC), datetime(2051, 1, 1, tzinfo=UTC))
OVER = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC))
VALID = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2060, 1, 1, tzinfo=UTC))
Y1970, Y2040 = datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC), datetime(2040, 5, 5, 8, tzinfo=UTC)


class WrongClock(SystemClock):
    """This machine's clock since its latest start, which began at another time."""

    def __init__(self, says: datetime, quality: Quality) -> None:
        super().__init__()
        self._boot, self._quality = str(uuid.uuid4()), quality
        self._ahead = says - super().wall()

    @property
    def boot_id(self) -> str:
        return self._boot

    def wall(self) -> datetime:
        return milliseconds(super().wall() + self._ahead)

    def quality(self) -> Quality:
        return self._quality


@dataclass
class Screen:
    """The agent's view."""

    delivered: set[str] = field(default_factory=set)

    def show(self, answer: object) -> None: ...

    def sent(self, stamp_ids: Collection[str]) -> None:
        self.delivered.update(stamp_ids)

    def set_status(self, **changes: object) -> None: ...

    def notice(self, code: str) -> None: ...


class Watched(httpx.AsyncBaseTransport):
    """The real transport; it records why a connection failed."""

    def __init__(self, inner: httpx.AsyncBaseTransport, refusals: list[str]) -> None:
        self._inner, self._refusals = inner, refusals

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await self._inner.handle_async_request(request)
        except httpx.ConnectError as fault:
            self._refusals.append(str(fault))
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()


@dataclass
class Station:
    """One clock's card; `awake` is the agent on it."""

    folder: Path
    url: str
    screen: Screen = field(default_factory=Screen)
    refusals: list[str] = field(default_factory=list)

    def _transport(self, ca_file: Path | None) -> TransportFactory:
        make = http_transport(ca_file)
        return lambda check_dates: Watched(make(check_dates), self.refusals)

    @contextlib.asynccontextmanager
    async def awake(self, clock: SystemClock, ca_file: Path | None) -> AsyncIterator[Agent]:
        """Runs the agent, as after a start of its machine with this time; `ca_file` None: by the system's list."""
        ports = Ports(
            clock=clock,
            ids=SystemIds(clock),
            random=random.Random(1),
            transport=self._transport(ca_file),
            machine=SystemMachine("TLS", self.folder),
            signals=SimulatedSignals(),
            screen=self.screen,
        )
        agent = Agent(Settings(self.folder, CloudSettings(self.url, ca_file)), ports)
        running = asyncio.create_task(agent.run())
        await asyncio.sleep(0)  # the journal is opened before the agent's first await
        try:
            yield agent
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


def make_taps(agent: Agent, *tags: str) -> set[str]:
    """Returns the ids of the stamps that these taps made."""
    ids = set()
    for tag in tags:
        answer = agent.tap(tag)
        assert answer is not None
        assert answer.kind is not AnswerKind.NOT_SAVED
        assert answer.stamp_id
        ids.add(answer.stamp_id)
    return ids


# A handshake may be under way when a run ends. httpcore closes its socket after any fault but a cancellation, and so
# it is closed when it is collected: as a transport or, in a cycle, as a bare socket.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed (transport|<socket):ResourceWarning")


@pytest.fixture(autouse=True)
def _collect_here() -> Iterator[None]:
    """Collects such a socket with the test that left it, not during another one."""
    yield
    gc.collect()


async def wait_for(condition: Callable[[], object], description: str) -> None:
    try:
        async with asyncio.timeout(LIMIT_S):
            while not condition():  # noqa: ASYNC110 - a thread's work, which announces nothing
                await asyncio.sleep(0.02)
    except TimeoutError:
        pytest.fail(description)


class Service:
    """The service with a certificate, and its authority's certificate in the same folder."""

    def __init__(self, folder: Path, dates: tuple[datetime, datetime], name: str = "127.0.0.1") -> None:
        folder.mkdir()
        self.ca_file, self._pem = folder / "authority.pem", folder / "service.pem"
        self.certify(dates, name).cert_pem.write_to_path(self.ca_file)
        settings = CloudSide(
            database_url=f"sqlite:///{folder / 'cloud.db'}", data_dir=folder / "files", web_dir=folder / "no-web"
        )
        self._app = create_app(settings)
        platform: Platform = self._app.state.platform
        schema.migrate(platform.database)
        with platform.database.write(SYSTEM) as session:
            commands.create(UnitOfWork(session, platform), FOUNDER, passwords.hash_password(PASSWORD))
        self.url = ""
        self._port = 0

    def certify(self, dates: tuple[datetime, datetime], name: str = "127.0.0.1") -> trustme.CA:
        """Gives the service, before it serves, a certificate of a new authority; returns the authority."""
        authority = trustme.CA()
        leaf = authority.issue_cert(name, not_before=dates[0], not_after=dates[1])
        leaf.private_key_and_cert_chain_pem.write_to_path(self._pem)
        return authority

    @contextlib.contextmanager
    def serving(self) -> Iterator["Service"]:
        # uvloop can wait for ever in `loop.close()` after a broken TLS handshake; `serve` speaks no TLS itself.
        config = uvicorn.Config(
            self._app,
            ssl_certfile=str(self._pem),
            log_config=None,
            lifespan="on",
            loop="asyncio",
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        with socket.create_server(("127.0.0.1", self._port)) as listener:
            self._port = listener.getsockname()[1]
            self.url = f"https://127.0.0.1:{self._port}"
            thread = threading.Thread(target=server.run, args=([listener],))
            thread.start()
            try:
                yield self
            finally:
                server.should_exit = True
                thread.join()

    def office(self) -> Office:
        """Returns an administrator whose browser trusts this certificate, regardless of its dates."""
        context = ssl.create_default_context(cafile=str(self.ca_file))
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return Office(self.url, verify=context)


def unassigned(office: Office) -> dict[str, datetime]:
    """Returns the stamps from unassigned clocks, with their times."""
    rows = office.call("GET", "/api/held-stamps")
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: datetime.fromisoformat(row["takenAt"]) for row in rows}


WRONG = [
    pytest.param(Y1970, Quality.NONE, NOT_YET, id="1970"),
    pytest.param(Y1970, Quality.RTC, NOT_YET, id="1970 by an empty battery"),
    pytest.param(Y2040, Quality.NONE, OVER, id="2040"),
    pytest.param(Y2040, Quality.RTC, OVER, id="2040 by a wrong battery-backed clock"),
]


@pytest.mark.parametrize(("says", "quality", "dates"), WRONG)
def test_a_clock_with_a_wrong_time_delivers_and_its_stamps_get_the_true_time(tmp_path, says, quality, dates):
    async def story(station: Station, ca_file: Path) -> set[str]:
        async with station.awake(WrongClock(says, quality), ca_file) as agent:
            stamp_ids = make_taps(agent, *TAGS)
            await wait_for(lambda: stamp_ids <= station.screen.delivered, f"not delivered: {station.refusals}")
            assert agent.outbox.backlog().depth == 0
            return stamp_ids

    with Service(tmp_path / "service", dates).serving() as service, service.office() as office:
        begun = datetime.now(UTC)
        stamp_ids = asyncio.run(story(Station(tmp_path / "card", service.url), service.ca_file))
        arrived = unassigned(office)
        assert set(arrived) == stamp_ids
        for taken_at in arrived.values():
            assert abs(taken_at - begun) < timedelta(seconds=LIMIT_S)


def test_a_clock_that_knows_the_time_refuses_a_certificate_that_is_over(tmp_path):
    async def story(station: Station, ca_file: Path) -> None:
        async with station.awake(WrongClock(datetime.now(UTC), Quality.NTP), ca_file) as agent:
            stamp_ids = make_taps(agent, *TAGS)
            await wait_for(lambda: len(station.refusals) >= 2, "it was not refused")
            assert all("expired" in refusal for refusal in station.refusals)
            assert not stamp_ids & station.screen.delivered
            assert agent.outbox.backlog().depth == len(stamp_ids)

    with Service(tmp_path / "service", OVER).serving() as service, service.office() as office:
        asyncio.run(story(Station(tmp_path / "card", service.url), service.ca_file))
        assert unassigned(office) == {}
        assert office.call("GET", "/api/devices") == []


@pytest.mark.parametrize("says", [Y1970, Y2040])
def test_a_wrong_authority_is_refused_and_loses_nothing(tmp_path, says):
    foreign = tmp_path / "foreign.pem"
    trustme.CA().cert_pem.write_to_path(foreign)

    async def story(station: Station, right: Path, nothing_came: Callable[[], None]) -> set[str]:
        async with station.awake(WrongClock(says, Quality.NONE), foreign) as agent:
            early = make_taps(agent, *TAGS)
            await wait_for(lambda: len(station.refusals) >= 2, "it was not refused")
            assert all("CERTIFICATE_VERIFY_FAILED" in refusal for refusal in station.refusals)
            assert agent.outbox.backlog().depth == len(early)
        await asyncio.to_thread(nothing_came)
        async with station.awake(WrongClock(says, Quality.NONE), right) as agent:
            late = make_taps(agent, TAGS[0])
            await wait_for(lambda: early | late <= station.screen.delivered, f"not delivered: {station.refusals}")
        return early | late

    with Service(tmp_path / "service", VALID).serving() as service, service.office() as office:

        def nothing_came() -> None:
            assert unassigned(office) == {}
            assert office.call("GET", "/api/devices") == []

        stamp_ids = asyncio.run(story(Station(tmp_path / "card", service.url), service.ca_file, nothing_came))
        assert set(unassigned(office)) == stamp_ids


def test_a_certificate_for_another_name_is_refused_whatever_the_clock_says(tmp_path):
    async def story(station: Station, ca_file: Path) -> None:
        async with station.awake(WrongClock(Y1970, Quality.NONE), ca_file) as agent:
            stamp_ids = make_taps(agent, *TAGS)
            await wait_for(lambda: len(station.refusals) >= 2, "it was not refused")
            assert all("CERTIFICATE_VERIFY_FAILED" in refusal for refusal in station.refusals)
            assert agent.outbox.backlog().depth == len(stamp_ids)

    with Service(tmp_path / "service", VALID, "other.example").serving() as service, service.office() as office:
        asyncio.run(story(Station(tmp_path / "card", service.url), service.ca_file))
        assert unassigned(office) == {}


@pytest.mark.parametrize("source", ["ca_file", "system"])
def test_a_running_clock_delivers_after_a_change_of_the_authority(tmp_path, source, monkeypatch):
    def replace_certificate(service: Service, serving: contextlib.ExitStack) -> trustme.CA:
        serving.close()
        authority = service.certify(VALID)
        serving.enter_context(service.serving())
        return authority

    async def story(station: Station, service: Service, serving: contextlib.ExitStack) -> set[str]:
        ca_file = service.ca_file if source == "ca_file" else None
        async with station.awake(WrongClock(datetime.now(UTC), Quality.NTP), ca_file) as agent:
            early = make_taps(agent, TAGS[0])
            await wait_for(lambda: early <= station.screen.delivered, f"not delivered: {station.refusals}")
            authority = await asyncio.to_thread(replace_certificate, service, serving)
            late = make_taps(agent, TAGS[1])
            await wait_for(lambda: len(station.refusals) >= 2, "the new authority was trusted unread")
            assert not late & station.screen.delivered
            authority.cert_pem.write_to_path(service.ca_file)
            await wait_for(lambda: late <= station.screen.delivered, f"not delivered: {station.refusals}")
            return early | late

    with contextlib.ExitStack() as serving:
        service = serving.enter_context(Service(tmp_path / "service", VALID).serving())
        monkeypatch.setenv("SSL_CERT_FILE", str(service.ca_file))
        monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))
        stamp_ids = asyncio.run(story(Station(tmp_path / "card", service.url), service, serving))
        with service.office() as office:
            assert set(unassigned(office)) == stamp_ids
