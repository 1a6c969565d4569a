"""The base of all tables, and the column types on both databases."""

import uuid
from datetime import datetime
from typing import Any, cast

from sqlalchemy import CHAR, BigInteger, Dialect, Integer, MetaData, Table, TypeDecorator, Uuid
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeEngine

from stempelwerk_cloud.domain.instants import from_ms, ms_of


class Base(DeclarativeBase):
    """All tables of the service. Tenant tables carry `company_id` first in every primary key and unique constraint."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
        }
    )


def table_of(name: str) -> Table:
    """Returns the table of that name, of any room."""
    return Base.metadata.tables[name]


class Id(TypeDecorator[str]):
    """A UUID as the lower-case dashed string: native `uuid` on PostgreSQL, the same text on SQLite.

    So raw SQL binds and compares the same strings on both.
    """

    impl = Uuid(as_uuid=False)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(Uuid(as_uuid=False))
        return dialect.type_descriptor(CHAR(36))

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return str(value) if isinstance(value, uuid.UUID) else cast("str | None", value)


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as whole milliseconds since 1970 UTC on both databases."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else ms_of(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else from_ms(value)


Serial = BigInteger().with_variant(Integer, "sqlite")
"""The type of a single-column primary key that the database counts up itself."""
