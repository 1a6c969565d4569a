"""What an installation says of itself, from its settings alone, and how it fills the pages that were built before.

The Host header counts only where no public address is set, and only if it can be a host.
"""

import re
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from fastapi import Request

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.people.site.samples import COUNTRY, SAMPLES
from stempelwerk_cloud.people.site.schemas import OperatorRow, SaidRow, SiteRow
from stempelwerk_cloud.settings import Settings

ZONE = ZoneInfo("Europe/Berlin")
_MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)
_HOST = re.compile(r"([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)
_NOWHERE = "http://localhost"
_TRUNK = re.compile(r"\(0\)")
_NO_DIGITS = re.compile(r"[^0-9+]")


def site_for(settings: Settings, request: Request, now: datetime) -> SiteRow:
    """What is said to whoever makes this request."""
    return _site(settings, _origin(settings.public_url, request), local_day(now, ZONE))


def phone_uri(written: str) -> str:
    """By which a browser dials a number; one without a country is a German one."""
    digits = _NO_DIGITS.sub("", _TRUNK.sub("", written))
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    elif digits.startswith("0"):
        digits = "+49" + digits[1:]
    return f"tel:{digits}"


def _origin(public_url: str | None, request: Request) -> str:
    if public_url:
        return public_url.rstrip("/")
    scheme, host = request.scope["scheme"], request.headers.get("host", "")
    return f"{scheme}://{host}" if scheme in {"http", "https"} and _HOST.fullmatch(host) else _NOWHERE


@lru_cache(maxsize=64)
def _site(settings: Settings, origin: str, today: date) -> SiteRow:
    operator = _operator(settings)
    return SiteRow(
        origin=origin,
        today=today,
        today_text=f"{today.day}. {_MONTHS[today.month - 1]} {today.year}",
        inquiries=settings.inquiry_email is not None,
        complete=not any(said.sample for _, said in operator),
        operator=operator,
    )


def _operator(settings: Settings) -> OperatorRow:
    said = {
        name: _said(getattr(settings, f"imprint_{name.removesuffix('_entry')}"), sample)
        for name, sample in SAMPLES.items()
    }
    privacy = settings.imprint_privacy_email
    return OperatorRow(
        **said,
        country=SaidRow(text=settings.imprint_country or COUNTRY, sample=False),
        phone_uri=SaidRow(text=phone_uri(said["phone"].text), sample=said["phone"].sample),
        privacy_email=said["email"] if privacy is None else _said(privacy, privacy),
    )


def _said(own: str | None, sample: str) -> SaidRow:
    return SaidRow(text=own or sample, sample=own is None)
