"""German sentences of the tools for workshop and operators: faults of files and of connections to a service.

`docs/decisions/0027-languages-of-commands.md` lists the language of each tool.
"""

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

import httpx
from stempelwerk_edge.german import GermanParser, reason_of

__all__ = ["AddressRefused", "GermanParser", "check_address", "check_encrypted", "connection_fault", "file_fault"]

_CERTIFICATES = {
    9: "Das Zertifikat von {} gilt noch nicht: Die Uhrzeit beider Rechner prüfen.",
    10: "Das Zertifikat von {} ist abgelaufen: Es dort erneuern, oder die Uhrzeit dieses Rechners stellen.",
    62: "Das Zertifikat von {} gilt für einen anderen Namen: Die Adresse nehmen, für die es ausgestellt ist.",
    64: "Das Zertifikat von {} gilt nicht für diese Nummer: Den Namen nehmen, für den es ausgestellt ist.",
}
_STRANGER = (
    "Das Zertifikat von {} ist von keiner Stelle, der dieser Rechner vertraut: Die Stelle der Cloud mit"
    " SSL_CERT_FILE=DATEI nennen."
)
_STRANGE_ANSWER = "{} antwortet nicht wie die Cloud: Adresse und Port prüfen; mit TLS beginnt sie mit https://."
_CONNECTIONS: tuple[tuple[type[BaseException], str], ...] = (
    (ssl.SSLError, "{} spricht kein TLS, das dieser Rechner versteht: Adresse und Port prüfen."),
    (socket.gaierror, "Den Namen in {} kennt niemand: Adresse und Netzwerk prüfen."),
    (httpx.TimeoutException, "{} antwortet nicht rechtzeitig: Netzwerk und Firewall prüfen."),
    (httpx.ProxyError, "Der Proxy lässt diesen Rechner nicht zu {}: HTTPS_PROXY prüfen."),
    (httpx.RemoteProtocolError, _STRANGE_ANSWER),
    (httpx.ReadError, _STRANGE_ANSWER),  # a service with TLS may reset the connection
    (httpx.WriteError, _STRANGE_ANSWER),
)
_UNREACHABLE = "{} ist nicht erreichbar: Adresse und Netzwerk prüfen, und ob die Cloud läuft."
_LOCAL = ("localhost", "127.0.0.1", "::1")


class AddressRefused(Exception):
    """An address of a service is refused. The message has the reason and the way out."""


def file_fault(fault: OSError) -> str:
    """Returns what is wrong with a file, in one line."""
    return reason_of(fault) if fault.filename is None else f"{fault.filename}: {reason_of(fault)}"


def check_address(url: str, *, without_tls: bool = False) -> None:
    """Raises AddressRefused for a malformed address and, unless `without_tls`, as `check_encrypted` does."""
    address = _parts(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise _no_address(url)
    if not without_tls:
        check_encrypted(url)


def check_encrypted(url: str) -> None:
    """Raises AddressRefused for an address without TLS that is not this machine's own."""
    address = _parts(url)
    if address.scheme == "http" and address.hostname not in _LOCAL:
        raise AddressRefused(
            f"{url} ist ohne Verschlüsselung: Namen und Zeiten, auch Passwörter, kann im Netz jeder mitlesen. Nimm"
            " https://, oder nur im eigenen Netz --without-tls."
        )


def _parts(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        _ = address.port  # ValueError: no number, or too large
        (address.hostname or "").encode("idna")  # UnicodeError, a ValueError: an empty or a long part
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        raise _no_address(url) from None
    return address


def _no_address(url: str) -> AddressRefused:
    return AddressRefused(f"„{url}“ ist keine Adresse, wie https://zeit.example.de eine ist.")


def connection_fault(fault: BaseException, url: str) -> str:
    """Returns why a service does not answer, and what to do, in one line."""
    causes = list(_causes(fault))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _CERTIFICATES.get(cause.verify_code, _STRANGER).format(url)
    sentences = (sentence for kind, sentence in _CONNECTIONS if any(isinstance(cause, kind) for cause in causes))
    return next(sentences, _UNREACHABLE).format(url)


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    while fault is not None:
        yield fault
        fault = fault.__cause__ or fault.__context__
