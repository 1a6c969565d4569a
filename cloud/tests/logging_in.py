"""The calls of a login, from an address and a browser of its own."""

from dataclasses import dataclass, field
from typing import Any

import pyotp
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.access.tables import SecondFactor
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.quick_client import QuickClient
from cloud.tests.world import PASSWORD, Firm, Somebody

HOME = "192.0.2.1"


@dataclass
class LoginClient:
    """A browser with its cookies."""

    app: FastAPI
    firm: Firm
    address: str = HOME
    scheme: str = "http"
    browser: TestClient = field(init=False)

    def __post_init__(self) -> None:
        self.browser = QuickClient(
            self.app,
            base_url=f"{self.scheme}://testserver",
            client=(self.address, 1),
            raise_server_exceptions=False,
        )
        self.browser.portal = self.firm.world.client.portal  # the loop of the running service

    def log_in(self, who: Somebody, password: str = PASSWORD, company: str | None = None) -> Response:
        body = {"company": company or self.firm.name, "username": who.username, "password": password}
        return self.browser.post("/api/login", json=body)

    def step(self, who: Somebody, wanted: str, password: str = PASSWORD) -> str:
        """The temp_token of a login that has come to this step."""
        answer = self.log_in(who, password)
        assert (answer.status_code, answer.json().get("next")) == (200, wanted), answer.text
        token: str = answer.json()["temp_token"]
        return token

    def start(self, token: str, email: str | None = None) -> Response:
        body = {"temp_token": token} | ({} if email is None else {"email": email})
        return self.browser.post("/api/auth/email/start", json=body)

    def mail_code(self, token: str, code: str, **more: Any) -> Response:
        return self.browser.post("/api/auth/email/verify", json={"temp_token": token, "code": code} | more)

    def app_code(self, token: str, code: str, **more: Any) -> Response:
        return self.browser.post("/api/auth/2fa/verify", json={"temp_token": token, "code": code} | more)

    def choose(self, token: str, password: str) -> Response:
        return self.browser.post("/api/auth/password-change", json={"temp_token": token, "newPassword": password})


def link(platform: Platform, who: Somebody, email: str) -> None:
    """Gives the person an address without the steps of a login."""
    with platform.database.write(SYSTEM) as tx:
        second_factor.link_address(tx, who.company_id, who.id, email)


def authenticate(platform: Platform, who: Somebody) -> tuple[pyotp.TOTP, list[str]]:
    """Gives the person an authenticator: the app, and the recovery codes. The current step's code is spent by it."""
    with platform.database.write(SYSTEM) as tx:
        secret = second_factor.begin_setup(UnitOfWork(tx, platform), who.company_id, who.id)
        assert secret is not None
        app = pyotp.TOTP(secret)
        code = app.at(platform.clock.now())
        recovery = second_factor.activate(UnitOfWork(tx, platform), who.company_id, who.id, code)
        assert recovery is not None
        factor = tx.get_one(SecondFactor, (who.company_id, who.id))
        factor.accepted_step = 0  # as if it had been long ago
    return app, recovery


def wrong(code: str) -> str:
    """Six digits that are not these."""
    return f"{(int(code) + 1) % 1_000_000:06d}"
