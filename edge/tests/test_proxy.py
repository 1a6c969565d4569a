"""A clock whose network lets nothing out but by way of an HTTP proxy."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import trustme
from stempelwerk_edge.cloud.client import CloudClient, http_transport
from stempelwerk_edge.configuration import CloudSettings, Settings
from stempelwerk_edge.errors import NotNow, SettingsError
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.probe import ask, why

from edge.tests.clockwork import TestClock, TestIds
from edge.tests.test_cloud_client import IDENTITY, tls_server

NO_SUCH_NAME = "zeit.example.invalid"
"""Only the proxy knows it: the clock itself looks up only the proxy's name."""


@dataclass
class Proxy:
    """It opens tunnels to one port of this machine, whatever name is asked for, and may want a login first."""

    leads_to: int
    login: str | None = None
    requests: list[str] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            self.requests.append(first)
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            if self.login is not None and headers.get("proxy-authorization") != _basic(self.login):
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            else:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.leads_to)
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        writer.close()
        self.done.set()


def _basic(login: str) -> str:
    return f"Basic {base64.b64encode(login.encode()).decode()}"


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()


@asynccontextmanager
async def listening(proxy: Proxy) -> AsyncIterator[int]:
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        await proxy.done.wait()
        server.close()


def fetch(tmp_path: Path, *, certified_for: str, wants: str | None = None, says: str = "") -> tuple[bytes, list[str]]:
    """One request by way of a proxy; the body, and what the proxy was asked for."""
    authority, ca_file = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)

    async def go() -> tuple[bytes, list[str]]:
        async with tls_server(authority.issue_cert(certified_for)) as port:
            proxy = Proxy(port, wants)
            async with listening(proxy) as address:
                transport = http_transport(ca_file, f"http://{says}127.0.0.1:{address}")
                time = TrustedTime(TestClock())
                client = CloudClient(f"https://{NO_SUCH_NAME}", IDENTITY, time, TestIds(), transport, "1")
                try:
                    return (await client.send("GET", "/api/x")).body, proxy.requests
                finally:
                    await client.close()

    return asyncio.run(go())


TUNNEL = f"CONNECT {NO_SUCH_NAME}:443 HTTP/1.1"


def test_a_proxy_that_wants_a_login_and_gets_none_or_another_means_not_now(tmp_path: Path) -> None:
    for says in ("", "uhr:falsch@"):
        with pytest.raises(NotNow, match="407") as refused:
            fetch(tmp_path, certified_for=NO_SUCH_NAME, wants="uhr:geheim", says=says)
        assert "falsch" not in str(refused.value)


def test_the_certificate_is_the_clouds_also_behind_a_proxy(tmp_path: Path) -> None:
    with pytest.raises(NotNow, match="CERTIFICATE_VERIFY_FAILED"):
        fetch(tmp_path, certified_for="proxy.example.de")


def test_the_cloud_is_reached_through_a_tunnel_and_its_name_is_the_proxys_to_look_up(tmp_path: Path) -> None:
    assert fetch(tmp_path, certified_for=NO_SUCH_NAME) == (b"{}", [TUNNEL])
    assert fetch(tmp_path, certified_for=NO_SUCH_NAME, wants="uhr:geheim", says="uhr:geheim@") == (b"{}", [TUNNEL])


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (httpx.ProxyError("407"), "Der Proxy proxy.invalid lässt die Uhr nicht zu https://zeit.example.de (407)."),
        (httpx.ConnectError("refused"), "ist über den Proxy proxy.invalid nicht erreichbar (refused)."),
    ],
)
def test_check_says_that_it_is_the_proxy(tmp_path: Path, fault: Exception, sentence: str) -> None:
    reason = why(fault, through(tmp_path))
    assert sentence in reason
    assert "geheim" not in reason


def test_check_looks_up_the_proxys_name_and_says_so(tmp_path: Path) -> None:
    settings = through(tmp_path)
    sentence = why(ask(settings).fault, settings)
    assert sentence == "Der Name proxy.invalid lässt sich nicht auflösen. Netzwerk und [cloud] proxy prüfen."
    assert "geheim" not in repr(settings)


def through(tmp_path: Path) -> Settings:
    cloud = CloudSettings("https://zeit.example.de", proxy="http://uhr:geheim@proxy.invalid:3128")
    return Settings(tmp_path, cloud)


@pytest.mark.parametrize(
    "proxy",
    ["proxy:3128", "https://proxy", "socks5://proxy", "http://", "http://geheim@p/x", "http://p:0", "http://p q"],
)
def test_a_proxy_that_is_none_is_said_without_what_stands_there(tmp_path: Path, proxy: str) -> None:
    with pytest.raises(SettingsError, match=r"\[cloud\] proxy") as refused:
        Settings.from_table({"cloud": {"url": "http://x", "proxy": proxy}}, tmp_path)
    assert "geheim" not in str(refused.value)


def test_a_proxy_is_a_setting(tmp_path: Path) -> None:
    table = {"cloud": {"url": "http://x", "proxy": "http://proxy.example.de:3128"}}
    settings = Settings.from_table(table, tmp_path)
    assert (settings.cloud.proxy, settings.unknown) == ("http://proxy.example.de:3128", ())
