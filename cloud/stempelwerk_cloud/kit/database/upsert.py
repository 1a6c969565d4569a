"""An INSERT that also defines what happens to an existing row, on either database."""

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import Base


def upsert(session: Session, table: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Returns the INSERT, for `on_conflict_do_nothing` or `on_conflict_do_update`, which both dialects have."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
