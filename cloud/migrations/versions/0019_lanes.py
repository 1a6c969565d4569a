"""Lanes of the outbox; since when a browser is not reached, and that nobody tries any more."""

import sqlalchemy as sa
from alembic import op

revision = "0019_lanes"
down_revision = "0018_shift_until"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("lane", sa.String(80), nullable=True))
    for name in ("failing_since", "suspended_at"):
        op.add_column("push_subscriptions", sa.Column(name, sa.BigInteger(), nullable=True))


def downgrade() -> None:
    for name in ("suspended_at", "failing_since"):
        op.drop_column("push_subscriptions", name)
    op.drop_column("outbox", "lane")
