"""Functions of the update repository for the command line."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.updates.signed import keys
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database.transactions import Database

KEY_FILE = keys.KEY_FILE


def public_key(settings: Settings, *, renew: bool) -> str:
    """Returns the public half of the newest signing key in hexadecimal. Makes a new key if the file has no key, or with
    `renew`. Raises OSError.
    """
    if renew:
        keys.renew(settings)
    return keys.public(settings)


def newest_signed(database: Database) -> datetime | None:
    """Returns when snapshot and timestamp were last signed; None if nothing was ever published."""
    with Session(database.engine) as session:
        return session.scalar(select(func.max(UpdateMetadata.at)))
