"""An export keeps the mapping that was exported: its differences show what that pays.

On the way back mappings lose the keys and cost centres with letters that the older release cannot read.
"""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0039_exported_mapping"
down_revision = "0038_rules_from"
branch_labels = None
depends_on = None

_READABLE = {
    "absenceKeys": re.compile(r"[0-9A-Za-z]{1,4}").fullmatch,
    "costCentres": re.compile(r"[0-9]{1,8}").fullmatch,
}


def upgrade() -> None:
    op.add_column("exports", sa.Column("mapping", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("exports", "mapping")
    mappings = sa.table("payroll_mappings", sa.column("company_id"), sa.column("mapping"))
    connection = op.get_bind()
    for company_id, stored in connection.execute(sa.select(mappings.c.company_id, mappings.c.mapping)).all():
        mapping = json.loads(stored)
        for part, readable in _READABLE.items():
            mapping[part] = {name: value for name, value in (mapping.get(part) or {}).items() if readable(value or "")}
        connection.execute(
            mappings.update().where(mappings.c.company_id == company_id).values(mapping=json.dumps(mapping))
        )
