"""The demo from a user's view: real processes, a tag held to the simulated reader, the cloud gone and back."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from stempelwerk_cloud.domain.alarms import DISK_LOW_MB
from stempelwerk_tools.demo.company import SILENT_SERIAL
from stempelwerk_tools.demo.people import (
    COMPANY,
    EMPLOYEE,
    MAILS,
    NEIGHBOUR,
    OPERATOR_COMPANY,
    OPERATOR_MAIL,
    OPERATOR_USER,
    OWNER,
    PASSWORD,
    PEOPLE,
    STRANGER,
    ZONE,
)
from stempelwerk_tools.demo.signing_in import log_in
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.simulators.lines import ask

pytestmark = pytest.mark.proof("programs")

PATIENCE_S = 300
ANNA = EMPLOYEE
FINN, MIA, SVENJA = (
    next(person for person in PEOPLE if person.name == name) for name in ("Finn Jansen", "Mia Lorenz", "Svenja Albers")
)


def today() -> date:
    return datetime.now(ZoneInfo(ZONE)).date()


def wait_for(condition: Callable[[], Any], *, true: str) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        assert time.monotonic() < deadline, true
        time.sleep(0.1)
    return value


class Demo:
    """A demo in a folder of its own, spoken to as from a second terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.clock_port = reserved_port(), reserved_port()
        self.output = folder.parent / "output.txt"
        self.process: subprocess.Popen[bytes] | None = None
        self.logins: dict[str, dict[str, Any]] = {}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "stempelwerk_tools", *arguments, "--dir", str(self.folder)]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def start(self) -> None:
        ports = ["--port", str(self.port), "--clock-port", str(self.clock_port)]
        web = ["--web", str(self.folder.parent / "no-web")]
        command = [sys.executable, "-m", "stempelwerk_tools", "demo", "--dir", str(self.folder), *ports, *web]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        process = self.process
        wait_for(lambda: "Bereit nach" in self.printed_output() or process.poll() is not None, true="the demo comes up")
        assert process.poll() is None, self.printed_output()

    def printed_output(self) -> str:
        return self.output.read_text("utf-8")

    def stop(self) -> int:
        assert self.process
        process, self.process = self.process, None
        process.send_signal(signal.SIGINT)
        return process.wait(PATIENCE_S)

    def tap(self, tag: str) -> str:
        done = self.run("tap", tag)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def pids(self) -> dict[str, int]:
        return ask(self.folder / "demo.sock", {"do": "status"})

    def cable(self, do: str) -> None:
        ask(self.folder / "reader.sock", {"do": do})

    def screen(self) -> dict[str, Any]:
        with httpx.stream(
            "GET", f"http://127.0.0.1:{self.clock_port}/events", trust_env=False, timeout=PATIENCE_S
        ) as page:
            line = next(line for line in page.iter_lines() if line.startswith("data: "))
        model: dict[str, Any] = json.loads(line.removeprefix("data: "))
        return model

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads((self.folder / "demo.json").read_text("utf-8"))
        return facts

    def answers(self) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{self.port}/api/health", trust_env=False).status_code == 200
        return False

    def get(self, username: str, path: str, **parameters: object) -> Any:
        """Returns the web API's answer to this person; `{user}` and `{company}` in the path are theirs."""
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=PATIENCE_S) as client:
            if username not in self.logins:
                operates = username == OPERATOR_USER
                company = OPERATOR_COMPANY if operates else COMPANY
                email = OPERATOR_MAIL if operates else MAILS.get(username, "neu@holm.example")
                mails = self.folder / "mails"
                self.logins[username] = log_in(client, mails, company, username, PASSWORD, email)
            login = self.logins[username]
            path = path.format(user=login["userId"], company=login["companyId"])
            headers = {"authorization": f"Bearer {login['token']}"}
            answer = client.get(path, params={name: str(value) for name, value in parameters.items()}, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def entries(self, username: str, first: date, last: date) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.get(username, "/api/users/{user}/times", **{"from": first, "to": last})
        return rows

    def running(self, username: str) -> list[dict[str, Any]]:
        day = timedelta(days=1)
        return [row for row in self.entries(username, today() - day, today() + day) if row["running"]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    demo = Demo(tmp_path_factory.mktemp("demo") / "here")
    demo.start()
    yield demo
    if demo.process:
        demo.stop()


def test_the_printed_summary_has_addresses_names_and_passwords(demo: Demo) -> None:
    output = demo.printed_output()
    for word in (
        f":{demo.port}/",
        f":{demo.clock_port}/",
        COMPANY,
        PASSWORD,
        ANNA.name,
        ANNA.tag,
        "make tap",
        "Strg-C",
    ):
        assert word in output
    logins = output.rstrip().splitlines()[-4:]
    names = (COMPANY, ANNA.name, OWNER.name, OPERATOR_USER)
    assert [name in line for name, line in zip(names, logins, strict=True)] == [True] * 4
    assert demo.run("demo", "status").stdout.count("läuft") == 2


def test_the_demo_leaves_no_mail_and_no_session_before_the_first_login(demo: Demo) -> None:
    assert list((demo.folder / "mails").glob("*.eml")) == []
    sessions = demo.get(EMPLOYEE.name, "/api/auth/sessions")
    assert [session["current"] for session in sessions] == [True]


def test_a_second_demo_in_the_same_folder_is_refused(demo: Demo) -> None:
    done = demo.run("demo")
    assert (done.returncode, done.stderr) == (1, "Die Demo läuft schon, in einem anderen Terminal.\n")


def test_three_months_are_booked_with_what_happens_in_life(demo: Demo) -> None:
    held_stamps = demo.get(OWNER.name, "/api/companies/{company}/held-stamps")
    assert [(row["tag"], row["state"]) for row in held_stamps] == [(STRANGER, "held_unknown_tag")] * 2
    flags = {flag for row in demo.get(OWNER.name, "/api/companies/{company}/review") for flag in row["flags"]}
    people = demo.get(OWNER.name, "/api/companies/{company}/users")
    clocks = demo.get(OWNER.name, "/api/companies/{company}/clocks")
    assert {"missing_out", "missing_in"} <= flags
    assert not flags & {"uncertain_time", "shown_differs", "overlap"}
    assert {(row["username"], row["tagId"]) for row in people} == {(person.name, person.tag) for person in PEOPLE}
    assert [(row["name"], row["online"]) for row in clocks] == [("Werkstatt", True)]
    year, month = divmod(today().year * 12 + today().month - 2, 12)
    entries = demo.entries(ANNA.name, date(year, month + 1, 1), date(year, month + 1, 28))
    assert len(entries) >= 20
    assert {row["source"] for row in entries} == {"clock"}


def test_one_month_is_closed_with_something_since_and_one_waits_with_findings(demo: Demo) -> None:
    of_company = "/api/companies/{company}"
    exports = wait_for(
        lambda: [export for export in demo.get(OWNER.name, f"{of_company}/exports") if export["changed"]],
        true="it is made",
    )
    (row,) = demo.get(OWNER.name, f"{of_company}/exports/{exports[0]['id']}/difference")
    assert (row["username"], row["kind"], row["reason"]) == ("Jan Petersen", "work", "correction")
    assert demo.get(OWNER.name, f"{of_company}/months/{exports[0]['month']}/lock")["lockedAt"] is not None
    year, month = divmod(today().year * 12 + today().month - 2, 12)
    findings = demo.get(OWNER.name, f"{of_company}/export-check", month=f"{year}-{month + 1:02}", format="lodas")
    assert "no_personnel_number" in {finding["code"] for finding in findings}
    assert demo.get(OWNER.name, f"{of_company}/months/{year}-{month + 1:02}/lock")["lockedAt"] is None


def test_every_module_has_something_to_decide(demo: Demo) -> None:
    of_company = "/api/companies/{company}"
    departments = {row["username"]: row.get("department") for row in demo.get(OWNER.name, f"{of_company}/users")}
    assert {departments[person.name] for person in PEOPLE if person.role == "user"} == {
        "Werkstatt",
        "Montage",
        "CNC",
        "Büro",
    }
    (closure,) = demo.get(OWNER.name, f"{of_company}/closures")
    assert closure["startDate"] > today().isoformat()
    leave = demo.get(OWNER.name, f"{of_company}/vacation-requests", status="approved")
    assert len({row["userId"] for row in leave if row["startDate"] >= closure["startDate"]}) >= 8
    sent_at = {row["username"]: row["sentAt"] for row in demo.get(OWNER.name, f"{of_company}/vacation-notices")}
    assert [name for name, sent in sent_at.items() if sent is not None] == ["Jan Petersen"]
    assert demo.get(OWNER.name, f"{of_company}/vacation-policy")["carryUntil"] == "03-31"


def test_the_neighbours_clock_reports_a_full_disk_for_an_alarm(demo: Demo) -> None:
    devices = demo.get(OPERATOR_USER, "/api/devices")
    (clock,) = (device for device in devices if device["companyName"] == NEIGHBOUR)
    day = {"from": today() - timedelta(days=1), "to": today()}
    history = demo.get(OPERATOR_USER, f"/api/devices/{clock['id']}/history", **day)
    assert history[-1]["diskFreeMb"] < DISK_LOW_MB
    assert (clock["name"], clock["serial"]) == ("Hof", SILENT_SERIAL)


def test_a_tap_through_the_reader_becomes_an_entry(demo: Demo) -> None:
    entries_before = demo.running(ANNA.name)
    output = demo.tap(ANNA.tag)
    assert output.startswith(f"{ANNA.name} · Kommen ")
    rows = wait_for(lambda: demo.running(ANNA.name), true="the entry is there")
    assert entries_before == []
    assert len(rows) == 1
    assert demo.tap(ANNA.tag).startswith(f"{ANNA.name} · schon gestempelt ")
    assert len(demo.running(ANNA.name)) == 1


def test_a_tap_on_a_portable_scanner_becomes_an_entry_and_the_clock_tells_of_the_scanner(demo: Demo) -> None:
    count_before = len(demo.running(SVENJA.name))
    done = demo.run("tap", "--scanner", "Svenja")
    assert done.returncode == 0, done.stderr
    assert "die Uhr hat ihn" in done.stdout
    wait_for(lambda: len(demo.running(SVENJA.name)) != count_before, true="the tap has come")
    clocks = wait_for(
        lambda: [clock for clock in demo.get(OWNER.name, "/api/companies/{company}/clocks") if clock["scannerCount"]],
        true="the clock tells of its scanner",
    )
    assert clocks[0]["scannerCount"] == 1


def test_without_the_cloud_taps_are_answered_and_later_delivered_once(demo: Demo) -> None:
    assert demo.run("demo", "stop-cloud").returncode == 0
    with pytest.raises(httpx.ConnectError):
        demo.get(FINN.name, "/api/health")
    assert "gespeichert, wird gesendet" in demo.tap(FINN.tag)
    assert "unbekannter Tag" in demo.tap("A1B2C3D4")
    assert demo.run("demo", "start-cloud").returncode == 0
    rows = wait_for(lambda: demo.running(FINN.name), true="the tap is delivered")
    assert len(rows) == 1
    path = "/api/companies/{company}/held-stamps"
    held_stamps = wait_for(
        lambda: [stamp for stamp in demo.get(OWNER.name, path) if stamp["tag"] != STRANGER],
        true="the unknown tag is held",
    )
    assert [(row["tag"], row["state"]) for row in held_stamps] == [("A1B2C3D4", "held_unknown_tag")]


def test_a_reader_whose_cable_is_pulled_is_shown_and_works_again_when_it_is_back(demo: Demo) -> None:
    demo.cable("unplug")
    wait_for(lambda: demo.screen()["reader"] == "absent", true="the screen misses the reader")
    demo.cable("plug")
    wait_for(lambda: demo.screen()["reader"] == "ok", true="the screen has the reader again")
    assert demo.tap(MIA.tag).startswith(f"{MIA.name} · Kommen ")


def test_a_dead_program_is_reported_and_restarted(demo: Demo) -> None:
    for name, title in (("cloud", "Die Cloud"), ("clock", "Die Uhr")):
        pid_before = demo.pids()[name]
        os.kill(pid_before, signal.SIGKILL)
        wait_for(lambda title=title: f"{title} ist neu gestartet." in demo.printed_output(), true="the restart is told")
        assert f"{title} ist ausgefallen (Status -9)" in demo.printed_output()
        assert demo.pids()[name] not in (None, pid_before)
    assert '{"' not in demo.printed_output()
    assert demo.run("demo", "start-cloud").stdout == "Die Cloud läuft schon.\n"
    wait_for(demo.answers, true="the service answers again")


def test_a_stopped_program_stays_stopped_and_a_tap_soon_says_so(demo: Demo) -> None:
    assert demo.run("demo", "stop-clock").stdout == "Die Uhr ist angehalten.\n"
    assert demo.run("demo", "stop-clock").stdout == "Die Uhr ist schon angehalten.\n"
    done = demo.run("tap", ANNA.tag)
    assert (done.returncode, done.stderr) == (1, "Der Leser hat den Tag nicht gelesen. Läuft die Uhr?\n")
    assert "clock: angehalten" in demo.run("demo", "status").stdout
    assert demo.run("demo", "start-clock").stdout == "Die Uhr läuft wieder.\n"


def test_other_users_of_the_machine_cannot_read_the_demos_files(demo: Demo) -> None:
    assert demo.folder.stat().st_mode & 0o777 == 0o700
    for path in (demo.folder / "cloud" / "stempelwerk.db", *(demo.folder / "clock").rglob("*.db")):
        assert path.stat().st_mode & 0o077 == 0, path


def test_the_demo_ends_cleanly_and_comes_back_with_its_data(demo: Demo) -> None:
    pids = demo.pids()
    entries = demo.running(ANNA.name)
    users = [row["id"] for row in demo.facts()["people"]]
    assert demo.stop() == 0
    assert "Die Daten bleiben" in demo.printed_output()
    for pid in pids.values():
        assert not Path(f"/proc/{pid}").exists()
    for leftover in ("reader", "reader.sock", "demo.sock"):
        assert not (demo.folder / leftover).is_symlink()
        assert not (demo.folder / leftover).exists()
    done = demo.run("tap", ANNA.tag)
    assert (done.returncode, done.stderr) == (1, "Die Demo läuft nicht. Starten mit: make run\n")
    demo.start()
    assert demo.running(ANNA.name) == entries
    assert [row["id"] for row in demo.facts()["people"]] == users
