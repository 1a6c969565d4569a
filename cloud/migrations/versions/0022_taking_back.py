"""Leave and absences that are taken back, wishes for it, and absences for other reasons than illness."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0022_taking_back"
down_revision = "0021_access_log"
branch_labels = None
depends_on = None

_INDEX = "uq_absences_company_id_user_id_date"
_KEY = ["company_id", "user_id", "date"]
_ALIVE, _ALIVE_BEFORE = "status <> 'declined' AND status <> 'cancelled'", "status <> 'declined'"


def upgrade() -> None:
    op.add_column("vacation_requests", sa.Column("cancel_requested_at", columns.Instant(), nullable=True))
    op.add_column("vacation_requests", sa.Column("cancel_reason", sa.Text(), nullable=True))
    op.add_column("absences", sa.Column("was_missing", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("absences", sa.Column("reason", sa.Text(), nullable=True))
    op.add_column("absences", sa.Column("credited", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("absences", sa.Column("comment", sa.Text(), nullable=True))
    _replace(_ALIVE)


def downgrade() -> None:
    """What was taken back reads as declined: before there were cancelled ones, that had the same effect."""
    for table in ("absences", "vacation_requests"):
        op.execute(f"UPDATE {table} SET status = 'declined' WHERE status = 'cancelled'")  # noqa: S608 -- two names
    op.execute("DELETE FROM absences WHERE kind = 'special'")
    _replace(_ALIVE_BEFORE)
    for name in ("comment", "credited", "reason", "was_missing"):
        op.drop_column("absences", name)
    for name in ("cancel_reason", "cancel_requested_at"):
        op.drop_column("vacation_requests", name)


def _replace(alive: str) -> None:
    op.drop_index(_INDEX, "absences")
    where = sa.text(alive)
    op.create_index(_INDEX, "absences", _KEY, unique=True, sqlite_where=where, postgresql_where=where)
