"""The two commands, as the person who installs a clock calls them."""

import base64
import errno
import http.server
import json
import os
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, InvalidSignature, algorithms
from stempelwerk_edge import mounts
from stempelwerk_edge.__main__ import main
from stempelwerk_edge.cloud.identity import keyid_of, load_or_make
from stempelwerk_edge.machine.clock import Quality, SystemClock
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_edge.satellites.adoption import FILE_NAME, Adoption


class Health(http.server.BaseHTTPRequestHandler):
    """Answers like the cloud's health call, and like its enrolment as long as a signature fits `public_url`.

    A test may change the answer; `refusal` replaces judging the signature.
    """

    body, kind, status, date = b'{"status": "ok"}', "application/json", 200, None
    refusal: tuple[int, dict[str, str]] | None = None
    public_url = ""
    requests: list[dict[str, Any]]

    def do_GET(self) -> None:
        self._say(self.status, self.kind, self.body)

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        request = httpx.Request("POST", f"{self.public_url}{self.path}", headers=self.headers.items(), content=content)
        self.requests.append({"path": self.path, **json.loads(content)})
        status, body = self.refusal or self._judge_request(request)
        self._say(status, "application/problem+json", json.dumps(body).encode())

    def _judge_request(self, request: httpx.Request) -> tuple[int, dict[str, str]]:
        verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Key(request))
        try:
            verifier.verify(request, max_age=None, body=request.content)
        except InvalidSignature:
            return 401, {"code": "bad_signature"}
        return 422, {"code": "unreadable_enrolment"}

    def _say(self, status: int, kind: str, body: bytes) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Date", self.date or formatdate(usegmt=True))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Silent."""


class Key(HTTPSignatureKeyResolver):
    """The key that an enrolment brings."""

    def __init__(self, request: httpx.Request) -> None:
        self._raw = base64.b64decode(json.loads(request.content)["publicKey"], validate=True)

    def resolve_public_key(self, key_id: str) -> Any:
        assert key_id == keyid_of(self._raw)
        return Ed25519PublicKey.from_public_bytes(self._raw)

    def resolve_private_key(self, key_id: str) -> Any:
        raise AssertionError("not to be asked for")


