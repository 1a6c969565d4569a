"""The installation's configuration: settings from the environment (`STEMPELWERK_…`), read once and frozen.

A company's own settings are in the `settings.py` of its rooms.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated
from unicodedata import category
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from stempelwerk_cloud.domain import mail_addresses

PREFIX = "STEMPELWERK_"
_OF_THE_PACKAGE = frozenset({"STEMPELWERK_WITHOUT_BACKUP"})
"""Variables with our prefix that the package's scripts read and the service does not: they count as known."""
_REPOSITORY = Path(__file__).resolve().parents[2]

HIGHEST_PORT = 65535
SMALLEST_POOL = 2
_LINE_LIMIT = 500
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_PHONE = re.compile(r"\+?[0-9 ()/.-]+", re.ASCII)
_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[\w.-]+)(:[0-9]{1,5})?/?", re.IGNORECASE)


def _blank_is_unset(value: object) -> object:
    return (value.strip() or None) if isinstance(value, str) else value


def _one_line(value: str | None) -> str | None:
    if value is not None and (len(value) > _LINE_LIMIT or any(category(letter) in _UNSEEN for letter in value)):
        raise PydanticCustomError(
            "one_line",
            "One line without control characters is expected, of {most} characters at most",
            {"most": _LINE_LIMIT},
        )
    return value


def _address(value: str | None) -> str | None:
    address = None if value is None else mail_addresses.address(value)
    if value is not None and address is None:
        raise PydanticCustomError("address", "A mail address is expected (name@example.org), and nothing beside it")
    return address


def _sender(value: str | None) -> str | None:
    if value is not None and (mail_addresses.address(parseaddr(value)[1]) is None or not value.isprintable()):
        raise PydanticCustomError("sender", "A mail address is expected, or a name and an <address>")
    return value


def _phone(value: str | None) -> str | None:
    if value is not None and (not _PHONE.fullmatch(value) or sum(letter.isdigit() for letter in value) < 5):
        raise PydanticCustomError("phone", "A phone number is expected, best with its country (+49 30 1234567)")
    return value


def _origin(value: str | None) -> str | None:
    """Returns the URL without a "/" at its end; None if it is unset. Raises a validation error for anything but
    http(s), a host and perhaps a port.
    """
    if value is None:
        return None
    if _ORIGIN.fullmatch(value) is None or not value.isprintable() or not _is_address(value):
        raise PydanticCustomError(
            "origin", "An address like https://zeit.example.de is expected: http or https, a host, no path"
        )
    return value.removesuffix("/")


def _is_address(url: str) -> bool:
    """Returns whether the URL's host and port are possible: a valid IP address in brackets, a port of 1 or more."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


OneLine = Annotated[str | None, AfterValidator(_one_line), BeforeValidator(_blank_is_unset)]
"""A setting with one line of text for public pages; blank counts as unset."""
Address = Annotated[str | None, AfterValidator(_address), BeforeValidator(_blank_is_unset)]
"""A setting with a mail address in normalized form; blank counts as unset."""
Sender = Annotated[str | None, AfterValidator(_sender), BeforeValidator(_blank_is_unset)]
"""A setting with the sender of mails: an address, or a name and an <address>; blank counts as unset."""
Phone = Annotated[str | None, AfterValidator(_phone), BeforeValidator(_blank_is_unset)]
"""A setting with a phone number, with spaces or punctuation; blank counts as unset."""
Origin = Annotated[str | None, AfterValidator(_origin), BeforeValidator(_blank_is_unset)]
"""A setting with a URL of scheme (http or https), host and perhaps a port; blank counts as unset."""


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    database_url: str = Field(
        default="sqlite:///var/stempelwerk.db",
        description="SQLAlchemy URL: sqlite:///file (embedded) or postgresql+psycopg://… (production).",
    )
    database_pool: int = Field(
        default=10, ge=SMALLEST_POOL, description="Connections that one process opens at most for pages."
    )
    heavy_calls: int = Field(
        default=2, ge=1, description="Calls that read much which one process answers at once; of one company only one."
    )
    data_dir: Path = Field(default=Path("var"), description="The service's files: the keys of the vault and of push.")
    web_dir: Path = Field(
        default=_REPOSITORY / "web" / "dist" / "app", description="The built web app that is served at /."
    )
    smtp_url: str | None = Field(
        default=None,
        description="smtp:// or smtps://user:password@host:port; unset: no mail, e-mail login steps are skipped.",
    )
    mail_from: Sender = Field(
        default=None, description="The sender of mails; unset: Stempelwerk <stempelwerk@…> at the public URL's host."
    )
    public_url: Origin = Field(
        default=None, description="The address that clocks call and sign, and mails link to; its host sends them."
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(), description="Addresses or networks, comma separated, whose forwarded headers count."
    )
    reset_password: str | None = Field(
        default=None,
        min_length=8,
        max_length=256,
        description="The default password for resets, as long as any; unset: a random one for each person.",
    )
    inquiry_email: Address = Field(
        default=None,
        description="Where the public forms are mailed to; unset: they say that they send nothing.",
    )
    imprint_name: OneLine = Field(default=None, description="Who operates the service, as the imprint names them.")
    imprint_represented: OneLine = Field(default=None, description="Who represents the operator (§ 5 DDG).")
    imprint_street: OneLine = Field(default=None, description="Street and number of the operator.")
    imprint_city: OneLine = Field(default=None, description="Postal code and town of the operator.")
    imprint_country: OneLine = Field(default=None, description="The operator's country; unset: Deutschland.")
    imprint_email: Address = Field(default=None, description="The address at which the operator is written to.")
    imprint_phone: Phone = Field(default=None, description="The number at which the operator is called.")
    imprint_register: OneLine = Field(default=None, description="Court and number of the operator's register entry.")
    imprint_vat_id: OneLine = Field(default=None, description="The operator's VAT identification number.")
    imprint_host: OneLine = Field(default=None, description="Who hosts the service, for the privacy statement.")
    imprint_authority: OneLine = Field(default=None, description="The data protection authority that is responsible.")
    imprint_privacy_email: Address = Field(
        default=None, description="Where questions about personal data go; unset: to the imprint's address."
    )
    operator: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        default="Plattform", min_length=1, description="The name of the operator's own company."
    )
    query_sessions: bool = Field(
        default=False, description="Whether ?token= on the streams also takes a session token, for older clients."
    )
    max_connections: int = Field(
        default=200,
        ge=1,
        description="Connections that one address may have with one process; others are answered 429.",
    )

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return tuple(ip_network(part.strip(), strict=False) for part in value.split(",") if part.strip())
        except ValueError:
            raise PydanticCustomError(
                "networks", "Addresses or networks are expected, separated by commas (10.0.0.0/8, ::1)"
            ) from None


def unknown(names: Iterable[str]) -> dict[str, str | None]:
    """Returns the environment names that begin with `PREFIX` but are no setting, each with the most similar setting or
    None.
    """
    setting_names = [field.upper() for field in Settings.model_fields]
    ours = {name: name.upper().removeprefix(PREFIX) for name in sorted(names) if name.upper().startswith(PREFIX)}
    unknown_names = {}
    for name, setting_name in ours.items():
        if setting_name not in setting_names and name not in _OF_THE_PACKAGE:
            nearest = get_close_matches(setting_name, setting_names, n=1)
            unknown_names[name] = PREFIX + nearest[0] if nearest else None
    return unknown_names
