"""Who did not come: the times of the duty they missed, by which a later entry is judged."""

import sqlalchemy as sa
from alembic import op

revision = "0009_missed_duty"
down_revision = "0008_area"
branch_labels = None
depends_on = None

_ABSENCES = sa.table(
    "absences", *map(sa.column, ("company_id", "user_id", "date", "kind", "status", "duty_start", "duty_end"))
)
_DUTIES = sa.table("duties", *map(sa.column, ("company_id", "user_id", "date", "start_minute", "end_minute")))
_TIMES = {"duty_start": _DUTIES.c.start_minute, "duty_end": _DUTIES.c.end_minute}


def upgrade() -> None:
    for name in _TIMES:
        op.add_column("absences", sa.Column(name, sa.SmallInteger(), nullable=True))
    same = sa.and_(*(_DUTIES.c[name] == _ABSENCES.c[name] for name in ("company_id", "user_id", "date")))
    times = {name: sa.select(of_duty).where(same).scalar_subquery() for name, of_duty in _TIMES.items()}
    waits = sa.and_(_ABSENCES.c.kind == "missing", _ABSENCES.c.status == "open")
    op.get_bind().execute(_ABSENCES.update().where(waits).values(times))


def downgrade() -> None:
    for name in _TIMES:
        op.drop_column("absences", name)
