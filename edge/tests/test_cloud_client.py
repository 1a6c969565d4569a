"""One request: signed so that another implementation agrees, cured of a wrong time, over a TLS that is not fooled."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms
from stempelwerk_edge.cloud import tls, wire
from stempelwerk_edge.cloud.client import CloudClient, http_transport
from stempelwerk_edge.cloud.delivery import Meaning, Then
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.membership import Membership
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.cloud.tls import Validity
from stempelwerk_edge.errors import Busy, ClockSkew, NotConnected, NotNow, TooLarge
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.storage.journal import Journal

from edge.tests.clockwork import MORNING, TestClock, TestIds, TestLog, stores_on, surroundings
from edge.tests.test_trusted_time import FAR_AHEAD, THE_BEGINNING

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
IDENTITY = Identity(KEY, "board:1")
Handler = Callable[[httpx.Request], httpx.Response]


def client(handler: Handler, clock: TestClock | None = None) -> CloudClient:
    time = TrustedTime(clock or TestClock())
    transport = httpx.MockTransport(handler)
    return CloudClient("https://zeit.test", IDENTITY, time, TestIds(), lambda _: transport, "1.0")


def send(cloud_client: CloudClient, *args: Any, **more: Any) -> bytes:
    async def run() -> bytes:
        try:
            return (await cloud_client.send(*args, **more)).body
        finally:
            await cloud_client.close()

    return asyncio.run(run())


# ---- signatures


class _Keys(HTTPSignatureKeyResolver):
    def resolve_public_key(self, key_id: str) -> Any:
        assert key_id == IDENTITY.keyid
        return KEY.public_key()

    def resolve_private_key(self, key_id: str) -> Any:
        raise AssertionError("not to be asked for")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("POST", wire.STAMPS, b'{"a": "\xc3\xbc"}'), ("GET", f"{wire.PEOPLE}?since=r%2B1%20a", None), ("POST", "/x", b"")],
)
def test_another_implementation_accepts_the_signature(method: str, path: str, body: bytes | None) -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={})

    send(client(answer), method, path, body)
    [request] = requests
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=_Keys())
    covered = {'"@method"', '"@target-uri"'} | ({'"content-digest"'} if body is not None else set())
    verifier.max_clock_skew = timedelta(days=36500)
    [result] = verifier.verify(request, max_age=None, body=None if body is None else request.content)
    assert set(result.covered_components) - {'"@signature-params"'} == covered
    assert result.parameters["created"] == int(MORNING.timestamp())
    assert str(request.url) == f"https://zeit.test{path}"


def test_each_request_has_a_nonce_of_its_own() -> None:
    nonces: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        nonces.append(request.headers["Signature-Input"])
        return httpx.Response(200)

    cloud_client = client(answer)

    async def twice() -> None:
        await cloud_client.send("GET", "/a")
        await cloud_client.send("GET", "/a")
        await cloud_client.close()

    asyncio.run(twice())
    assert len(set(nonces)) == 2


# ---- what comes back


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.Response(302, headers={"Location": "https://portal.test/"}), NotNow),
        (httpx.Response(500), NotNow),
        (httpx.Response(401, text="<html>"), NotConnected),
        (httpx.Response(413), TooLarge),
        (httpx.Response(429, headers={"Retry-After": "7"}), Busy),
        (httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip")), NotNow),
    ],
)
def test_whatever_is_not_a_200_is_one_of_the_family(response: httpx.Response, error: type[Exception]) -> None:
    with pytest.raises(error):
        send(client(lambda _: response), "GET", "/")


@pytest.mark.parametrize(
    "fault", [httpx.ConnectError, httpx.ReadTimeout, httpx.RemoteProtocolError, OSError, UnicodeError]
)
def test_whatever_breaks_on_the_way_means_not_now(fault: type[Exception]) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise fault("broken")

    with pytest.raises(NotNow):
        send(client(fail), "GET", "/")


def test_an_answer_without_end_is_cut_off() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 65_536

    with pytest.raises(NotNow, match="without end"):
        send(client(lambda _: httpx.Response(200, content=endless())), "GET", "/")


def test_a_file_of_a_release_may_be_as_large_as_the_releases_signer_lets_it_be() -> None:
    largest_file = bytes(wire.LARGEST_FILE)
    for size, fits in ((len(largest_file), True), (len(largest_file) + 1, False)):
        cloud_client = client(lambda _, size=size: httpx.Response(200, content=(largest_file + b"x")[:size]))
        if fits:
            assert len(send(cloud_client, "GET", f"{wire.UPDATES}targets/stable/a.whl")) == size
        else:
            with pytest.raises(NotNow, match="without end"):
                send(cloud_client, "GET", f"{wire.UPDATES}targets/stable/a.whl")


# ---- a wrong time


def session_of(
    cloud_client: CloudClient, time: TrustedTime, journal: Journal, tmp_path: Path, log: TestLog
) -> CloudSession:
    stores = stores_on(tmp_path, journal, log)
    stores.membership.change(Membership(IDENTITY.keyid, "device", "server"))
    return CloudSession(cloud_client, IDENTITY, stores, surroundings(time=time, report=log))


def skewed(request: httpx.Request, server_time: datetime, signed: list[int]) -> httpx.Response:
    created = int(request.headers["Signature-Input"].partition("created=")[2].partition(";")[0])
    signed.append(created)
    if abs(created - server_time.timestamp()) > 300:
        body = {"code": "clock_skew", "serverTime": wire.instant_text(server_time)}
        return httpx.Response(401, json=body, headers={"Content-Type": "application/problem+json"})
    return httpx.Response(200, json={})


@pytest.mark.parametrize("wall", [THE_BEGINNING, FAR_AHEAD])
def test_with_a_wrong_time_it_signs_again_with_the_servers_once(
    wall: datetime, journal: Journal, tmp_path: Path, log: TestLog
) -> None:
    clock, signed = TestClock(wall, Quality.RTC), []
    time = TrustedTime(clock)
    transport = httpx.MockTransport(lambda request: skewed(request, MORNING, signed))
    cloud_client = CloudClient("https://zeit.test", IDENTITY, time, TestIds(), lambda _: transport, "1.0")
    session = session_of(cloud_client, time, journal, tmp_path, log)

    async def run() -> None:
        await session.call("POST", wire.HEARTBEAT, wire.read_object, b"{}")
        await session.call("POST", wire.HEARTBEAT, wire.read_object, b"{}")
        await cloud_client.close()

    asyncio.run(run())
    assert signed == [int(wall.timestamp()), int(MORNING.timestamp()), int(MORNING.timestamp())]
    assert abs(time.now() - MORNING) < timedelta(seconds=1)


def test_a_server_that_is_never_content_with_the_time_is_asked_twice_and_no_more(
    journal: Journal, tmp_path: Path, log: TestLog
) -> None:
    attempts = []

    def never(request: httpx.Request) -> httpx.Response:
        attempts.append(request)
        body = {"code": "clock_skew", "serverTime": wire.instant_text(MORNING)}
        return httpx.Response(401, json=body)

    time = TrustedTime(TestClock())
    cloud_client = CloudClient(
        "https://zeit.test", IDENTITY, time, TestIds(), lambda _: httpx.MockTransport(never), "1.0"
    )

    async def run() -> tuple[object, Meaning]:
        try:
            return await session_of(cloud_client, time, journal, tmp_path, log).call("GET", "/", wire.read_object)
        finally:
            await cloud_client.close()

    answer, meaning = asyncio.run(run())
    assert isinstance(answer, ClockSkew)
    assert (meaning.then, meaning.connection) == (Then.BACK_OFF, "not_connected")
    assert len(attempts) == 2


# ---- TLS


@asynccontextmanager
async def tls_server(certificate: trustme.LeafCert) -> AsyncIterator[int]:
    """A service with this certificate, which answers every request with an empty object."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client went away, as it should in some of these tests
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


