"""The demo as a person has it: real processes, a tag held to the simulated reader, the cloud gone and back."""

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

PATIENCE_S = 300
ANNA = EMPLOYEE
FINN, MIA, SVENJA = (
    next(person for person in PEOPLE if person.name == name) for name in ("Finn Jansen", "Mia Lorenz", "Svenja Albers")
)


def today() -> date:
    return datetime.now(ZoneInfo(ZONE)).date()


def until(what: Callable[[], Any], *, true: str) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while not (found := what()):
        assert time.monotonic() < deadline, true
        time.sleep(0.1)
    return found


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
        until(lambda: "Bereit nach" in self.said() or process.poll() is not None, true="the demo comes up")
        assert process.poll() is None, self.said()

    def said(self) -> str:
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
        """What the web API answers this person; `{user}` and `{company}` in the path are theirs."""
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=PATIENCE_S) as client:
            if username not in self.logins:
                operates = username == OPERATOR_USER
                company = OPERATOR_COMPANY if operates else COMPANY
                email = OPERATOR_MAIL if operates else MAILS.get(username, "neu@holm.example")
                mails = self.folder / "mails"
                self.logins[username] = log_in(client, mails, company, username, PASSWORD, email)
            who = self.logins[username]
            path = path.format(user=who["userId"], company=who["companyId"])
            headers = {"authorization": f"Bearer {who['token']}"}
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


def test_what_is_printed_is_all_one_needs(demo: Demo) -> None:
    said = demo.said()
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
        assert word in said
    logins = said.rstrip().splitlines()[-4:]
    names = (COMPANY, ANNA.name, OWNER.name, OPERATOR_USER)
    assert [name in line for name, line in zip(names, logins, strict=True)] == [True] * 4
    assert demo.run("demo", "status").stdout.count("läuft") == 2


def test_nobody_has_a_mail_or_a_session_before_they_log_in(demo: Demo) -> None:
    assert list((demo.folder / "mails").glob("*.eml")) == []
    sessions = demo.get(EMPLOYEE.name, "/api/auth/sessions")
    assert [session["current"] for session in sessions] == [True]


def test_a_second_demo_in_the_same_folder_is_refused(demo: Demo) -> None:
    done = demo.run("demo")
    assert (done.returncode, done.stderr) == (1, "Die Demo läuft schon, in einem anderen Terminal.\n")


def test_three_months_are_booked_with_what_happens_in_life(demo: Demo) -> None:
    held = demo.get(OWNER.name, "/api/companies/{company}/held-stamps")
    assert [(row["tag"], row["state"]) for row in held] == [(STRANGER, "held_unknown_tag")] * 2
    flags = {flag for row in demo.get(OWNER.name, "/api/companies/{company}/review") for flag in row["flags"]}
    people = demo.get(OWNER.name, "/api/companies/{company}/users")
    clocks = demo.get(OWNER.name, "/api/companies/{company}/clocks")
    assert {"missing_out", "missing_in"} <= flags
    assert not flags & {"uncertain_time", "shown_differs", "overlap"}
    assert {(row["username"], row["tagId"]) for row in people} == {(person.name, person.tag) for person in PEOPLE}
    assert [(row["name"], row["online"]) for row in clocks] == [("Werkstatt", True)]
    year, month = divmod(today().year * 12 + today().month - 2, 12)
    before = demo.entries(ANNA.name, date(year, month + 1, 1), date(year, month + 1, 28))
    assert len(before) >= 20
    assert {row["source"] for row in before} == {"clock"}


def test_one_month_is_closed_with_something_since_and_one_waits_with_findings(demo: Demo) -> None:
    of_company = "/api/companies/{company}"
    kept = until(
        lambda: [one for one in demo.get(OWNER.name, f"{of_company}/exports") if one["changed"]], true="it is made"
    )
    (row,) = demo.get(OWNER.name, f"{of_company}/exports/{kept[0]['id']}/difference")
    assert (row["username"], row["kind"], row["reason"]) == ("Jan Petersen", "work", "correction")
    assert demo.get(OWNER.name, f"{of_company}/months/{kept[0]['month']}/lock")["lockedAt"] is not None
    year, month = divmod(today().year * 12 + today().month - 2, 12)
    found = demo.get(OWNER.name, f"{of_company}/export-check", month=f"{year}-{month + 1:02}", format="lodas")
    assert "no_personnel_number" in {one["code"] for one in found}
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
    told = {row["username"]: row["sentAt"] for row in demo.get(OWNER.name, f"{of_company}/vacation-notices")}
    assert [name for name, sent in told.items() if sent is not None] == ["Jan Petersen"]
    assert demo.get(OWNER.name, f"{of_company}/vacation-policy")["carryUntil"] == "03-31"