@pytest.fixture
def cloud() -> Iterator[tuple[type[Health], str]]:
    handler = type("Handler", (Health,), {"requests": []})
    server = http.server.HTTPServer(("127.0.0.1", 0), handler)
    handler.public_url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield handler, handler.public_url
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def certified(not_before: datetime, not_after: datetime, folder: Path) -> Iterator[tuple[type[Health], Path]]:
    """A cloud over TLS, and the configuration of a clock that trusts its authority."""
    authority, handler = trustme.CA(), type("Handler", (Health,), {"requests": []})
    authority.cert_pem.write_to_path(folder / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", not_before=not_before, not_after=not_after).configure_cert(context)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    handler.public_url = f"https://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    path = folder / "clock.toml"
    path.write_text(f'data_dir = "data"\n[cloud]\nurl = "{handler.public_url}"\nca_file = "ca.pem"\n')
    try:
        yield handler, path
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def mountinfo(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mounts of a clock with a card, wherever the tests' own folders lie."""
    file = tmp_path_factory.mktemp("proc") / "mountinfo"
    file.write_text("26 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n")
    monkeypatch.setattr(mounts, "MOUNTINFO", file)
    return file


def config(tmp_path: Path, url: str, **more: str) -> Path:
    path = tmp_path / "clock.toml"
    tables = "".join(f"[{name}]\n{content}\n" for name, content in more.items())
    path.write_text(f'data_dir = "data"\n[cloud]\nurl = "{url}"\n{tables}', "utf-8")
    return path


def check(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str]]:
    status = main(["check", "--config", str(path)])
    lines = [line for line in capsys.readouterr().out.splitlines() if ": " in line]
    return status, {line[9:].partition(":")[0]: line for line in lines}


def test_check_says_what_is_well_and_what_is_not(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, findings = check(config(tmp_path, cloud[1]), capsys)
    assert status == 1
    assert findings["Verbindung"].startswith("gut")
    assert findings["Speicher"].startswith("gut")
    assert findings["Leser"].startswith("FEHLER")


def test_check_knows_a_hotels_page_a_broken_service_and_no_service(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    handler, url = cloud
    handler.kind = "text/html"
    assert "WLAN" in check(config(tmp_path, url), capsys)[1]["Verbindung"]
    handler.status = 502
    assert "502" in check(config(tmp_path, url), capsys)[1]["Verbindung"]
    _, findings = check(config(tmp_path, "http://127.0.0.1:9"), capsys)
    assert "nicht erreichbar" in findings["Verbindung"]
    _, findings = check(config(tmp_path, "http://no-such-host.invalid"), capsys)
    assert findings["Verbindung"].startswith("FEHLER")


@pytest.mark.parametrize(
    ("begins", "ends", "line"),
    [
        (2001, 2002, "FEHLER   Verbindung: Das Zertifikat von {url} ist seit dem 01.01.2002 abgelaufen. "),
        (2090, 2091, "FEHLER   Verbindung: Das Zertifikat von {url} gilt erst ab dem 01.01.2090. "),
        (2001, 2091, "gut      Verbindung: Die Cloud unter {url} antwortet."),
    ],
)
def test_check_judges_a_certificates_dates_as_the_agent_does_after_a_contact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], begins: int, ends: int, line: str
) -> None:
    with certified(datetime(begins, 1, 1, tzinfo=UTC), datetime(ends, 1, 1, tzinfo=UTC), tmp_path) as (cloud, path):
        assert check(path, capsys)[1]["Verbindung"].startswith(line.format(url=cloud.public_url))


def test_check_says_that_the_time_is_wrong_and_not_the_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with certified(datetime(2001, 1, 1, tzinfo=UTC), datetime(2002, 1, 1, tzinfo=UTC), tmp_path) as (cloud, path):
        cloud.date = "Tue, 05 Jun 2001 08:00:00 GMT"
        findings = check(path, capsys)[1]
    assert findings["Uhrzeit"].startswith("FEHLER")
    assert findings["Verbindung"].startswith("gut")


ELSEWHERE = (
    "FEHLER   Verbindung: Die Cloud antwortet, erkennt aber die Unterschrift nicht an: [cloud] url muss genau die "
    "Adresse sein, die bei der Cloud als STEMPELWERK_PUBLIC_URL eingetragen ist ({url})."
)


@pytest.mark.parametrize("public", ["https://zeit.example.de", "http://localhost:{port}", "http://127.0.0.1"])
def test_an_address_that_is_not_the_clouds_own_is_found_out_by_a_signature(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], public: str
) -> None:
    handler, url = cloud
    handler.public_url = public.replace("{port}", url.rpartition(":")[2])
    status, findings = check(config(tmp_path, url), capsys)
    assert (status, findings["Verbindung"]) == (1, ELSEWHERE.format(url=url))


@pytest.mark.parametrize(
    ("refusal", "line"),
    [
        ((401, {"code": "bad_signature"}), ELSEWHERE),
        ((401, {}), "nicht wie erwartet (status 401)."),
        ((403, {"code": "revoked"}), "nicht wie erwartet (status 403 revoked)."),
        ((404, {"code": "not_found"}), "nicht wie erwartet (status 404 not_found)."),
        ((422, {"code": "unknown_proto"}), "nicht wie erwartet (status 422 unknown_proto)."),
        ((500, {}), "nicht wie erwartet (status 500)."),
        ((503, {}), "nicht wie erwartet (status 503)."),
        ((200, {}), "nicht wie erwartet (status 200)."),
    ],
)
def test_what_a_cloud_does_not_say_to_a_clock_is_an_error(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    refusal: tuple[int, dict[str, str]],
    line: str,
) -> None:
    handler, url = cloud
    handler.refusal = refusal
    status, findings = check(config(tmp_path, url), capsys)
    assert status == 1
    assert findings["Verbindung"].startswith("FEHLER")
    assert findings["Verbindung"].endswith(line.format(url=url))


