"""The requests of `check` to the cloud: its health, and whether it takes a signature for the address in the settings.

Nothing is enrolled: the signed message introduces a key that is thrown away, and lacks all else that an enrolment
needs, so that the cloud can only refuse it, as unreadable once the signature is right. The dates of certificates are
not judged at first, for the time may be what is wrong; the signed message judges them as the agent does after that
contact. `check.py` puts the answers into words, except for why an answer is missing.
"""

import asyncio
import socket
import ssl
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.client import CloudClient, http_transport
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.tls import Validity, causes, tls_context
from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.errors import CloudError, NotNow
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.machine.names import run
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.version import program_version

UNREADABLE = "unreadable_enrolment"
BAD_SIGNATURE = "bad_signature"
_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Cloud:
    """The result of the first request: the answer or the fault, the certificate, and the clock's time after this
    contact.
    """

    answer: httpx.Response | None = None
    fault: Exception | None = None
    certificate: Validity | None = None
    own_time: TrustedTime = field(default_factory=lambda: TrustedTime(SystemClock()))

    def time(self) -> datetime | None:
        """Returns the cloud's time, if the answer has it."""
        try:
            return None if self.answer is None else parsedate_to_datetime(self.answer.headers["Date"])
        except (KeyError, ValueError, TypeError):
            return None


def ask(settings: Settings) -> Cloud:
    """Requests the cloud's health without judging certificate dates; a missing answer is returned as a fault."""

    async def request() -> Cloud:
        verify = tls_context(settings.cloud.ca_file, check_dates=False)
        proxy, url = settings.cloud.proxy, f"{settings.cloud.url}/api/health"
        own_time = TrustedTime(SystemClock())
        async with httpx.AsyncClient(verify=verify, proxy=proxy, timeout=_TIMEOUT_S, trust_env=False) as client:
            sent_ms = own_time.boottime_ms()
            async with client.stream("GET", url) as answer:
                received_ms = own_time.boottime_ms()
                cloud = Cloud(answer, certificate=Validity.from_response(answer), own_time=own_time)
                await answer.aread()
        cloud_time = cloud.time()
        if cloud_time is not None:
            own_time.contact(cloud_time, sent_ms, received_ms)
        return cloud

    try:
        return run(request())
    except (httpx.HTTPError, OSError, ValueError) as fault:
        return Cloud(fault=fault)


def ask_signed(settings: Settings, own_time: TrustedTime) -> CloudError:
    """Sends a signed message that the cloud cannot accept, and returns its error. Refused with UNREADABLE means that
    the signature is right.
    """
    transport = http_transport(settings.cloud.ca_file, settings.cloud.proxy)

    async def request() -> None:
        identity = Identity(Ed25519PrivateKey.generate(), "none")
        ids = SystemIds(SystemClock())
        client = CloudClient(settings.cloud.url, identity, own_time, ids, transport, program_version())
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await client.send("POST", wire.ENROLL, wire.encode(wire.introduction(identity.public_key)))
        finally:
            await client.close()

    try:
        run(request())
    except CloudError as fault:
        return fault
    except TimeoutError:
        return NotNow("timed out")
    return NotNow("status 200")


def refused_certificate(verdict: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """Returns the fault of the cloud's certificate, None if something else prevented the answer."""
    return next((cause for cause in causes(verdict) if isinstance(cause, ssl.SSLCertVerificationError)), None)


def why(fault: BaseException | None, settings: Settings) -> str:
    """Returns the likely reason of a missing answer in plain German."""
    url, proxy = settings.cloud.url, settings.cloud.proxy
    key, host = ("proxy", urlsplit(proxy).hostname) if proxy else ("url", urlsplit(url).hostname)
    chain = list(causes(fault))
    if refused_certificate(fault):
        return f"Das Zertifikat von {url} ist von keiner Stelle, der diese Uhr vertraut ([cloud] ca_file prüfen)."
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return f"Der Name {host} lässt sich nicht auflösen. Netzwerk und [cloud] {key} prüfen."
    if any(isinstance(cause, httpx.TimeoutException) for cause in chain):
        return f"{url} antwortet nicht rechtzeitig. Netzwerk und Firewall prüfen."
    if any(isinstance(cause, FileNotFoundError | PermissionError) for cause in chain):
        return f"Die Datei {settings.cloud.ca_file} ([cloud] ca_file) lässt sich nicht lesen."
    if any(isinstance(cause, httpx.ProxyError) for cause in chain):
        return f"Der Proxy {host} lässt die Uhr nicht zu {url} ({fault}). [cloud] proxy prüfen."
    way = f" über den Proxy {host}" if proxy else ""
    return f"{url} ist{way} nicht erreichbar ({fault})."
