"""Secrets appear once, to their owner: no log, no other answer, no metric, no backup and no database contains them.

Canaries go through every kind of call (done, refused, malformed, failed, a stream with its token in the query); then
everything that the installation writes is searched for them.
"""

import asyncio
import base64
import io
import logging
import re
import tarfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
import structlog
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from httpx2 import Request as Asked
from httpx2 import Response
from prometheus_client import generate_latest
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.http.routing import bearer
from stempelwerk_cloud.kit.operations import backup, logs
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.logging_in import LoginClient
from cloud.tests.mailbox import Mailbox
from cloud.tests.streams import listening
from cloud.tests.world import PASSWORD, Firm, Somebody, World

ADDRESS = "anna@holzmann.example"


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Yields all logs of the service and its libraries, as in production."""
    root, old_config = logging.getLogger(), structlog.get_config()
    level = root.level
    lines = io.StringIO()
    handler = logs.configure(level=logging.DEBUG, stream=lines)
    for name in ("httpx2", "mail.log", "asyncio"):  # the test's own browser and mail server, not part of the service
        logging.getLogger(name).setLevel(logging.WARNING)
    yield lines
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.configure(**old_config)


class Canaries:
    """Secrets by name. Every answer is searched for those that it may not contain."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {"password": PASSWORD}
        self.found: list[str] = []

    def release(self, name: str, secret: str) -> str:
        self.known[name] = secret
        return secret

    def search(self, place: str, text: str) -> None:
        for name, secret in self.known.items():
            if re.search(rf"(?<![\w-]){re.escape(secret)}(?![\w-])", text):
                line = next(line for line in text.splitlines() if secret in line)
                self.found.append(f"{name} in {place}: {line[:300]}")

    def checked(self, answer: Response) -> Response:
        headers = " ".join(f"{name}: {value}" for name, value in answer.headers.items() if name != "set-cookie")
        self.search(f"the answer to {answer.request.method} {answer.request.url.path}", f"{headers}\n{answer.text}")
        return answer


def _bring_a_key(request: Asked) -> None:
    """Adds an Idempotency-Key to every POST, so that its answer is stored."""
    if request.method == "POST":
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def _log_in(canaries: Canaries, login: LoginClient, mailbox: Mailbox, firm: Firm) -> Somebody:
    """Logs Anna in by a mailed code, with every kind of mistake on the way."""
    anna = firm.anna
    canaries.checked(login.log_in(anna, canaries.release("wrong password", "CANARY-falsches-Passwort")))
    canaries.checked(login.log_in(anna, PASSWORD, canaries.release("password as company", "CANARY-verrutscht")))
    malformed = {"company": firm.name, "username": "anna", "password": ["CANARY-Liste"]}
    canaries.release("password in a list", "CANARY-Liste")
    canaries.checked(login.browser.post("/api/login", json=malformed))
    canaries.checked(login.browser.post("/api/login", content=b'{"password": "CANARY-Liste", '))
    step = canaries.checked(login.log_in(anna)).json()
    token = canaries.release("temp_token", step["temp_token"])
    canaries.checked(login.start(token, ADDRESS))
    code = canaries.release("mailed code", mailbox.codes(ADDRESS)[-1])
    canaries.checked(login.mail_code(canaries.release("foreign temp_token", "CANARY-temp-token"), code))
    canaries.checked(login.mail_code(token, canaries.release("wrong code", "CANARY-code")))
    done = canaries.checked(login.mail_code(token, code, rememberDevice=True))
    canaries.release("cookie", done.headers["set-cookie"].split(";")[0].partition("=")[2])
    canaries.release("token", done.json()["token"])
    return Somebody(firm.world, anna.id, firm.id, "anna", done.json()["token"])


def _second_factor(canaries: Canaries, anna: Somebody, platform: Platform) -> None:
    setup = canaries.checked(anna.post("/api/auth/2fa/setup/start")).json()
    secret = canaries.release("authenticator's secret", setup["secret"])
    code = canaries.release("authenticator's code", pyotp.TOTP(secret).at(platform.clock.now()))
    active = canaries.checked(anna.post("/api/auth/2fa/setup/verify", json={"code": code}))
    assert active.status_code == 200
    for number, recovery in enumerate(active.json()["recoveryCodes"]):
        canaries.release(f"recovery code {number}", recovery)
    canaries.checked(anna.post("/api/auth/2fa/disable", json={"code": "CANARY-code"}))


