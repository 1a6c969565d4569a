"""Functions of the repository for commands."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.updates import keys
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database.transactions import Database

KEY_FILE = keys.KEY_FILE


def public_key(settings: Settings, *, renew: bool) -> str:
    """Returns the newest key's public half in hexadecimal. Makes a key if there was no key, or for `renew`. Raises
    OSError.
    """
    if renew:
        keys.renew(settings)
    return keys.public(settings)


def newest_signed(database: Database) -> datetime | None:
    """Returns when the repository was last signed; None without a repository."""
    with Session(database.engine) as session:
        return session.scalar(select(func.max(UpdateMetadata.at)))
