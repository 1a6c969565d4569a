"""Free days that are holidays by law, and from when the present rules of accounts and leave hold for a company.

A company that exists keeps the rules before them until the end of this month, so that no balance changes in silence.
"""

from datetime import UTC, date, datetime

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0038_rules_from"
down_revision = "0037_answers_mark"
branch_labels = None
depends_on = None

_SETTING = "rules_from"


def upgrade() -> None:
    op.add_column("free_days", sa.Column("legal", sa.Boolean(), nullable=False, server_default=sa.false()))
    now = datetime.now(UTC)
    following = datetime(now.year + now.month // 12, now.month % 12 + 1, 1, tzinfo=UTC).date()
    names = ("company_id", "setting", "valid_from", "value", "set_at")
    settings, companies = sa.table("company_settings", *map(sa.column, names)), sa.table("companies", sa.column("id"))
    given = sa.select(
        companies.c.id,
        sa.literal(_SETTING),
        sa.literal(date.min, sa.Date()),
        sa.literal(f'"{following.isoformat()}"'),
        sa.literal(now, columns.Instant()),
    )
    op.execute(settings.insert().from_select(names, given))


def downgrade() -> None:
    # Balances that were cached under the present rules; the older release computes them again.
    op.execute("DELETE FROM kept_balances WHERE NOT is_final")
    op.execute(sa.text("DELETE FROM company_settings WHERE setting = :name").bindparams(name=_SETTING))
    op.drop_column("free_days", "legal")

