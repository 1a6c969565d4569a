"""What clocks say of their portable scanners."""

import sqlalchemy as sa
from alembic import op

revision = "0033_scanners"
down_revision = "0032_rollouts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("device_beats", sa.Column("scanners", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("device_beats", "scanners")
