"""Adds the order of a clock's log lines."""

import sqlalchemy as sa
from alembic import op

revision = "0040_log_order"
down_revision = "0039_exported_mapping"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("device_logs", sa.Column("number", sa.BigInteger(), nullable=False, server_default=sa.text("0")))
    op.create_index("ix_device_logs_device_no_number", "device_logs", ["device_no", "number"])


def downgrade() -> None:
    op.drop_index("ix_device_logs_device_no_number", "device_logs")
    op.drop_column("device_logs", "number")
