"""A clock's name and notes belong to its assignment; the device keeps a label for as long as it is nobody's."""

import json

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit import db

revision = "0004_clock_names"
down_revision = "0003_audit"
branch_labels = None
depends_on = None

_OPEN = "SELECT 1 FROM device_assignments a WHERE a.device_no = devices.no AND a.ends_at IS NULL"


_WORDS = (("name", "label", sa.String(length=100)), ("notes", "label_notes", sa.String(length=2000)))

_ENTRIES = sa.table(
    "audit_entries",
    sa.column("company_id", db.Id()),
    *(sa.column(name) for name in ("at", "id", "action", "subject", "before", "after")),
)
_SEALED = sa.table(
    "audit_words", sa.column("company_id", db.Id()), sa.column("id"), sa.column("about"), sa.column("word")
)


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

    _erase_words_of_others()


def _erase_words_of_others() -> None:
    """What the log of one company says of words that another company gave; the chain holds but their seals."""
    connection = op.get_bind()
    of_clocks = _ENTRIES.c.action == "device.changed"
    about_clocks = _SEALED.c.about.in_(sa.select(_ENTRIES.c.subject).where(of_clocks))
    kept = connection.execute(sa.select(_SEALED).where(about_clocks))
    words = {(row.company_id, row.id): row.word for row in kept}
    changes = sa.select(_ENTRIES).where(of_clocks).order_by(_ENTRIES.c.at, _ENTRIES.c.id)
    givers: dict[tuple[str, str], str] = {}
    foreign = []
    for entry in connection.execute(changes):
        company = entry.company_id
        was, became = json.loads(entry.before), json.loads(entry.after)
        for member in ("name", "notes"):
            seals = [(company, said[member]["word"]) for said in (was, became)]
            old, new = (words.get(seal) for seal in seals)
            giver = givers.setdefault((entry.subject, member), company)
            if old and giver != company:
                foreign += seals if new == old else seals[:1]
            if new != old:
                givers[entry.subject, member] = company
    for company, seal in foreign:
        connection.execute(sa.delete(_SEALED).where(_SEALED.c.company_id == company, _SEALED.c.id == seal))


def downgrade() -> None:
    for words, label, _ in _WORDS:
        open_words = _OPEN.replace("SELECT 1", f"SELECT a.{words}")
        op.execute(f"UPDATE devices SET {label} = ({open_words}) WHERE EXISTS ({_OPEN})")
        op.execute(f"ALTER TABLE devices RENAME COLUMN {label} TO {words}")
        op.drop_column("device_assignments", words)