def fetch(authority: trustme.CA, certificate: trustme.LeafCert, clock: TestClock, tmp_path: Path) -> bytes:
    """Makes one request by a clock that trusts only this authority."""
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> bytes:
        async with tls_server(certificate) as port:
            cloud_client = CloudClient(
                f"https://localhost:{port}", IDENTITY, TrustedTime(clock), TestIds(), http_transport(ca_file), "1"
            )
            try:
                return (await cloud_client.send("GET", "/")).body
            finally:
                await cloud_client.close()

    return asyncio.run(run())


def expired(authority: trustme.CA) -> trustme.LeafCert:
    """A certificate that every machine finds out of date, as one with a wrong time finds a good one."""
    return authority.issue_cert(
        "localhost", not_before=datetime(2001, 1, 1, tzinfo=UTC), not_after=datetime(2002, 1, 1, tzinfo=UTC)
    )


def test_with_an_untrusted_time_the_dates_do_not_matter(tmp_path: Path) -> None:
    authority = trustme.CA()
    for quality in (Quality.NONE, Quality.RTC):
        assert fetch(authority, expired(authority), TestClock(THE_BEGINNING, quality), tmp_path) == b"{}"


def test_with_a_trusted_time_the_dates_matter(tmp_path: Path) -> None:
    authority = trustme.CA()
    with pytest.raises(NotNow, match="CERTIFICATE_VERIFY_FAILED"):
        fetch(authority, expired(authority), TestClock(MORNING, Quality.NTP), tmp_path)
    assert fetch(authority, authority.issue_cert("localhost"), TestClock(MORNING, Quality.NTP), tmp_path) == b"{}"


def test_a_clock_knows_the_days_that_the_certificate_has_left_also_of_one_that_has_ended(tmp_path: Path) -> None:
    authority = trustme.CA()
    not_before, clock = MORNING.replace(microsecond=0) - timedelta(days=80), TestClock(THE_BEGINNING, Quality.NONE)
    leaf = authority.issue_cert("localhost", not_before=not_before, not_after=not_before + timedelta(days=90))
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> Validity | None:
        async with tls_server(leaf) as port:
            cloud_client = CloudClient(
                f"https://localhost:{port}", IDENTITY, TrustedTime(clock), TestIds(), http_transport(ca_file), "1"
            )
            assert cloud_client.certificate is None
            await cloud_client.send("GET", "/")
            await cloud_client.close()
            return cloud_client.certificate

    validity = asyncio.run(run())
    assert validity is not None
    assert validity.days(not_before + timedelta(days=80, hours=1)) == (9, 90)
    assert validity.days(not_before + timedelta(days=400)) == (0, 90)


