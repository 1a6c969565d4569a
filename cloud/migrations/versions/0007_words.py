"""What is stored is called as the program calls it: stamps that are nobody's, what a stamp reported, its status."""

from alembic import op

revision = "0007_words"
down_revision = "0006_waiting"
branch_labels = None
depends_on = None

_COLUMNS = {"form": "reported_bits", "standing": "status"}
_LIST = ["received_at", "id", "device_no"]


def upgrade() -> None:
    for now, then in _COLUMNS.items():
        op.execute(f"ALTER TABLE stamps RENAME COLUMN {now} TO {then}")
    _rename("stray_stamps", "unassigned_stamps")


def downgrade() -> None:
    _rename("unassigned_stamps", "stray_stamps")
    for now, then in _COLUMNS.items():
        op.execute(f"ALTER TABLE stamps RENAME COLUMN {then} TO {now}")


def _rename(now: str, then: str) -> None:
    op.rename_table(now, then)
    op.drop_index(f"ix_{now}_received_at_id_device_no", then)
    op.create_index(f"ix_{then}_received_at_id_device_no", then, _LIST)
    if op.get_context().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {then} RENAME CONSTRAINT pk_{now} TO pk_{then}")