def _failures(canaries: Canaries, app: FastAPI, anna: Somebody, firm: Firm, world: World) -> None:
    stream = f"/api/users/{anna.id}/times/stream"
    ticket = canaries.release("ticket", anna.post("/api/tickets", json={"path": stream}).json()["ticket"])

    async def listen(query: str, status: int) -> None:
        async with listening(app, f"{stream}?token={query}") as listener:
            assert listener.status == status
            headers_text = " ".join(f"{name}: {value}" for name, value in listener.headers.items())
            canaries.search("the stream's headers", headers_text)

    asyncio.run(listen(ticket, 200))
    asyncio.run(listen(ticket, 401))
    asyncio.run(listen(anna.token, 401))
    canaries.checked(anna.get(f"/api/nothing?token={anna.token}"))
    canaries.checked(anna.get("/api/bug"))
    canaries.checked(anna.get(f"/api/companies/{firm.id}/audit"))
    new = {"username": "clara", "password": canaries.release("new password", "CANARY-neues-Passwort"), "role": "user"}
    canaries.checked(firm.boss.post("/api/users", json=new))
    canaries.checked(firm.boss.post("/api/users", json=new | {"tagId": "04AABBCC"}))
    given_password = canaries.release("given password", "CANARY-Passwort-der-Tabelle")
    table = f"Name;Chip;Passwort\ndora;04AABBCD;{given_password}\nemil;04AABBCE;\n".encode()
    imported = firm.boss.post(f"/api/companies/{firm.id}/users/import", files={"file": ("leute.csv", table)})
    canaries.checked(imported)
    canaries.release("made password", imported.json()["created"][1]["password"])
    change = {"currentPassword": "CANARY-falsches-Passwort", "newPassword": "CANARY-neues-Passwort"}
    canaries.checked(anna.put(f"/api/users/{anna.id}/change-password", json=change))
    reset = world.founder.put(f"/api/users/{firm.ben.id}/password-reset")
    canaries.release("reset password", reset.json()["password"])
    canaries.checked(world.founder.get(f"/api/companies/{firm.id}/users"))
    canaries.checked(anna.get("/api/auth/sessions"))
    canaries.checked(anna.post("/api/logout"))


def _stored_texts(database: Platform, settings: Settings, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields all that the installation stores: the backup with every row and file, and SQLite's own files."""
    target = folder / "backup.tar.gz"
    files = {path.relative_to(settings.data_dir).as_posix() for path in settings.data_dir.rglob("*")}
    backup.backup(database.database, metadata(), settings.data_dir, target, files=files)
    with tarfile.open(target) as archive:
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            text = content.read().decode("latin-1")
            yield f"the backup's {member.name}", text
            for wrapped in re.findall(r'\{"bytes":"([^"]*)"\}', text):
                yield f"the backup's {member.name}, in bytes", base64.b64decode(wrapped).decode("latin-1")
    path = database.database.engine.url.database
    if database.database.dialect == "sqlite" and path is not None:
        for file in sorted(Path(path).parent.glob(f"{Path(path).name}*")):
            yield f"the file {file.name}", file.read_bytes().decode("latin-1")


def test_no_secret_is_where_it_does_not_belong(
    app: FastAPI,
    client: TestClient,
    login: LoginClient,
    mailbox: Mailbox,
    firm: Firm,
    world: World,
    platform: Platform,
    settings: Settings,
    tmp_path: Path,
    log_stream: io.StringIO,
) -> None:
    @app.get("/api/bug")
    def bug(request: Request) -> None:
        token = bearer(request)
        raise LookupError(len(token or ""))

    for browser in (client, login.browser):
        browser.event_hooks = {"request": [_bring_a_key]}
    canaries = Canaries()
    anna = _log_in(canaries, login, mailbox, firm)
    _second_factor(canaries, anna, platform)
    _failures(canaries, app, anna, firm, world)
    assert len(canaries.known) >= 24
    canaries.search("the log", log_stream.getvalue())
    canaries.search("the metrics", generate_latest(platform.metrics.registry).decode())
    for place, text in _stored_texts(platform, settings, tmp_path):
        canaries.search(place, text)
    assert "unexpected_error" in log_stream.getvalue()
    assert canaries.found == []


def test_the_search_finds_what_is_there() -> None:
    canaries = Canaries()
    canaries.search("a log", f'{{"event": "login", "tried": "{PASSWORD}"}}')
    assert [finding.partition(":")[0] for finding in canaries.found] == ["password in a log"]
