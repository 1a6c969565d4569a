"""The installation's settings, from the environment (`STEMPELWERK_…`), read once and frozen.

What a company chooses for itself is not here but in `people/companies`.
"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "STEMPELWERK_"
_REPOSITORY = Path(__file__).resolve().parents[2]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    database_url: str = Field(
        default="sqlite:///var/stempelwerk.db",
        description="SQLAlchemy URL: sqlite:///file (embedded) or postgresql+psycopg://… (production).",
    )
    database_pool: int = Field(default=20, ge=2, description="Connections that one process opens at most for pages.")
    data_dir: Path = Field(default=Path("var"), description="The service's files: the keys of the vault and of push.")
    web_dir: Path = Field(
        default=_REPOSITORY / "web" / "dist" / "app", description="The built web app that is served at /."
    )
    smtp_url: str | None = Field(
        default=None,
        description="smtp:// or smtps://user:password@host:port; unset: no mail, e-mail login steps are skipped.",
    )
    mail_from: str | None = Field(
        default=None, description="The sender of mails; unset: Stempelwerk <stempelwerk@…> at the public URL's host."
    )
    public_url: str | None = Field(
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
    inquiry_email: str | None = Field(
        default=None, description="Where inquiries are to go; nothing reads it so far, for there is no public form yet."
    )
    operator: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        default="Plattform", min_length=1, description="The name of the operator's own company."
    )
    query_sessions: bool = Field(
        default=False, description="Whether ?token= on the streams also takes a session token, for older clients."
    )
    max_body_mb: int = Field(
        default=20, ge=1, description="Clocks' batches that are larger are answered 413; other bodies at 1 MiB."
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
