"""When somebody's day of exit ends stands beside their login."""

import json
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "0017_leaving"
down_revision = "0016_free_days"
branch_labels = None
depends_on = None

_ZONE = "Europe/Berlin"
_LAST = date(9999, 12, 30)
_USERS = sa.table("users", *map(sa.column, ("company_id", "id", "leaves_at")))
_VALUES = sa.table("person_values", *map(sa.column, ("company_id", "user_id", "name", "valid_from", "value")))
_SETTINGS = sa.table(
    "company_settings", *map(sa.column, ("company_id", "setting", "value")), sa.column("valid_from", sa.Date())
)


def upgrade() -> None:
    op.add_column("users", sa.Column("leaves_at", sa.BigInteger(), nullable=True))
    bind = op.get_bind()
    exits = sa.select(_VALUES.c.company_id, _VALUES.c.user_id, _VALUES.c.value).where(_VALUES.c.name == "exit_date")
    for company_id, user_id, value in bind.execute(exits.order_by(_VALUES.c.valid_from)).all():
        said = json.loads(value)
        if said is not None:
            one = _USERS.update().where(_USERS.c.company_id == company_id, _USERS.c.id == user_id)
            bind.execute(one.values(leaves_at=_end_of(bind, company_id, min(date.fromisoformat(said), _LAST))))


def downgrade() -> None:
    op.drop_column("users", "leaves_at")


def _end_of(bind: sa.Connection, company_id: str, day: date) -> int:
    """Milliseconds since 1970, in the zone that the company has on that day."""
    held = sa.select(_SETTINGS.c.value).where(
        _SETTINGS.c.company_id == company_id, _SETTINGS.c.setting == "time_zone", _SETTINGS.c.valid_from <= day
    )
    found = bind.scalar(held.order_by(_SETTINGS.c.valid_from.desc()).limit(1))
    zone = ZoneInfo(_ZONE if found is None else json.loads(found))
    ends = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
    return (ends - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
