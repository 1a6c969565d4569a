"""A clock's name and notes belong to its assignment; the device keeps a label for as long as it is nobody's."""

import sqlalchemy as sa
from alembic import op

revision = "0004_clock_names"
down_revision = "0003_audit"
branch_labels = None
depends_on = None

_OPEN = "SELECT 1 FROM device_assignments a WHERE a.device_no = devices.no AND a.ends_at IS NULL"


_WORDS = (("name", "label", sa.String(length=100)), ("notes", "label_notes", sa.String(length=2000)))


def upgrade() -> None:
    for words, label, kind in _WORDS:
        op.add_column("device_assignments", sa.Column(words, kind, server_default="", nullable=False))
        op.execute(f"ALTER TABLE devices RENAME COLUMN {words} TO {label}")
        op.execute(
            f"UPDATE device_assignments SET {words} ="
            f" (SELECT d.{label} FROM devices d WHERE d.no = device_assignments.device_no) WHERE ends_at IS NULL"
        )
        op.execute(f"UPDATE devices SET {label} = '' WHERE EXISTS ({_OPEN})")
    with op.batch_alter_table("device_assignments") as table:
        for words, _, kind in _WORDS:
            table.alter_column(words, existing_type=kind, existing_nullable=False, server_default=None)


def downgrade() -> None:
    for words, label, _ in _WORDS:
        open_words = _OPEN.replace("SELECT 1", f"SELECT a.{words}")
        op.execute(f"UPDATE devices SET {label} = ({open_words}) WHERE EXISTS ({_OPEN})")
        op.execute(f"ALTER TABLE devices RENAME COLUMN {label} TO {words}")
        op.drop_column("device_assignments", words)
