"""What an installation says of itself, from its settings alone, and how it fills the pages that were built before.

The Host header counts only where no public address is set, and only if it can be a host.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.kit.german import written_day
from stempelwerk_cloud.kit.http import filling
from stempelwerk_cloud.kit.http.filling import Filling
from stempelwerk_cloud.kit.http.origin import origin_of
from stempelwerk_cloud.people.site.samples import COUNTRY, SAMPLES
from stempelwerk_cloud.people.site.schemas import OperatorRow, SaidRow, SiteRow
from stempelwerk_cloud.settings import Settings

ZONE = ZoneInfo("Europe/Berlin")
_NOWHERE = "http://localhost"
_TOWN = re.compile(r"([0-9]{4,5}) (.+)", re.ASCII)
_TRUNK = re.compile(r"\(0\)")
_NO_DIGITS = re.compile(r"[^0-9+]")


def site_for(settings: Settings, request: Request, now: datetime) -> SiteRow:
    """What is said to whoever makes this request."""
    return _site(settings, _origin(settings, request), local_day(now, ZONE))


def filling_for(settings: Settings, request: Request, now: datetime) -> Filling:
    """What fills the pages that go out by this request."""
    return _filling(settings, _origin(settings, request), local_day(now, ZONE))


def phone_uri(written: str) -> str:
    """By which a browser dials a number; one without a country is a German one."""
    digits = _NO_DIGITS.sub("", _TRUNK.sub("", written))
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    elif digits.startswith("0"):
        digits = "+49" + digits[1:]
    return f"tel:{digits}"


def _origin(settings: Settings, request: Request) -> str:
    return origin_of(settings.public_url, request) or _NOWHERE


@lru_cache(maxsize=64)
def _site(settings: Settings, origin: str, today: date) -> SiteRow:
    operator = operator_of(settings)
    return SiteRow(
        origin=origin,
        today=today,
        today_text=written_day(today),
        inquiries=settings.inquiry_email is not None,
        complete=not any(said.sample for _, said in operator),
        operator=operator,
    )


@lru_cache(maxsize=64)
def _filling(settings: Settings, origin: str, today: date) -> Filling:
    site = _site(settings, origin, today)
    said = site.model_dump(mode="json")
    return filling.of(said, site=said, organization=_organization(site))


def _organization(site: SiteRow) -> dict[str, Any]:
    """The operator in the words of schema.org, for search engines: nothing that is a sample but the name."""
    operator = site.operator
    known = {name: None if said.sample else said.text for name, said in operator}
    town = _TOWN.fullmatch(operator.city.text)
    address = {
        "streetAddress": known["street"],
        "postalCode": town and known["city"] and town[1],
        "addressLocality": known["city"] and (town[2] if town else known["city"]),
    }
    told = {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": operator.name.text,
        "url": f"{site.origin}/",
        "email": known["email"],
        "telephone": known["phone_uri"] and known["phone_uri"].removeprefix("tel:"),
    }
    if any(address.values()):
        told["address"] = _given({"@type": "PostalAddress", **address, "addressCountry": known["country"]})
    return _given(told)


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}


def operator_of(settings: Settings) -> OperatorRow:
    """Who operates the installation; what nobody has said is a sample."""
    told = {
        name: _said(getattr(settings, f"imprint_{name.removesuffix('_entry')}"), sample)
        for name, sample in SAMPLES.items()
    }
    privacy = settings.imprint_privacy_email
    return OperatorRow(
        **told,
        country=SaidRow(text=settings.imprint_country or COUNTRY, sample=False),
        phone_uri=SaidRow(text=phone_uri(told["phone"].text), sample=told["phone"].sample),
        privacy_email=told["email"] if privacy is None else _said(privacy, privacy),
    )


def _said(own: str | None, sample: str) -> SaidRow:
    return SaidRow(text=own or sample, sample=own is None)
