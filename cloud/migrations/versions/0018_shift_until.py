"""How far the shift reached that a correction was settled for; of those that stand it is not known."""

import sqlalchemy as sa
from alembic import op

revision = "0018_shift_until"
down_revision = "0017_leaving"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("corrections", sa.Column("shift_until", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("corrections", "shift_until")
