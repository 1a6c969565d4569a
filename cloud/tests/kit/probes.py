"""A table for tests: its rows show which transactions were committed."""

from sqlalchemy import text
from stempelwerk_cloud.kit.database import postgres
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database


def make(owner: Database) -> None:
    with owner.write(SYSTEM) as session:
        session.execute(text("CREATE TABLE probes (n INTEGER PRIMARY KEY)"))
        if owner.dialect == "postgresql":
            session.execute(text(f"GRANT SELECT, INSERT, UPDATE ON probes TO {postgres.SERVICE_ROLE}"))


def committed(database: Database) -> list[int]:
    with database.read(SYSTEM) as session:
        return list(session.execute(text("SELECT n FROM probes ORDER BY n")).scalars())
