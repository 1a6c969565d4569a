"""A clock's name and notes belong to its assignment; the device keeps a label for as long as it is nobody's."""

import json

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0004_clock_names"
down_revision = "0003_audit"
branch_labels = None
depends_on = None

_OPEN = "SELECT 1 FROM device_assignments a WHERE a.device_no = devices.no AND a.ends_at IS NULL"


_WORDS = (("name", "label", sa.String(length=100)), ("notes", "label_notes", sa.String(length=2000)))

_ENTRIES = sa.table(
    "audit_entries",
    sa.column("company_id", columns.Id()),
    *(sa.column(name) for name in ("at", "id", "action", "subject", "before", "after")),
)
_COMPANIES = sa.table("companies", sa.column("id", columns.Id()), sa.column("is_operator", sa.Boolean()))
_DEVICES = sa.table("devices", sa.column("no"), sa.column("id", columns.Id()))
_ASSIGNMENTS = sa.table(
    "device_assignments",
    sa.column("company_id", columns.Id()),
    sa.column("id", columns.Id()),
    *(sa.column(name) for name in ("device_no", "ends_at", "name", "notes")),
)
_SEALED = sa.table(
    "audit_words", sa.column("company_id", columns.Id()), sa.column("id"), sa.column("about"), sa.column("word")
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

    _take_back_words_of_others(_erase_words_of_others())


def _take_back_words_of_others(givers: dict[tuple[str, str], str]) -> None:
    """A company gets no words that the log says another company has given. The operator's are meant for whoever has it."""
    connection = op.get_bind()
    operators = set(connection.execute(sa.select(_COMPANIES.c.id).where(_COMPANIES.c.is_operator)).scalars())
    assigned = sa.select(_ASSIGNMENTS.c.company_id, _ASSIGNMENTS.c.id, _DEVICES.c.id.label("device")).where(
        _ASSIGNMENTS.c.device_no == _DEVICES.c.no, _ASSIGNMENTS.c.ends_at.is_(None)
    )
    for one in connection.execute(assigned).all():
        own = {*operators, one.company_id}
        foreign = {words: "" for words, _, _ in _WORDS if givers.get((one.device, words), one.company_id) not in own}
        if foreign:
            key = (_ASSIGNMENTS.c.company_id == one.company_id) & (_ASSIGNMENTS.c.id == one.id)
            connection.execute(_ASSIGNMENTS.update().where(key).values(**foreign))


def _erase_words_of_others() -> dict[tuple[str, str], str]:
    """What the log of one company says of words that another company gave; the chain holds but their seals.

    Who gave the present words, by device and kind of word, as far as the logs know.
    """
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
    return givers


def downgrade() -> None:
    for words, label, _ in _WORDS:
        open_words = _OPEN.replace("SELECT 1", f"SELECT a.{words}")
        op.execute(f"UPDATE devices SET {label} = ({open_words}) WHERE EXISTS ({_OPEN})")
        op.execute(f"ALTER TABLE devices RENAME COLUMN {label} TO {words}")
        op.drop_column("device_assignments", words)
