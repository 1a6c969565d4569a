"""Alembic's entry: the service's by `kit/database/schema.py`, which brings a connection, or a developer's shell's."""

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from alembic.operations.ops import CreateTableOp, MigrationScript
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.columns import Id, Instant
from stempelwerk_cloud.kit.database.transactions import Database


def _short(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Our own column types, without the arguments of what they stand on."""
    return f"columns.{type(item).__name__}()" if kind == "type" and isinstance(item, Id | Instant) else False


def _undescribed(_context: MigrationContext, _revision: object, scripts: list[MigrationScript]) -> None:
    """Leaves the descriptions of tables and columns (`info`) out of a draft: they are no part of a schema."""
    for script in scripts:
        for operation in script.upgrade_ops.ops if script.upgrade_ops is not None else ():
            if isinstance(operation, CreateTableOp):
                operation.info = {}
                operation.kw.pop("info", None)


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata(),
        render_as_batch=True,
        render_item=_short,
        process_revision_directives=_undescribed,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    _run(given)
else:
    database = Database(Settings().database_url, as_owner=True)
    with database.engine.begin() as own:
        _run(own)
    database.dispose()
