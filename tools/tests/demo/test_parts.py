"""The demo's parts in isolation: the catcher keeps mails, children do not outlive it, refusals fit in one line."""

import contextlib
import io
import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_tools import __main__ as tool
from stempelwerk_tools.demo import command, company, tap
from stempelwerk_tools.demo.children import Child, ChildFailed
from stempelwerk_tools.demo.house import NoRight, port_is_free
from stempelwerk_tools.demo.layout import Layout
from stempelwerk_tools.demo.mail import MailCatcher
from stempelwerk_tools.demo.mailbox import MailboxPage
from stempelwerk_tools.demo.people import PEOPLE
from stempelwerk_tools.demo.restarts import RestartBackoff
from stempelwerk_tools.simulators.lines import LineServer
from stempelwerk_tools.simulators.tags import tag_of

SLEEP = ["timeit", "-n1", "-r1", "import time; time.sleep(60)"]


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    return text


def test_every_tool_of_the_list_can_be_called() -> None:
    for command_row in tool.COMMANDS.values():
        assert callable(tool.load(command_row))


def test_an_unknown_tool_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["brew"]) == 2
    assert "demo" in capsys.readouterr().err
    assert tool.main([]) == 2
    assert tool.main(["--help"]) == 0


def test_a_taken_port_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as busy_socket:
        busy_socket.bind(("127.0.0.1", 0))
        busy_socket.listen()
        port = busy_socket.getsockname()[1]
        assert not port_is_free(port)
        for option, name in (("--port", "PORT"), ("--clock-port", "CLOCK_PORT")):
            assert command.main([option, str(port), "--dir", str(tmp_path)]) == 1
            line = one_line(capsys.readouterr().err)
            assert line == f"Port {port} ist belegt. Einen anderen wählen: make run {name}={port + 1}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("port", ["99999", "-5", "abc", "", "8000.5"])
def test_an_invalid_port_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], port: str) -> None:
    assert command.main([f"--port={port}", "--dir", str(tmp_path)]) == 1
    line = one_line(capsys.readouterr().err)
    assert line == f"PORT={port} ist kein Port: eine Zahl von 1 bis 65535.\n"


def test_port_0_is_one_that_nobody_else_has(tmp_path: Path) -> None:
    ports = command._ports(Layout(tmp_path), "0", "0")
    assert len({*ports, *command._ports(Layout(tmp_path), "0", "0")}) == 4
    for port in ports:
        with socket.create_server(("127.0.0.1", port)):
            assert not port_is_free(port)


def test_a_port_of_root_is_not_called_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_port: int) -> bool:
        raise NoRight

    monkeypatch.setattr(command, "port_is_free", refuse)
    assert command.main(["--port", "80", "--dir", str(tmp_path)]) == 1
    line = one_line(capsys.readouterr().err)
    assert line == "Port 80 darf nur root öffnen, wie alle unter 1024. Einen anderen wählen: make run PORT=8080\n"


def test_a_wrong_line_is_refused_in_german(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for run, arguments, message in (
        (command.main, ["unsinn"], "'unsinn' gibt es nicht. Möglich sind: "),
        (command.main, ["--farbe"], "Das gehört nicht hierher: --farbe"),
        (command.main, ["--port"], "--port: hier fehlt ein Wert"),
        (tap.main, ["hallo", "welt"], "Das gehört nicht hierher: welt"),
    ):
        with pytest.raises(SystemExit) as ended:
            run(arguments)
        assert ended.value.code == 2
        assert one_line(capsys.readouterr().err).startswith(message)
    (tmp_path / "reader.sock").touch()
    with contextlib.closing(
        LineServer(tmp_path / "reader.sock", lambda request: {"read": bool(tag_of(request["tag"]))})
    ):
        assert tap.main(["hallo welt", "--dir", str(tmp_path)]) == 2
    assert one_line(capsys.readouterr().err).startswith("„hallo welt“ ist kein Tag")


def test_restarts_of_a_program_that_keeps_dying_back_off() -> None:
    backoff = RestartBackoff()
    assert not backoff.due(0)
    now, waits = 100.0, []
    for _ in range(8):
        waits.append(backoff.died(now))
        assert backoff.due(now) == (not waits[-1])
        now += waits[-1]
        assert backoff.due(now)
        backoff.started(now)
        assert not backoff.due(now)
    assert waits == [0, 1, 2, 5, 10, 30, 30, 30]
    assert backoff.died(now + 60) == 0
    backoff.leave()
    assert not backoff.due(now + 60)


def test_nothing_is_cleaned_beneath_a_running_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["idle", "--dir", str(tmp_path / "none")]) == 0
    with contextlib.closing(LineServer(tmp_path / "demo.sock", lambda _: {"ok": True})):
        assert command.main(["idle", "--dir", str(tmp_path)]) == 1
    assert one_line(capsys.readouterr().err).startswith("Die Demo läuft noch")
    assert command.main(["idle", "--dir", str(tmp_path)]) == 0


def test_orders_and_taps_without_a_demo_say_how_to_start_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["stop-cloud", "--dir", str(tmp_path)]) == 1
    assert "make run" in one_line(capsys.readouterr().err)
    assert tap.main(["04A1B2C3D4E5F6", "--dir", str(tmp_path)]) == 1
    assert "make run" in one_line(capsys.readouterr().err)


