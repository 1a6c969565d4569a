"""Columns for the leave that a year begins with."""

import sqlalchemy as sa
from alembic import op

revision = "0051_kept_leave"
down_revision = "0050_modules_by_login"
branch_labels = None
depends_on = None

_NUMBERS = ("leave_halves", "leave_ill", "leave_parents")
_DAY = "leave_parents_back"


def upgrade() -> None:
    for name in _NUMBERS:
        op.add_column("kept_balances", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("kept_balances", sa.Column(_DAY, sa.Date(), nullable=True))
    # The round writes them again, with leave.
    op.execute(sa.text("DELETE FROM kept_balances WHERE NOT is_final"))


def downgrade() -> None:
    for name in (*_NUMBERS, _DAY):
        op.drop_column("kept_balances", name)
