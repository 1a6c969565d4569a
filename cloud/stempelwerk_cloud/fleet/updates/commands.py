"""What commands ask of the repository."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.updates import keys
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.settings import Settings

KEY_FILE = keys.KEY_FILE


def public_key(settings: Settings, *, renew: bool) -> str:
    """The newest key's public half, in hexadecimal; made if there is none, or `renew`. OSError"""
    if renew:
        keys.renew(settings)
    return keys.public(settings)


def newest_signed(database: Database) -> datetime | None:
    """When the repository was signed last; None: there is none."""
    with Session(database.engine) as session:
        return session.scalar(select(func.max(UpdateMetadata.at)))
