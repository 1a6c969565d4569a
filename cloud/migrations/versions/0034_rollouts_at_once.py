"""Rollouts that do not wait for companies to be closed; those that there are do."""

import sqlalchemy as sa
from alembic import op

revision = "0034_rollouts_at_once"
down_revision = "0033_scanners"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rollouts", sa.Column("at_once", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("rollouts", "at_once")
