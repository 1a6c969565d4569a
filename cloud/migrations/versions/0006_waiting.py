"""What waits for somebody, stamps and entries, is found by index in the order of its lists, on both databases.

Entries that were left open are marked, so that they are in theirs.
"""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0006_waiting"
down_revision = "0005_name_keys"
branch_labels = None
depends_on = None

# As `entries/review.py` had it at this revision.
_LEFT_OPEN = 1 << 14
_LOOKED_THROUGH = timedelta(days=3)

_ENTRIES = sa.table(
    "entries", sa.column("date", sa.Date()), sa.column("end_at", sa.BigInteger()), sa.column("flags", sa.SmallInteger())
)
_REVISIONS = sa.table(
    "derivation_revisions", sa.column("revision", sa.BigInteger()), sa.column("swept_to", sa.Date())
)


def upgrade() -> None:
    op.drop_index("ix_stamps_waits", "stamps")
    op.create_index(
        "ix_stamps_waits",
        "stamps",
        ["company_id", "at", "id"],
        sqlite_where=sa.text("waits = 1"),
        postgresql_where=sa.text("waits"),
    )
    for table in ("stray_stamps", "quarantined_stamps"):
        op.create_index(f"ix_{table}_received_at_id_device_no", table, ["received_at", "id", "device_no"])
    op.create_index(
        "ix_entries_flagged",
        "entries",
        ["company_id", "id"],
        sqlite_where=sa.text("flags <> 0"),
        postgresql_where=sa.text("flags <> 0"),
    )
    op.add_column("derivation_revisions", sa.Column("swept_to", sa.Date(), nullable=True))
    _sweep()


def downgrade() -> None:
    marked = _ENTRIES.c.flags >= _LEFT_OPEN
    op.get_bind().execute(_ENTRIES.update().where(marked).values(flags=_ENTRIES.c.flags - _LEFT_OPEN))
    op.drop_column("derivation_revisions", "swept_to")
    op.drop_index("ix_entries_flagged", "entries")
    for table in ("stray_stamps", "quarantined_stamps"):
        op.drop_index(f"ix_{table}_received_at_id_device_no", table)
    op.drop_index("ix_stamps_waits", "stamps")
    op.create_index(
        "ix_stamps_waits",
        "stamps",
        ["company_id"],
        sqlite_where=sa.text("waits"),
        postgresql_where=sa.text("waits"),
    )


def _sweep() -> None:
    """Marks what was left open. Whoever has entries has a revision: the first tag and every decision count it up."""
    connection = op.get_bind()
    day = (datetime.now(UTC) - _LOOKED_THROUGH).date()
    left_open = (_ENTRIES.c.date < day) & _ENTRIES.c.end_at.is_(None)
    connection.execute(_ENTRIES.update().where(left_open).values(flags=_ENTRIES.c.flags.bitwise_or(_LEFT_OPEN)))
    connection.execute(_REVISIONS.update().values(revision=_REVISIONS.c.revision + 1, swept_to=day))