def test_a_cloud_that_is_asked_too_much_is_a_hint(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    handler, url = cloud
    handler.refusal = (429, {"code": "too_many"})
    _, findings = check(config(tmp_path, url), capsys)
    assert findings["Verbindung"].startswith("Hinweis")


def test_check_enrols_nothing_and_leaves_key_and_journal_alone(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    handler, url = cloud
    for _ in range(2):
        check(config(tmp_path, url + "/"), capsys)
    assert [set(request) for request in handler.requests] == [{"path", "proto", "publicKey"}] * 2
    assert {request["path"] for request in handler.requests} == {"/api/devices/enroll"}
    assert len({request["publicKey"] for request in handler.requests}) == 2
    assert list((tmp_path / "data").rglob("*")) == []


def test_settings_that_are_none_are_a_hint(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, cloud[1], display="prot = 1", readr="kind = 'none'")
    assert check(path, capsys)[1]["Einstellungen"] == (
        "Hinweis  Einstellungen: Unbekannt und ohne Wirkung: [display] prot (gemeint ist vielleicht [display] port), "
        "[readr] (gemeint ist vielleicht [reader])."
    )
    assert "Einstellungen" not in check(config(tmp_path, cloud[1]), capsys)[1]


def test_a_kernel_that_may_not_be_asked_is_not_said_to_have_no_time_service(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SystemClock, "quality", lambda _: Quality.NONE)
    monkeypatch.setattr(SystemClock, "untold", lambda _: "Operation not permitted")
    expected_text = (
        "Ob ein Zeitdienst sie stellt, darf dieses Programm den Kernel nicht fragen (Operation not permitted)."
    )
    with_cloud = check(config(tmp_path, cloud[1]), capsys)[1]["Uhrzeit"]
    assert with_cloud == f"Hinweis  Uhrzeit: Sie stimmt mit der Cloud überein. {expected_text}"
    alone = check(config(tmp_path, "http://127.0.0.1:9"), capsys)[1]["Uhrzeit"]
    assert alone == f"FEHLER   Uhrzeit: {expected_text} Auch mit der Cloud ließ sie sich nicht vergleichen."


def test_check_compares_the_time_with_the_clouds(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    handler, url = cloud
    handler.date = "Fri, 20 Nov 1970 08:00:00 GMT"
    status, findings = check(config(tmp_path, url), capsys)
    assert status == 1
    assert "weicht um" in findings["Uhrzeit"]


@pytest.mark.parametrize(
    ("quality", "word"), [(Quality.NTP, "gut "), (Quality.RTC, "gut "), (Quality.NONE, "Hinweis ")]
)
def test_a_time_that_nothing_sets_is_a_hint_as_long_as_it_is_right(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    quality: Quality,
    word: str,
) -> None:
    monkeypatch.setattr(SystemClock, "quality", lambda _: quality)
    assert check(config(tmp_path, cloud[1]), capsys)[1]["Uhrzeit"].startswith(word)


def test_check_says_when_the_place_for_stamps_cannot_be_written(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("a file in the way")
    assert check(config(tmp_path, cloud[1]), capsys)[1]["Speicher"].startswith("FEHLER")


@pytest.mark.parametrize(
    ("number", "way_out"),
    [(errno.EACCES, "sudo chown -R "), (errno.EROFS, "Schreibschutz"), (errno.ENOSPC, "Platz")],
)
def test_check_says_what_to_do_where_the_place_for_stamps_cannot_be_written(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    way_out: str,
) -> None:
    def refuse(_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("stempelwerk_edge.check.os.fsync", refuse)
    _, lines = check(config(tmp_path, cloud[1]), capsys)
    assert lines["Speicher"].startswith(f"FEHLER   Speicher: In {tmp_path}/data lässt sich nicht schreiben: ")
    assert way_out in lines["Speicher"]


def test_check_finds_a_storage_that_forgets_everything_wrong(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], mountinfo: Path
) -> None:
    mountinfo.write_text(f"{mountinfo.read_text()}30 26 0:26 / {tmp_path} rw,relatime - tmpfs tmpfs rw\n")
    status, lines = check(config(tmp_path, cloud[1]), capsys)
    assert status == 1
    assert lines["Speicher"].startswith("FEHLER   Speicher: Dieser Speicher vergisst alles beim Ausschalten: ")
    assert f"(tmpfs unter {tmp_path})" in lines["Speicher"]
    assert "Leg data_dir auf eine Karte oder Platte" in lines["Speicher"]


def test_check_hints_at_an_overlay_whose_upper_layer_is_out_of_sight(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], mountinfo: Path
) -> None:
    mountinfo.write_text("26 1 0:25 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/w\n")
    assert check(config(tmp_path, cloud[1]), capsys)[1]["Speicher"].startswith("Hinweis  Speicher: ")


def test_check_hints_at_a_network_share(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], mountinfo: Path
) -> None:
    mountinfo.write_text(f"{mountinfo.read_text()}30 26 0:26 / {tmp_path} rw,relatime - nfs4 nas:/clock rw\n")
    _, lines = check(config(tmp_path, cloud[1]), capsys)
    assert lines["Speicher"].startswith("Hinweis  Speicher: ")
    assert f"Netzfreigabe (nfs4 unter {tmp_path})" in lines["Speicher"]


def test_check_names_the_files_that_the_clock_may_not_use_and_the_way_out(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, data = config(tmp_path, cloud[1]), tmp_path / "data"
    (data / "journal").mkdir(parents=True)
    for name in ("identity.json", "journal/journal.db"):
        (data / name).touch()
    (data / "lost+found").mkdir()
    assert "Dateien" not in check(path, capsys)[1]
    shut = {data / "identity.json", data / "journal/journal.db", data / "lost+found"}
    monkeypatch.setattr("stempelwerk_edge.check.os.access", lambda path, _: Path(path) not in shut)
    status, lines = check(path, capsys)
    assert status == 1
    paths = f"{data}/identity.json, {data}/journal/journal.db"
    assert lines["Dateien"].startswith(f"FEHLER   Dateien: Die Uhr darf {paths} nicht lesen oder nicht ändern. ")
    assert re.search(rf"sudo chown -R \S+: {re.escape(str(data))} && sudo systemctl restart", lines["Dateien"])
    read_only = SimpleNamespace(f_flag=os.ST_RDONLY, f_bavail=1, f_frsize=1 << 30)
    monkeypatch.setattr("stempelwerk_edge.check.os.statvfs", lambda _: read_only)
    assert "Dateien" not in check(path, capsys)[1]


def test_check_names_a_damaged_key_file_and_nothing_where_there_is_none(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, cloud[1])
    assert "Schlüssel" not in check(path, capsys)[1]
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data/identity.json").write_bytes(b"half of")
    damaged = load_or_make(tmp_path / "data", ["board:1"]).set_aside
    finding = check(path, capsys)[1]["Schlüssel"]
    assert finding.startswith("Hinweis")
    assert str(damaged) in finding


def test_check_says_when_there_is_no_reader_at_its_place(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, cloud[1], reader='kind = "pn532"\npath = "/dev/no-such-line"')
    assert "ist kein Leser" in check(path, capsys)[1]["Leser"]


def test_check_says_nothing_of_scanners_where_the_clock_is_no_base(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Scanner" not in check(config(tmp_path, cloud[1]), capsys)[1]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "Hinweis  Scanner: Unter {0}/scanner* liegt gerade keiner."),
        ({"scanner-1": "/dev/null", "scanner-2": "/dev/zero", "reader": "/dev/full"}, "gut      Scanner: Leitungen"),
        ({"scanner-1": "/dev/null", "scanner-2": "{0}"}, "FEHLER   Scanner: Keine serielle Leitung: {0}."),
        ({"scanner-1": "/dev/no-such-line"}, "Hinweis  Scanner: Unter"),
    ],
)
def test_check_says_what_lies_at_the_scanners_lines(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str],
    said: str,
) -> None:
    for name, target in files.items():
        (tmp_path / name).symlink_to(target.format(tmp_path))
    satellites, reader = f'paths = ["{tmp_path}/scanner*"]', f'path = "{tmp_path}/reader"'
    finding = check(config(tmp_path, cloud[1], satellites=satellites, reader=reader), capsys)[1]["Scanner"]
    assert finding.startswith(said.format(tmp_path))


def test_check_takes_a_base_without_a_reader_of_its_own_for_one(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, cloud[1], satellites='paths = ["/dev/null"]', reader="kind = 'none'")
    assert check(path, capsys)[1]["Leser"].startswith("gut")


def test_check_says_which_line_the_clock_may_not_use_and_when_there_are_too_many(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = config(tmp_path, cloud[1], satellites='paths = ["/dev/null", "/dev/zero"]')
    monkeypatch.setattr("stempelwerk_edge.check.MOST_LINES", 1)
    assert "nur 1 zugleich" in check(path, capsys)[1]["Scanner"]
    monkeypatch.setattr("stempelwerk_edge.check.MOST_LINES", 12)
    monkeypatch.setattr("stempelwerk_edge.check.os.access", lambda line, _: line != "/dev/null")
    status, findings = check(path, capsys)
    assert (status, findings["Scanner"].partition(": Ihr")[0]) == (
        1,
        "FEHLER   Scanner: Diese Uhr darf nicht an /dev/null",
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.20", "clock.example", "::", "127.0.0.2"])
def test_check_says_when_the_screen_would_be_shown_to_others(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], host: str
) -> None:
    status, findings = check(config(tmp_path, cloud[1], display=f'host = "{host}"'), capsys)
    assert status == 1
    assert findings["Bildschirm"].startswith("FEHLER")
    assert f"[display] host muss 127.0.0.1, ::1 oder localhost sein, nicht „{host}“." in findings["Bildschirm"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_check_finds_a_screen_of_the_clock_alone_well(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str], host: str
) -> None:
    _, findings = check(config(tmp_path, cloud[1], display=f'host = "{host}"'), capsys)
    assert findings["Bildschirm"].startswith("gut")


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_wrong_configuration_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = tmp_path / "clock.toml"
    path.write_text("[reader]\n")
    assert main([command, "--config", str(path)]) == 2
    assert "[cloud] url fehlt" in capsys.readouterr().err


SET_UP = [
    '[cloud]\nurl = "https://zeit.example.de"',
    'cloud.url = "https://zeit.example.de"',
    'cloud = {url = "https://zeit.example.de"}',
    '["cloud"]\n"url" = "https://zeit.example.de"',
    "cloud . 'url' = 'https://zeit.example.de'",
    '[cloud]\nurl="""https://zeit.example.de"""',
    '  [ cloud ] # ours\n\turl\t=\t"https://zeit.example.de"\r',
]
NOT_SET_UP = [
    "",
    "[cloud]",
    '[cloud]\n# url = "https://zeit.example.de"',
    '[cloud]\nurl = ""',
    '[reader]\nkind = "none"\nurl = "https://zeit.example.de"',
    'note = """\nurl = 1\n"""',
    '[reader]\nkind = "none of these"',
]


@pytest.mark.parametrize(("text", "status"), [*((text, 0) for text in SET_UP), *((text, 3) for text in NOT_SET_UP)])
def test_a_clock_is_set_up_once_its_configuration_names_the_cloud_however_it_is_spelled(
    tmp_path: Path, text: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "clock.toml"
    path.write_text(text, "utf-8")
    assert main(["is-set-up", "--config", str(path)]) == status
    assert ("[cloud] url fehlt" in capsys.readouterr().err) == (status == 3)


def test_a_clock_without_a_configuration_is_not_set_up(tmp_path: Path) -> None:
    assert main(["is-set-up", "--config", str(tmp_path / "none.toml")]) == 3


@pytest.mark.parametrize("text", ["cloud.url = ", 'cloud.url = "ftp://x"', "cloud.url = 7", 'cloud = "x"'])
def test_a_wrong_configuration_is_the_starts_to_say(tmp_path: Path, text: str) -> None:
    path = tmp_path / "clock.toml"
    path.write_text(text, "utf-8")
    assert main(["is-set-up", "--config", str(path)]) == 2


@pytest.mark.parametrize("command", ["run", "check", "rescue", "is-set-up", "adopt", "fill"])
def test_every_command_explains_itself_without_doing_anything(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    help_texts = []
    for arguments in (["--help"], [command, "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        help_texts.append(capsys.readouterr().out)
    usage, description, options = help_texts[1].split("\n\n", 2)
    assert f"{command} {description}" in " ".join(help_texts[0].split())
    assert ("--config DATEI" in usage and "--config DATEI" in options) == (command != "fill")
    assert ("KARTE" in usage and "KARTE" in options) == (command == "rescue")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    package = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"stempelwerk-edge {package['project']['version']}\n"


def test_a_second_agent_on_the_same_folder_is_refused_and_check_does_not_disturb_the_first(
    tmp_path: Path, cloud: tuple[type[Health], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, cloud[1], reader='kind = "pn532"\npath = "/dev/no-such-line"')
    with sole_instance(tmp_path / "data") as alone:
        assert alone
        assert main(["run", "--config", str(path)]) == 1
        assert "läuft schon eine Uhr" in capsys.readouterr().err
        _, findings = check(path, capsys)
        assert "benutzt ihn" in findings["Leser"]
    with sole_instance(tmp_path / "data") as alone:
        assert alone


@contextmanager
def running(path: Path) -> Iterator[subprocess.Popen[str]]:
    """The agent as a process; ended in any case."""
    arguments = [sys.executable, "-m", "stempelwerk_edge", "run", "--config", str(path)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def test_run_names_in_one_line_each_what_is_in_its_way_and_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "lock").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as busy_socket:
        port = busy_socket.getsockname()[1]
        path = config(tmp_path, "http://127.0.0.1:9", display=f"port = {port}", readr="kind = 'none'")
        with running(path) as process:
            assert process.stderr is not None
            lines: list[str] = []
            for line in process.stderr:
                lines.append(line)
                if "loop_failed" in line:
                    break
            assert process.poll() is None
    assert lines[0].startswith(f"ERROR stempelwerk_edge: data_dir {data} cannot be used: ")
    [unknown] = [line for line in lines if "unknown_settings" in line]
    assert unknown.startswith("WARNING ")
    assert "no settings: [readr] (perhaps [reader])" in unknown
    assert f"display: OSError: [Errno 98] cannot listen on 127.0.0.1, port {port}: Address already in use" in lines[-1]


def test_run_starts_without_a_network_and_ends_when_told(tmp_path: Path) -> None:
    path = config(tmp_path, "http://127.0.0.1:9", display="port = 0")
    earlier = tmp_path / "data" / "people.db"
    earlier.parent.mkdir(mode=0o755)
    earlier.touch(mode=0o644)
    (tmp_path / "data" / "logbook.db").touch(mode=0o000)
    with running(path) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "started" in line:
                break
        process.send_signal(signal.SIGTERM)
        stderr_text = process.stderr.read()
        assert process.wait(60) == 0
    assert "Traceback" not in stderr_text
    key = json.loads((tmp_path / "data" / "identity.json").read_text())
    assert set(key) == {"hardwareId", "privateKey"}
    assert (tmp_path / "data" / "journal" / "journal.db").exists()
    data_paths = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in data_paths}
    assert modes == {path.name: 0o700 if path.is_dir() else 0o600 for path in data_paths}


def test_check_leaves_no_lock_behind_that_would_be_another_users(tmp_path: Path) -> None:
    with sole_instance(tmp_path, make=False) as alone:
        assert alone
    assert not list(tmp_path.iterdir())
    with sole_instance(tmp_path), sole_instance(tmp_path, make=False) as alone:
        assert not alone


@pytest.mark.parametrize(
    ("record", "report", "said"),
    [
        ({}, {}, "Es läuft Version"),
        (
            {"trial": {"id": "x", "version": "1.6.0", "tries": 1}},
            {},
            "Hinweis  Update: Version 1.6.0 wird gerade erprobt",
        ),
        ({"failed": {"id": "x", "version": "1.6.0"}}, {}, "Version 1.6.0 hat sich nicht bewährt"),
        (
            {"postponed": {"id": "x", "version": "1.6.0"}},
            {},
            "1.6.0 erreichte bei ihrer Erprobung die Cloud nicht",
        ),
        ({}, {"state": "refused", "why": "NotTrusted: x"}, "Eine neue wurde nicht angenommen (NotTrusted: x)"),
    ],
)
def test_check_says_what_runs_and_what_became_of_a_newer_version(
    tmp_path: Path,
    cloud: tuple[type[Health], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    record: dict[str, Any],
    report: dict[str, Any],
    said: str,
) -> None:
    for part, content in (("exchange/launch.json", record), ("slots/report.json", report), ("root.json", {})):
        path = tmp_path / "update" / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    assert "Update" not in check(config(tmp_path, cloud[1]), capsys)[1]
    monkeypatch.setenv("STEMPELWERK_UPDATES", str(tmp_path / "update"))
    assert said in check(config(tmp_path, cloud[1]), capsys)[1]["Update"]
    (tmp_path / "update/root.json").unlink()
    said = check(config(tmp_path, cloud[1]), capsys)[1]["Update"]
    assert "Diese Uhr nimmt keine Updates über das Netz an" in said
    assert "Vertrauenswurzel" in said


def test_adopt_allows_scanners_for_five_minutes_where_there_is_a_base(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, settings = tmp_path / "data", tmp_path / "clock.toml"
    cloud = f'data_dir = "{data}"\n[cloud]\nurl = "https://cloud.example"\n'
    settings.write_text(cloud)
    assert main(["adopt", "--config", str(settings)]) == 1
    assert "keine Basis" in capsys.readouterr().err
    assert not Adoption(data).is_allowed()
    settings.write_text(cloud + '[satellites]\npaths = ["/dev/stempelwerk-scanner*"]\n')
    assert main(["adopt", "--config", str(settings)]) == 0
    assert "fünf Minuten" in capsys.readouterr().out
    assert Adoption(data).is_allowed()
    os.utime(data / FILE_NAME, (0, 0))
    assert not Adoption(data).is_allowed()


def test_fill_needs_to_be_told_where_and_says_by_its_status_how_it_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEMPELWERK_UPDATES", raising=False)
    assert main(["fill"]) == 2
    (tmp_path / "slots").mkdir()
    monkeypatch.setenv("STEMPELWERK_UPDATES", str(tmp_path))
    assert main(["fill"]) == 1
    assert json.loads((tmp_path / "slots/report.json").read_text())["state"] == "refused"