def test_without_a_tag_all_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert tap.main(["--dir", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert all(person.tag in printed and person.name in printed for person in PEOPLE)


def test_a_name_stands_for_its_tag_only_if_it_is_one_persons() -> None:
    assert tap.tag_named("anna") == "04A1B2C3D4E5F6"
    assert tap.tag_named("04a1b2c3d4e5f6") == "04a1b2c3d4e5f6"
    assert tap.tag_named("x") == "x"


def test_the_displays_answer_is_described_in_one_line() -> None:
    answer: dict[str, Any] = {"kind": "in", "name": "Anna Brandt", "time": "07:58", "todayMinutes": 65, "tag": "04"}
    model: dict[str, Any] = {"answer": {**answer, "sent": False}}
    assert tap.describe_answer(model) == "Anna Brandt · Kommen 07:58 · heute 1h 05m · gespeichert, wird gesendet"
    model = {"answer": {**answer, "sent": True}}
    assert tap.describe_answer(model) == "Anna Brandt · Kommen 07:58 · heute 1h 05m"
    model = {"answer": {**answer, "name": None, "kind": "unknown", "todayMinutes": None, "sent": True}}
    assert tap.describe_answer(model) == "04 · unbekannter Tag 07:58"
    model = {"answer": {**answer, "kind": "not_saved", "todayMinutes": None, "sent": False}}
    assert tap.describe_answer(model) == "Anna Brandt · NICHT GESPEICHERT 07:58"
    assert tap.describe_answer({"answer": None}) is None
    assert tap.describe_answer({}) is None


def test_caught_mails_are_files_and_are_never_overwritten(tmp_path: Path) -> None:
    reports: list[str] = []
    for subject in ("Grüße", "Zweite"):
        catcher = MailCatcher(tmp_path, reports.append)
        catcher.start()
        mail = EmailMessage()
        mail["Subject"], mail["To"], mail["From"] = subject, "anna@holm.example", "uhr@holm.example"
        mail.set_content("Hallo")
        with smtplib.SMTP("127.0.0.1", catcher.port) as smtp:
            smtp.send_message(mail)
        catcher.stop()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0001.eml", "0002.eml"]
    assert "Grüße" in reports[0]
    assert "anna@holm.example" in reports[0]


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[MailboxPage]:
    page = MailboxPage(tmp_path)
    page.start()
    yield page
    page.stop()


def _keep_mail(folder: Path, number: int, subject: str, text: str) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["To"], mail["From"] = subject, "anna@holm.example", "uhr@holm.example"
    mail.set_content(text)
    (folder / f"{number:04}.eml").write_bytes(mail.as_bytes())


def test_the_mailbox_shows_the_newest_mail_first(mailbox: MailboxPage, tmp_path: Path) -> None:
    assert httpx.get(f"{mailbox.url}mails", trust_env=False).json() == []
    _keep_mail(tmp_path, 9, "Grüße", "Dein Code: 123456")
    _keep_mail(tmp_path, 10, "Zweite", "<b>kein</b> HTML")
    (tmp_path / "half.eml").write_bytes(b"not ours")
    mails = httpx.get(f"{mailbox.url}mails", trust_env=False).json()
    assert [(mail["number"], mail["subject"], mail["text"]) for mail in mails] == [
        (10, "Zweite", "<b>kein</b> HTML"),
        (9, "Grüße", "Dein Code: 123456"),
    ]
    assert mails[0]["to"] == "anna@holm.example"


def test_the_mailbox_answers_to_its_own_name_only(mailbox: MailboxPage) -> None:
    page = httpx.get(mailbox.url, trust_env=False)
    assert page.status_code == 200
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    for path, host, status in (("mails", "evil.example", 421), ("mails", "", 421), ("elsewhere", "localhost", 404)):
        answer = httpx.get(f"{mailbox.url}{path}", headers={"host": host}, trust_env=False)
        assert answer.status_code == status


def test_a_second_mailbox_finds_a_port_of_its_own(mailbox: MailboxPage, tmp_path: Path) -> None:
    second_page = MailboxPage(tmp_path)
    second_page.start()
    try:
        assert second_page.url != mailbox.url
        assert httpx.get(second_page.url, trust_env=False).status_code == 200
    finally:
        second_page.stop()


def test_a_child_that_dies_at_the_start_is_shown_with_its_last_words(tmp_path: Path) -> None:
    child = Child("Die Uhr", ["no_such_module_here"], tmp_path / "clock.log", dict(os.environ))
    child.start()
    with pytest.raises(ChildFailed, match="no_such_module_here"):
        child.wait_until_up("http://127.0.0.1:1/")
    child.forget()
    assert child.pid is None


def test_a_stopped_child_is_gone_and_not_taken_for_dead(tmp_path: Path) -> None:
    child = Child("Die Uhr", SLEEP, tmp_path / "clock.log", dict(os.environ))
    child.start()
    pid = child.pid
    assert pid is not None
    child.stop()
    assert child.ended() is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_does_not_outlive_a_killed_demo(tmp_path: Path) -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from stempelwerk_tools.demo.children import Child\n"
        f"child = Child('x', {SLEEP!r}, Path({str(tmp_path / 'x.log')!r}), dict(os.environ)); child.start()\n"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert isinstance(parent.stdout, io.TextIOBase)
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60
    while _alive(pid):
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # the second: the process ended between opening and reading
        return False
    return state != "Z"


def test_a_first_start_that_was_broken_off_counts_as_none(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert company.read(layout) is None
    company.write(layout, {"company": "x"})
    assert company.read(layout) is None
    layout.clock_data.mkdir()
    layout.database.parent.mkdir()
    layout.database.touch()
    assert company.read(layout) == {"company": "x"}
    layout.facts.write_text('{"company": ')
    assert company.read(layout) is None
