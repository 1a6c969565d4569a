"""The installation's public details, which come only from its settings, and their insertion into the prebuilt pages.

The Host header counts only if no public address is set, and only if it can be a host.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request
from pydantic import Field

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.kit.german import written_day
from stempelwerk_cloud.kit.http import web
from stempelwerk_cloud.kit.http.addresses import origin_of
from stempelwerk_cloud.kit.http.schemas import DayField, Wire
from stempelwerk_cloud.kit.http.web import Filling
from stempelwerk_cloud.people.site.samples import COUNTRY, SAMPLES


class SaidRow(Wire):
    """One detail about the operator. `sample`: it is not set; the text is an obvious placeholder."""

    text: str
    sample: bool


class OperatorRow(Wire):
    """The operator of the service, as the law requires it (§ 5 DDG, Art. 13 DSGVO)."""

    name: SaidRow
    represented: SaidRow
    street: SaidRow
    city: SaidRow
    country: SaidRow
    email: SaidRow
    phone: SaidRow
    phone_uri: SaidRow
    register_entry: SaidRow = Field(alias="register")
    vat_id: SaidRow
    host: SaidRow
    authority: SaidRow
    privacy_email: SaidRow


class SiteRow(Wire):
    """The installation's public details. `inquiries`: whether the public forms work; `complete`: whether all of the
    operator's details are set.
    """

    origin: str
    today: DayField
    today_text: str
    inquiries: bool
    complete: bool
    operator: OperatorRow


ZONE = ZoneInfo("Europe/Berlin")
_NOWHERE = "http://localhost"
_TOWN = re.compile(r"([0-9]{4,5}) (.+)", re.ASCII)
_TRUNK = re.compile(r"\(0\)")
_NO_DIGITS = re.compile(r"[^0-9+]")


def site_for(settings: Settings, request: Request, now: datetime) -> SiteRow:
    """Returns the installation's details, with the origin of this request and today's date."""
    return _site(settings, _origin(settings, request), local_day(now, ZONE))


def filling_for(settings: Settings, request: Request, now: datetime) -> Filling:
    """Returns the values to insert into the prebuilt pages for this request."""
    return _filling(settings, _origin(settings, request), local_day(now, ZONE))


def phone_uri(number: str) -> str:
    """Returns the `tel:` link for a phone number; a number without a country code is German."""
    digits = _NO_DIGITS.sub("", _TRUNK.sub("", number))
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
        complete=not any(entry.sample for _, entry in operator),
        operator=operator,
    )


@lru_cache(maxsize=64)
def _filling(settings: Settings, origin: str, today: date) -> Filling:
    site = _site(settings, origin, today)
    members = site.model_dump(mode="json")
    return web.make_filling(members, site=members, organization=_organization(site))


def _organization(site: SiteRow) -> dict[str, Any]:
    """Returns the operator in the vocabulary of schema.org, for search engines. Sample values are left out, except the
    name.
    """
    operator = site.operator
    texts = {name: None if entry.sample else entry.text for name, entry in operator}
    town = _TOWN.fullmatch(operator.city.text)
    address = {
        "streetAddress": texts["street"],
        "postalCode": town and texts["city"] and town[1],
        "addressLocality": texts["city"] and (town[2] if town else texts["city"]),
    }
    organization = {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": operator.name.text,
        "url": f"{site.origin}/",
        "email": texts["email"],
        "telephone": texts["phone_uri"] and texts["phone_uri"].removeprefix("tel:"),
    }
    if any(address.values()):
        organization["address"] = _drop_empty({"@type": "PostalAddress", **address, "addressCountry": texts["country"]})
    return _drop_empty(organization)


def _drop_empty(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}


def operator_of(settings: Settings) -> OperatorRow:
    """Returns the operator of the installation; details that are not set are samples."""
    rows = {
        name: _row(getattr(settings, f"imprint_{name.removesuffix('_entry')}"), sample)
        for name, sample in SAMPLES.items()
    }
    privacy = settings.imprint_privacy_email
    return OperatorRow(
        **rows,
        country=SaidRow(text=settings.imprint_country or COUNTRY, sample=False),
        phone_uri=SaidRow(text=phone_uri(rows["phone"].text), sample=rows["phone"].sample),
        privacy_email=rows["email"] if privacy is None else _row(privacy, privacy),
    )


def _row(configured: str | None, sample: str) -> SaidRow:
    return SaidRow(text=configured or sample, sample=configured is None)