def test_the_clock_of_another_company_has_said_that_its_disk_is_full_which_becomes_an_alarm(demo: Demo) -> None:
    devices = demo.get(OPERATOR_USER, "/api/devices")
    (clock,) = (one for one in devices if one["companyName"] == NEIGHBOUR)
    day = {"from": today() - timedelta(days=1), "to": today()}
    said = demo.get(OPERATOR_USER, f"/api/devices/{clock['id']}/history", **day)
    assert said[-1]["diskFreeMb"] < DISK_LOW_MB
    assert (clock["name"], clock["serial"]) == ("Hof", SILENT_SERIAL)


def test_a_tap_through_the_reader_becomes_an_entry(demo: Demo) -> None:
    before = demo.running(ANNA.name)
    said = demo.tap(ANNA.tag)
    assert said.startswith(f"{ANNA.name} · Kommen ")
    rows = until(lambda: demo.running(ANNA.name), true="the entry is there")
    assert before == []
    assert len(rows) == 1
    assert demo.tap(ANNA.tag).startswith(f"{ANNA.name} · schon gestempelt ")
    assert len(demo.running(ANNA.name)) == 1


def test_a_tap_on_a_portable_scanner_becomes_an_entry_and_the_clock_tells_of_the_scanner(demo: Demo) -> None:
    before = len(demo.running(SVENJA.name))
    done = demo.run("tap", "--scanner", "Svenja")
    assert done.returncode == 0, done.stderr
    assert "die Uhr hat ihn" in done.stdout
    until(lambda: len(demo.running(SVENJA.name)) != before, true="the tap has come")
    clocks = until(
        lambda: [one for one in demo.get(OWNER.name, "/api/companies/{company}/clocks") if one["scannerCount"]],
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
    rows = until(lambda: demo.running(FINN.name), true="the tap is delivered")
    assert len(rows) == 1
    path = "/api/companies/{company}/held-stamps"
    held = until(
        lambda: [one for one in demo.get(OWNER.name, path) if one["tag"] != STRANGER], true="the unknown tag is held"
    )
    assert [(row["tag"], row["state"]) for row in held] == [("A1B2C3D4", "held_unknown_tag")]


def test_a_reader_whose_cable_is_pulled_is_shown_and_works_again_when_it_is_back(demo: Demo) -> None:
    demo.cable("unplug")
    until(lambda: demo.screen()["reader"] == "absent", true="the screen misses the reader")
    demo.cable("plug")
    until(lambda: demo.screen()["reader"] == "ok", true="the screen has the reader again")
    assert demo.tap(MIA.tag).startswith(f"{MIA.name} · Kommen ")


def test_what_dies_is_told_and_started_again(demo: Demo) -> None:
    for name, title in (("cloud", "Die Cloud"), ("clock", "Die Uhr")):
        before = demo.pids()[name]
        os.kill(before, signal.SIGKILL)
        until(lambda title=title: f"{title} ist neu gestartet." in demo.said(), true="the restart is told")
        assert f"{title} ist ausgefallen (Status -9)" in demo.said()
        assert demo.pids()[name] not in (None, before)
    assert '{"' not in demo.said()
    assert demo.run("demo", "start-cloud").stdout == "Die Cloud läuft schon.\n"
    until(demo.answers, true="the service answers again")


def test_what_is_stopped_stays_stopped_and_a_tap_soon_says_so(demo: Demo) -> None:
    assert demo.run("demo", "stop-clock").stdout == "Die Uhr ist angehalten.\n"
    assert demo.run("demo", "stop-clock").stdout == "Die Uhr ist schon angehalten.\n"
    done = demo.run("tap", ANNA.tag)
    assert (done.returncode, done.stderr) == (1, "Der Leser hat den Tag nicht gelesen. Läuft die Uhr?\n")
    assert "clock: angehalten" in demo.run("demo", "status").stdout
    assert demo.run("demo", "start-clock").stdout == "Die Uhr läuft wieder.\n"


def test_others_on_the_machine_can_enter_nothing_of_it(demo: Demo) -> None:
    assert demo.folder.stat().st_mode & 0o777 == 0o700
    for path in (demo.folder / "cloud" / "stempelwerk.db", *(demo.folder / "clock").rglob("*.db")):
        assert path.stat().st_mode & 0o077 == 0, path


def test_it_ends_cleanly_and_comes_back_with_its_data(demo: Demo) -> None:
    pids = demo.pids()
    entries = demo.running(ANNA.name)
    users = [row["id"] for row in demo.facts()["people"]]
    assert demo.stop() == 0
    assert "Die Daten bleiben" in demo.said()
    for pid in pids.values():
        assert not Path(f"/proc/{pid}").exists()
    for rest in ("reader", "reader.sock", "demo.sock"):
        assert not (demo.folder / rest).is_symlink()
        assert not (demo.folder / rest).exists()
    done = demo.run("tap", ANNA.tag)
    assert (done.returncode, done.stderr) == (1, "Die Demo läuft nicht. Starten mit: make run\n")
    demo.start()
    assert demo.running(ANNA.name) == entries
    assert [row["id"] for row in demo.facts()["people"]] == users
