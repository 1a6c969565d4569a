"""Alembic's entry. The connection comes from `stempelwerk_cloud.kit.schema`, which alone calls Alembic."""

from alembic import context
from stempelwerk_cloud.app import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata(),
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
