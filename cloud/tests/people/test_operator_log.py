"""The operator log: readers, rows of actions, logins and commands, and its protection against changes."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from fastapi.testclient import TestClient
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import KEEPS
from stempelwerk_cloud.command_line import main
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity.browsers import shortened
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.directory.tables import Company, User
from structlog.testing import capture_logs

from cloud.tests.databases import ON_BOTH
from cloud.tests.logging_in import LoginClient, authenticate, wrong
from cloud.tests.meeting import all_at_once
from cloud.tests.room import logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm, Somebody, World

LOG = "/api/operator-log"


def _log(reader: Somebody, **query: Any) -> list[dict[str, Any]]:
    answer = reader.get(LOG, params=query)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


def _actions(reader: Somebody, **query: Any) -> list[str]:
    return [row["action"] for row in _log(reader, **query)]


def _log_in(client: TestClient, username: str, password: str = PASSWORD) -> int:
    body = {"company": "Plattform", "username": username, "password": password}
    return client.post("/api/login", json=body).status_code


@pytest.mark.parametrize(
    "query",
    [
        "?limit=0",
        "?limit=201",
        "?from=2026-11-02&to=2026-11-01",
        "?from=gestern",
        "?action=%25",
        "?before=nonsense",
        "?before=0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
        f"?q={'x' * 101}",
    ],
)
def test_a_malformed_question_is_refused(world: World, query: str) -> None:
    assert world.founder.get(f"{LOG}{query}").status_code == 422


@ON_BOTH
def test_a_company_and_its_people_read_nothing(world: World, firm: Firm) -> None:
    world.founder.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    for reader in (firm.boss, firm.ben):
        assert reader.get(LOG).status_code == 403


@ON_BOTH
def test_a_deed_is_told_with_operator_company_and_person(world: World, firm: Firm) -> None:
    admin = world.admin("technik")
    assert admin.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True}).status_code == 200
    row = _log(world.founder)[0]
    assert row["action"] == "user.locked"
    assert (row["actor"], row["actorName"]) == (admin.id, "technik")
    assert (row["companyId"], row["companyName"]) == (firm.id, firm.name)
    assert (row["subject"], row["subjectName"]) == (firm.anna.id, "anna")
    assert logged(world, firm.id, "user.locked") == ["user.locked"]


@ON_BOTH
def test_names_are_those_of_the_moment_of_the_deed(world: World, firm: Firm) -> None:
    admin = world.admin("technik")
    admin.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    with world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == admin.id).values(username="anders", username_key="anders"))
        tx.execute(update(Company).where(Company.id == firm.id).values(name="Umbenannt", name_key="umbenannt"))
    row = _log(world.founder)[0]
    assert (row["actorName"], row["companyName"]) == ("technik", firm.name)


def test_a_deed_of_a_companys_administrator_is_none_of_an_operators(world: World, firm: Firm) -> None:
    rows_before = _log(world.founder)
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "annette"}).status_code == 200
    assert _log(world.founder) == rows_before


def test_a_deed_that_is_refused_leaves_no_row(world: World, firm: Firm) -> None:
    rows_before = _log(world.founder)
    assert world.founder.put(f"/api/users/{world.founder.id}/lock", json={"locked": True}).status_code >= 400
    assert world.founder.post("/api/companies", json={"name": firm.name}).status_code == 409
    assert _log(world.founder) == rows_before


def test_two_operators_at_once_leave_a_row_each(world: World, firm: Firm) -> None:
    first, second = world.admin("eins"), world.admin("zwei")
    answers = all_at_once(
        world.platform,
        lambda: first.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True}),
        lambda: second.put(f"/api/users/{firm.ben.id}/lock", json={"locked": True}),
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert {row["actorName"] for row in _log(world.founder, action="user.locked")} == {"eins", "zwei"}


def test_a_command_that_is_sent_again_by_its_key_leaves_one_row(world: World, firm: Firm) -> None:
    body = {"name": "Einmal GmbH"}
    headers = {"Idempotency-Key": "0b8c1f0e-9d5a-4f7e-8a31-5d1c6e1f7a01"}
    answers = [world.founder.post("/api/companies", json=body, headers=headers) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert _actions(world.founder, action="company.created") == ["company.created"]


@ON_BOTH
def test_rows_are_found_by_text_by_action_and_by_days(world: World, firm: Firm, clock: SettableClock) -> None:
    admin = world.admin("Jörg Öztürk")
    admin.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    clock.advance(days=3)
    other_session = world.again(world.founder)
    other_session.post("/api/companies", json={"name": "Späte GmbH"})
    assert _actions(other_session, q="öztürk") == ["user.locked"]
    assert _actions(other_session, q="ÖZTÜRK") == ["user.locked"]
    assert _actions(other_session, q="100 %") == []
    assert _actions(other_session, q="späte") == ["company.created"]
    assert _actions(other_session, action=["company.created"]) == ["company.created"]
    assert _actions(other_session, q="öztürk", action=["company.created"]) == ["company.created", "user.locked"]
    day = clock.now().date().isoformat()
    assert _actions(other_session, **{"from": day}) == ["company.created"]
    assert "company.created" not in _actions(other_session, to=(clock.now().date() - timedelta(days=1)).isoformat())


@ON_BOTH
@pytest.mark.parametrize(
    ("address", "same_network", "other_network"),
    [
        ("192.0.2.77", "192.0.2.200", "192.0.3.77"),
        ("2001:db8:1:2:3:4:5:6", "2001:DB8:1::1", "2001:db8:2::1"),
    ],
)
def test_an_address_finds_the_rows_of_its_network(
    app: FastAPI, firm: Firm, world: World, address: str, same_network: str, other_network: str
) -> None:
    admin = world.admin("technik")
    assert LoginClient(app, firm, address=address).log_in(admin, company="Plattform").status_code == 200
    for sought in (address, same_network, f" {same_network} ", shortened(address)):
        assert _actions(world.founder, q=sought) == ["login.succeeded"]
    assert _actions(world.founder, q=other_network) == []


@ON_BOTH
def test_pages_follow_one_another_newest_first(world: World) -> None:
    for number in range(5):
        world.founder.post("/api/companies", json={"name": f"Firma {number}"})
    all_rows = _log(world.founder)
    collected, path = [], f"{LOG}?limit=2"
    while path:
        answer = world.founder.get(path)
        collected += answer.json()
        path = answer.headers.get("Link", "").partition(">")[0].lstrip("<")
    assert collected == all_rows
    assert [row["id"] for row in all_rows] == sorted((row["id"] for row in all_rows), reverse=True)


@ON_BOTH
def test_a_wrong_password_and_a_right_one_of_an_operator_leave_rows(client: TestClient, world: World) -> None:
    world.admin("technik")
    assert _log_in(client, "technik", "falsch") == 401
    assert _log_in(client, "technik") == 200
    rows = _log(world.founder, q="technik")
    assert [row["action"] for row in rows] == ["login.succeeded", "login.failed"]
    assert {row["subjectName"] for row in rows} == {"technik"}


@ON_BOTH
def test_guesses_that_bring_a_pause_say_so_and_refused_ones_leave_nothing(client: TestClient, world: World) -> None:
    world.admin("technik")
    answers = [_log_in(client, "technik", "falsch") for _ in range(30)]
    assert 429 in answers
    actions = _actions(world.founder, q="technik")
    assert actions[0] == "login.paused"
    assert len(actions) == answers.count(401)


def test_guesses_at_employees_leave_nothing(client: TestClient, world: World, firm: Firm) -> None:
    rows_before = _log(world.founder)
    for username in ("anna", "chefin", "niemand"):
        body = {"company": firm.name, "username": username, "password": "falsch"}
        assert client.post("/api/login", json=body).status_code == 401
    assert _log(world.founder) == rows_before


@ON_BOTH
def test_a_login_to_a_locked_operator_leaves_a_row(client: TestClient, world: World) -> None:
    admin = world.admin("technik")
    with world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == admin.id).values(is_locked=True))
    assert _log_in(client, "technik") == 403
    assert _actions(world.founder, q="technik") == ["login.locked"]


@ON_BOTH
def test_right_passwords_of_a_locked_operator_are_throttled_and_leave_rows_up_to_the_pause(
    client: TestClient, world: World
) -> None:
    admin = world.admin("technik")
    with world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == admin.id).values(is_locked=True))
    answers = [_log_in(client, "technik") for _ in range(30)]
    assert set(answers) == {403, 429}
    assert _actions(world.founder, q="technik") == ["login.locked"] * answers.count(403)


@ON_BOTH
def test_a_right_password_without_the_second_factor_leaves_one_row_for_each_unfinished_login(
    app: FastAPI, firm: Firm, world: World, platform: Platform, clock: SettableClock
) -> None:
    admin, login = world.admin("technik"), LoginClient(app, firm)
    authenticate(platform, admin)
    authenticate(platform, firm.boss)
    clock.advance(seconds=60)
    for _ in range(2):
        assert login.log_in(admin, company="Plattform").json()["next"] == "totp"
    assert login.log_in(firm.boss).json()["next"] == "totp"
    assert _actions(world.founder, q="technik") == ["login.password_right"] * 2
    assert "login.password_right" not in _actions(world.founder, q=firm.name)


@ON_BOTH
def test_the_row_of_a_failed_login_is_written_after_the_answer(
    client: TestClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.admin("technik")
    sent: list[str] = []
    note, call = operators.note, JSONResponse.__call__

    async def call_and_note(self: JSONResponse, scope: Any, receive: Any, send: Any) -> None:
        async def send_on(message: Any) -> None:
            sent.append(message["type"])
            await send(message)

        await call(self, scope, receive, send_on)

    def note_and_say(*args: Any, **options: Any) -> None:
        sent.append("row")
        note(*args, **options)

    monkeypatch.setattr(JSONResponse, "__call__", call_and_note)
    monkeypatch.setattr(operators, "note", note_and_say)
    assert _log_in(client, "technik", "falsch") == 401
    assert sent == ["http.response.start", "http.response.body", "row"]


def test_a_row_that_cannot_be_written_changes_no_answer_and_is_logged(
    client: TestClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("disk full")

    world.admin("technik")
    monkeypatch.setattr(operators, "note", refuse)
    with capture_logs() as lines:
        assert _log_in(client, "technik", "falsch") == 401
    assert "operator_log_row_lost" in [line["event"] for line in lines]


@ON_BOTH
def test_a_pause_of_strangers_is_no_pause_of_an_operator_at_a_known_address(
    app: FastAPI, firm: Firm, world: World
) -> None:
    admin, home = world.admin("technik"), LoginClient(app, firm, address="198.51.100.7")
    assert home.log_in(admin, company="Plattform").status_code == 200
    strangers = [LoginClient(app, firm, address=f"203.0.113.{number}") for number in range(30)]
    answers = [stranger.log_in(admin, "falsch", company="Plattform").status_code for stranger in strangers]
    assert 429 in answers
    assert _actions(world.founder, q="technik")[0] == "login.paused"
    assert home.log_in(admin, "falsch", company="Plattform").status_code == 401
    assert _actions(world.founder, q="technik")[0] == "login.failed"
    assert home.log_in(admin, company="Plattform").status_code == 200


@ON_BOTH
def test_a_wrong_code_and_a_device_that_is_remembered_leave_rows_with_the_network(
    app: FastAPI, firm: Firm, world: World, platform: Platform, clock: SettableClock
) -> None:
    admin, login = world.admin("technik"), LoginClient(app, firm, address="198.51.100.7")
    authenticator, _ = authenticate(platform, admin)
    clock.advance(seconds=60)
    token = login.log_in(admin, company="Plattform").json()["temp_token"]
    right = authenticator.at(clock.now())
    assert login.app_code(token, wrong(right)).status_code == 401
    assert login.app_code(token, right, rememberDevice=True).status_code == 200
    rows = _log(world.founder, q="technik")
    expected = ["login.device_remembered", "login.succeeded", "login.code_failed", "login.password_right"]
    assert [row["action"] for row in rows] == expected
    assert {row["network"] for row in rows} == {"198.51.100.0/24"}


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("testclient", ""),
        ("", ""),
    ],
)
def test_an_address_loses_what_names_one_machine(address: str, network: str) -> None:
    assert shortened(address) == network


@ON_BOTH
def test_no_statement_changes_a_row(world: World, firm: Firm) -> None:
    world.founder.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    rows_before = _log(world.founder)
    changes = [update(OperatorEntry).values(actor_name="niemand")]
    if world.platform.database.dialect == "sqlite":
        changes.append(text("INSERT OR REPLACE INTO operator_log SELECT * FROM operator_log"))  # type: ignore[arg-type]
    for change in changes:
        with pytest.raises(DBAPIError), world.platform.database.write(SYSTEM) as tx:
            tx.execute(change)
    assert _log(world.founder) == rows_before


@ON_BOTH
def test_a_row_stays_for_two_years(world: World, firm: Firm, clock: SettableClock) -> None:
    world.founder.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    (keep,) = [keep for keep in KEEPS if keep.table is OperatorEntry]
    for days, is_kept in ((2 * 366 - 1, True), (1, False)):
        clock.advance(days=days)
        jobs.run_once(world.platform, keep.job)
        with world.platform.database.read(SYSTEM) as tx:
            assert bool(tx.scalars(select(OperatorEntry)).all()) == is_kept


@ON_BOTH
def test_a_decision_whose_company_log_is_gone_keeps_its_row(world: World, firm: Firm) -> None:
    world.founder.put(f"/api/users/{firm.anna.id}/lock", json={"locked": True})
    with world.platform.database.write(SYSTEM) as tx:
        row = tx.scalars(select(OperatorEntry).where(OperatorEntry.action == "user.locked")).one()
        tx.execute(delete(OperatorEntry).where(OperatorEntry.id == row.id))
        values = {column.name: getattr(row, column.name) for column in OperatorEntry.__table__.columns}
        tx.add(OperatorEntry(**values | {"entry": world.platform.ids.new()}))
    row = _log(world.founder)[0]
    assert (row["companyName"], row["subjectName"], row["after"]) == (firm.name, None, None)


def test_commands_on_the_server_leave_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/cloud.db"
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "data"))

    def run(*command: str, stdin: str = "sehr lang und geheim") -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{stdin}\n"))
        assert main(list(command)) == 0, capsys.readouterr().err

    run("create-founder", "--username", "Gerda", "--password-stdin")
    run("reset-protected", "--username", "Gerda", "--password-stdin")
    run("confirm-time")
    run("update-key", "--new")
    run("forget-key", "update.key")
    run("backup", str(tmp_path / "backup.tar.gz"))
    run("restore", "--replace", str(tmp_path / "backup.tar.gz"))
    with Database(url) as database, database.read(SYSTEM) as session:
        rows = session.scalars(select(OperatorEntry).order_by(OperatorEntry.id)).all()
    assert {(row.actor, row.actor_name) for row in rows} == {(None, "Server")}
    assert [row.action for row in rows] == [
        "company.created",
        "user.created",
        "user.password_reset",
        "user.second_factor_removed",
        "server.time_confirmed",
        "server.key_made",
        "server.key_forgotten",
        "server.restored",
    ]
