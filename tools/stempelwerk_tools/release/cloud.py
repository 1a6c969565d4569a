"""The calls about releases, as an administrator of the installation."""

from collections.abc import Callable, Collection
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import httpx

RELEASES = "/api/updates/releases"
_BY_MAIL = "/api/auth/email/verify"
_SECOND_STEPS = {"totp": "/api/auth/2fa/verify", "email_otp": _BY_MAIL}


class Refused(Exception):
    """The cloud refuses; message and code come from it."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


class Cloud:
    """A session of an administrator of the installation, as a context manager that logs out at the end."""

    def __init__(self, client: httpx.Client, ask: Callable[[str], str]) -> None:
        """`ask` prompts for company, username, password, and a code if required."""
        self._client, self._ask = client, ask

    def __enter__(self) -> Self:
        login = {name: self._ask(name) for name in ("company", "username", "password")}
        answer = self._call("POST", "/api/login", json=login)
        step = _SECOND_STEPS.get(answer.get("next", ""))
        if step is not None:
            if step == _BY_MAIL:
                self._call("POST", "/api/auth/email/start", json={"temp_token": answer["temp_token"]})
            code = {"temp_token": answer["temp_token"], "code": self._ask("code"), "rememberDevice": False}
            answer = self._call("POST", step, json=code)
        if "next" in answer:
            raise Refused(f"Melde dich zuerst auf der Seite an: {answer['message']}")
        self._client.headers["authorization"] = f"Bearer {answer['token']}"
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with suppress(httpx.HTTPError):  # the session expires
            self._client.post("/api/logout")

    def offered_releases(self) -> Collection[tuple[str, str, str]]:
        """Returns the releases that the cloud offers and whose files it has, as channel, version and platform."""
        rows = self._call("GET", RELEASES)
        offered = [row for row in rows if not (row["withdrawn"] or row["missing"])]
        return {(row["channel"], row["version"], platform) for row in offered for platform in row["platforms"]}

    def publish(self, bundle: bytes) -> dict[str, Any]:
        """Uploads a bundle; returns the cloud's root in force and its releases. Raises Refused."""
        answer: dict[str, Any] = self._call("POST", RELEASES, files={"file": ("updates.zip", bundle)})
        return answer

    def withdraw(self, version: str, reason: str) -> None:
        """Withdraws a version from the cloud, unless that has happened already. Raises Refused."""
        try:
            self._call("POST", f"{RELEASES}/{version}/withdraw", json={"reason": reason})
        except Refused as refused:
            if refused.code != "already_withdrawn":
                raise

    def _call(self, method: str, path: str, **request_options: Any) -> Any:
        answer = self._client.request(method, path, **request_options)
        if answer.has_redirect_location:
            address = answer.url.join(answer.headers["location"]).copy_with(raw_path=b"/")
            raise Refused(f"{self._client.base_url} schickt weiter zu {address}: Nimm diese Adresse.")
        try:
            content = answer.json()
            if answer.is_success:
                return content
            message, code = content["message"], content.get("code")
        except (ValueError, KeyError, TypeError):
            where = f"{self._client.base_url} antwortet nicht wie die Cloud ({method} {path}: {answer.status_code})"
            raise Refused(f"{where}: Adresse und Port prüfen.") from None
        raise Refused(f"{method} {path}: {answer.status_code} {message}", code)
