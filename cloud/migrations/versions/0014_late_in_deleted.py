"""What came late into a deleted entry's interval waits for an administrator, also what has come already."""

import sqlalchemy as sa
from alembic import op

revision = "0014_late_in_deleted"
down_revision = "0013_settled_corrections"
branch_labels = None
depends_on = None

# As `timekeeping/words.py` had it at this revision.
_REASON, _VOIDED_LATE, _UNKNOWN_TAG, _REVOKED_TAG, _CLOCK, _CONFLICT = 0x7, 0x4, 0x8, 0x10, 0x20, 0x40
_BOOKED_BY_HAND, _DISCARDED = 0x80, 0x100
_STAMPS = sa.table("stamps", sa.column("status", sa.SmallInteger()), sa.column("waits", sa.Boolean()))


def _late() -> sa.ColumnElement[bool]:
    """Came late, and was not discarded."""
    return _STAMPS.c.status.bitwise_and(_REASON | _DISCARDED) == _VOIDED_LATE


def upgrade() -> None:
    op.get_bind().execute(_STAMPS.update().where(_late()).values(waits=True))


def downgrade() -> None:
    """What is held for something else waits on."""
    status = _STAMPS.c.status
    other = status.bitwise_and(_UNKNOWN_TAG | _REVOKED_TAG) != 0
    other |= (status.bitwise_and(_CLOCK | _CONFLICT) != 0) & (status.bitwise_and(_BOOKED_BY_HAND) == 0)
    op.get_bind().execute(_STAMPS.update().where(_late(), sa.not_(other)).values(waits=False))
