"""Columns for a clock's storage and its view of the certificate; a downgrade removes the new kinds of alarms."""

import sqlalchemy as sa
from alembic import op

revision = "0047_clock_faults"
down_revision = "0046_muted_alarms"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("device_beats", sa.Column("storage", sa.String(10), nullable=True))
    op.add_column("device_beats", sa.Column("cert_days_left", sa.BigInteger(), nullable=True))
    op.add_column("device_beats", sa.Column("cert_days", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    # The release before answers no kind that it does not know.
    kinds = "('storage', 'clocktime', 'fork', 'conflict', 'update', 'version', 'cert')"
    op.execute(sa.text(f"DELETE FROM alarms WHERE kind IN {kinds}"))  # noqa: S608 -- no values
    op.drop_column("device_beats", "cert_days")
    op.drop_column("device_beats", "cert_days_left")
    op.drop_column("device_beats", "storage")