@pytest.mark.parametrize("quality", [Quality.NTP, Quality.NONE])
def test_another_authority_or_another_name_is_refused_whatever_the_time(tmp_path: Path, quality: Quality) -> None:
    authority, stranger = trustme.CA(), trustme.CA()
    for certificate in (stranger.issue_cert("localhost"), authority.issue_cert("zeit.example")):
        with pytest.raises(NotNow, match="CERTIFICATE_VERIFY_FAILED"):
            fetch(authority, certificate, TestClock(THE_BEGINNING, quality), tmp_path)


def test_an_unreadable_authority_means_not_now(tmp_path: Path) -> None:
    cloud_client = CloudClient(
        "https://localhost:1", IDENTITY, TrustedTime(TestClock()), TestIds(), http_transport(tmp_path / "no.pem"), "1"
    )
    with pytest.raises(NotNow):
        send(cloud_client, "GET", "/")


class Readings:
    """Counts how often the authorities are read, on a clock that a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self.seconds, self._read = 0, 0.0, tls.tls_context
        monkeypatch.setattr(tls, "tls_context", self._context)

    def _context(self, ca_file: Path | None, *, check_dates: bool) -> ssl.SSLContext:
        self.count += 1
        return self._read(ca_file, check_dates=check_dates)

    def transport(self, ca_file: Path) -> tls.TlsTransport:
        return tls.TlsTransport(ca_file, None, check_dates=True, monotonic=lambda: self.seconds)


async def _get(transport: tls.TlsTransport, port: int) -> bytes:
    request = httpx.Request("GET", f"https://localhost:{port}/", headers={"Connection": "close"})
    response = await transport.handle_async_request(request)
    body = await response.aread()
    await response.aclose()
    return body


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Readings:
    return Readings(monkeypatch)


def test_the_authorities_are_read_once_while_their_file_stays(tmp_path: Path, readings: Readings) -> None:
    authority, ca_file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> None:
        transport = readings.transport(ca_file)
        async with tls_server(authority.issue_cert("localhost")) as port:
            for _ in range(5):
                assert await _get(transport, port) == b"{}"
                readings.seconds += 10 * tls.REREAD_S
        await transport.aclose()

    asyncio.run(run())
    assert readings.count == 1


def test_a_refused_certificate_has_the_authorities_read_again_once_a_minute(tmp_path: Path, readings: Readings) -> None:
    ca_file = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(ca_file)

    async def run() -> None:
        transport = readings.transport(ca_file)
        async with tls_server(trustme.CA().issue_cert("localhost")) as port:
            for _ in range(int(3 * tls.REREAD_S)):
                with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                    await _get(transport, port)
                readings.seconds += 1
        await transport.aclose()

    asyncio.run(run())
    assert readings.count == 3


@pytest.mark.parametrize("content", [None, b"", b"-----BEGIN CERTIFICATE-----\nhalf of"])
def test_an_unreadable_file_leaves_the_authorities_from_before(
    tmp_path: Path, readings: Readings, content: bytes | None
) -> None:
    authority, ca_file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> None:
        transport = readings.transport(ca_file)
        async with tls_server(authority.issue_cert("localhost")) as port:
            assert await _get(transport, port) == b"{}"
            if content is None:
                ca_file.unlink()
            else:
                ca_file.write_bytes(content)
            for _ in range(3):
                assert await _get(transport, port) == b"{}"
        await transport.aclose()

    asyncio.run(run())
    assert readings.count == 2


def test_an_authority_that_is_taken_from_the_file_is_trusted_no_more(tmp_path: Path, readings: Readings) -> None:
    authority, ca_file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> None:
        transport = readings.transport(ca_file)
        async with tls_server(authority.issue_cert("localhost")) as port:
            assert await _get(transport, port) == b"{}"
            trustme.CA().cert_pem.write_to_path(ca_file)
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await _get(transport, port)
        await transport.aclose()

    asyncio.run(run())


def test_an_answer_under_way_ends_on_the_connection_that_it_began_on(tmp_path: Path, readings: Readings) -> None:
    authority, ca_file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def run() -> None:
        transport = readings.transport(ca_file)
        async with tls_server(authority.issue_cert("localhost")) as port:
            request = httpx.Request("GET", f"https://localhost:{port}/", headers={"Connection": "close"})
            early = await transport.handle_async_request(request)
            other_ca = trustme.CA()
            ca_file.write_bytes(authority.cert_pem.bytes() + other_ca.cert_pem.bytes())
            assert await _get(transport, port) == b"{}"
            assert await early.aread() == b"{}"
            await early.aclose()
        await transport.aclose()

    asyncio.run(run())
    assert readings.count == 2
