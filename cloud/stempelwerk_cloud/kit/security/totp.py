"""Codes of an authenticator app (RFC 6238: six digits, 30 s, SHA-1, as every app reads them), and its setup.

A code is checked together with its time step, so that the caller can accept each step once.
"""

import base64
import hmac
import re
from datetime import datetime

import pyotp

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.clock import Ids

ISSUER = "Stempelwerk"
STEP_MS = 30_000
TOLERANCE = 1
"""Steps by which an app's clock may be early or late."""
SECRET_BYTES = 20
_CODE = re.compile(r"[0-9]{6}", re.ASCII)


def new_secret(ids: Ids) -> str:
    """Returns 160 random bits as the text that an app takes."""
    raw = base64.urlsafe_b64decode(ids.token(SECRET_BYTES) + "=")
    return base64.b32encode(raw).decode()


def step_of(instant: datetime) -> int:
    return ms_of(instant) // STEP_MS


def matching_step(secret: str, code: str, now: datetime, last_step: int) -> int | None:
    """Returns the step of this code, among those around now that are later than `last_step`; None for a wrong code."""
    if not _CODE.fullmatch(code):
        return None
    around = step_of(now)
    generator = pyotp.TOTP(secret)
    matched = None
    for step in range(around - TOLERANCE, around + TOLERANCE + 1):
        # All are compared, so that the duration reveals nothing.
        if hmac.compare_digest(generator.generate_otp(step), code) and step > last_step and matched is None:
            matched = step
    return matched


def qr_data_url(secret: str, account: str) -> str:
    """Returns the QR code for the app, as a picture in a data URL; `account` is the name that the app shows."""
    import segno  # noqa: PLC0415 -- 40 ms that no start waits for

    uri = pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=ISSUER)
    url: str = segno.make(uri, error="m", micro=False).png_data_uri(scale=6, border=4)
    return url
