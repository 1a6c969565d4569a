"""An export keeps the mapping that was exported: its differences show what that pays."""

import sqlalchemy as sa
from alembic import op

revision = "0039_exported_mapping"
down_revision = "0038_rules_from"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exports", sa.Column("mapping", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("exports", "mapping")
