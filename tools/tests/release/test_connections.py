"""A release tool that cannot reach its cloud explains the fault and the remedy in one German sentence."""

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme
from stempelwerk_tools.release import command

OVER = datetime(2021, 1, 1, tzinfo=UTC)
NOT_YET = datetime(2050, 1, 1, tzinfo=UTC)


@contextmanager
def listening(context: ssl.SSLContext | None, answer: bytes = b"") -> Iterator[int]:
    """Runs a server that speaks TLS if it has a context, sends `answer` and hangs up. Yields its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            with closing(line):
                try:
                    with closing(context.wrap_socket(line, server_side=True) if context else line) as spoken:
                        spoken.recv(4096)
                        spoken.sendall(answer)
                except OSError:
                    pass  # the client has hung up

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(10)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """Returns an authority that this machine trusts; the answers to all questions are in the environment."""
    new_authority = trustme.CA()
    new_authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    for name in ("COMPANY", "USERNAME", "PASSWORD"):
        monkeypatch.setenv(f"RELEASE_{name}", "x")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return new_authority


def context_of(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)
    return context


def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str, *options: str) -> str:
    """Returns the one line with which `publish` fails with status 1."""
    assert command.main(["--dir", str(tmp_path / "release"), "publish", "--url", url, *options]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    return lines[0].removeprefix("stempelwerk release: ")


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            "stranger",
            "ist von keiner Stelle, der dieser Rechner vertraut: Die Stelle der Cloud mit SSL_CERT_FILE=DATEI",
        ),
        ("over", "ist abgelaufen: Es dort erneuern, oder die Uhrzeit dieses Rechners stellen."),
        ("not yet", "gilt noch nicht: Die Uhrzeit beider Rechner prüfen."),
        ("other name", "gilt für einen anderen Namen: Die Adresse nehmen, für die es ausgestellt ist."),
    ],
)
def test_a_certificate_that_does_not_hold_is_explained(
    kind: str, sentence: str, authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate = {
        "stranger": lambda: trustme.CA().issue_cert("localhost"),
        "over": lambda: authority.issue_cert("localhost", not_before=datetime(2020, 1, 1, tzinfo=UTC), not_after=OVER),
        "not yet": lambda: authority.issue_cert("localhost", not_before=NOT_YET, not_after=NOT_YET.replace(year=2051)),
        "other name": lambda: authority.issue_cert("zeit.example.de"),
    }[kind]()
    with listening(context_of(certificate)) as port:
        url = f"https://localhost:{port}"
        output = refused(tmp_path, capsys, url)
    assert output.startswith(f"Das Zertifikat von {url} ")
    assert sentence in output


def test_an_address_by_number_that_the_certificate_does_not_name_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(context_of(authority.issue_cert("zeit.example.de"))) as port:
        assert "gilt nicht für diese Nummer" in refused(tmp_path, capsys, f"https://127.0.0.1:{port}")


def test_https_to_a_service_without_tls_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(None, b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as port:
        assert "spricht kein TLS" in refused(tmp_path, capsys, f"https://localhost:{port}")


def test_http_to_a_service_with_tls_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(context_of(authority.issue_cert("localhost"))) as port:
        output = refused(tmp_path, capsys, f"http://localhost:{port}")
    assert "mit TLS beginnt sie mit https://" in output


def test_a_service_that_resets_the_connection_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A TLS service may answer plain HTTP with an alert or with a reset."""
    server = socket.create_server(("127.0.0.1", 0))

    def reset() -> None:
        line, _ = server.accept()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.recv(1)
        line.close()

    thread = threading.Thread(target=reset, daemon=True)
    thread.start()
    with closing(server):
        output = refused(tmp_path, capsys, f"http://localhost:{server.getsockname()[1]}")
        thread.join(10)
    assert "mit TLS beginnt sie mit https://" in output


def test_http_that_is_sent_on_to_https_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = b"HTTP/1.1 308 Permanent Redirect\r\nLocation: https://zeit.example.de/\r\nContent-Length: 0\r\n\r\n"
    with listening(None, answer) as port:
        output = refused(tmp_path, capsys, f"http://localhost:{port}")
    assert "schickt weiter zu https://zeit.example.de/: Nimm diese Adresse." in output


@pytest.mark.parametrize("status", [b"200 OK", b"404 Not Found", b"502 Bad Gateway"])
def test_a_page_in_place_of_the_cloud_is_explained(
    status: bytes, authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = b"<html>Willkommen im Hotel</html>"
    answer = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(page), page)
    with listening(None, answer) as port:
        assert "antwortet nicht wie die Cloud" in refused(tmp_path, capsys, f"http://localhost:{port}")


def test_an_address_in_the_clear_is_refused_before_a_password_leaves(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_ask", lambda name, *_: pytest.fail(f"asked for {name}"))
    assert "Nimm https://" in refused(tmp_path, capsys, "http://zeit.holz.lan")
    assert "ist keine Adresse" in refused(tmp_path, capsys, "zeit.example.de")
    assert "ist keine Adresse" in refused(tmp_path, capsys, "https://zeit.example.de:99999", "--without-tls")
    assert "ist keine Adresse" in refused(tmp_path, capsys, "https://zeit..example.de")
    assert "ist keine Adresse" in refused(tmp_path, capsys, f"https://{'ä' * 64}.de")


def test_a_service_that_is_not_there_is_explained(
    authority: trustme.CA, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(None) as port:
        pass
    assert "ist nicht erreichbar" in refused(tmp_path, capsys, f"https://localhost:{port}")
    assert "kennt niemand" in refused(tmp_path, capsys, "https://cloud.invalid")
