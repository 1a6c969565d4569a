"""A login at the demo's service from the outside, with the code from the mailbox, as a person does it on the page."""

import re
from pathlib import Path
from typing import Any

import httpx

from .mailbox import mails_in

_CODE = re.compile(r"\b\d{6}\b")


class NoLogin(RuntimeError):
    """The service refused, or sent no code; the text gives the reason."""


def log_in(client: httpx.Client, mails: Path, company: str, username: str, password: str, email: str) -> dict[str, Any]:
    """Returns the parts of a session. Links `email` to the account if it has no address yet. Raises NoLogin."""
    credentials = {"company": company, "username": username, "password": password}
    answer = _ask(client, "/api/login", credentials)
    if answer.get("next") not in ("email_input", "email_otp"):
        return answer
    known_numbers = {mail["number"] for mail in mails_in(mails)}
    going_on = {"temp_token": answer["temp_token"]}
    _ask(client, "/api/auth/email/start", {**going_on, "email": email})
    sent = [mail for mail in mails_in(mails) if mail["number"] not in known_numbers and mail["to"] == email]
    code = _CODE.search(sent[0]["text"]) if sent else None
    if code is None:
        raise NoLogin(f"Für {username} kam keine Mail mit einem Code an.")
    return _ask(client, "/api/auth/email/verify", {**going_on, "code": code.group(), "rememberDevice": False})


def _ask(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post(path, json=body)
    if not response.is_success:
        raise NoLogin(f"POST {path}: {response.status_code} {response.text[:300]}")
    answer: dict[str, Any] = response.json()
    return answer
