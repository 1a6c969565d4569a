"""Releases that hold only for stamps without an assignment, as a back-dated assignment makes them."""

import sqlalchemy as sa
from alembic import op

revision = "0047_adopted_stamps"
down_revision = "0046_muted_alarms"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("releases", sa.Column("unnamed_only", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("releases", "unnamed_only")
