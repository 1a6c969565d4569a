"""Releases that hold only for stamps without an assignment, as a back-dated assignment makes them."""

import sqlalchemy as sa
from alembic import op

revision = "0049_adopted_stamps"
down_revision = "0048_operator_log"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("releases", sa.Column("unnamed_only", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    # Without the column such a release would also give away stamps that name another company's assignment.
    op.execute(sa.text("DELETE FROM releases WHERE unnamed_only"))
    op.drop_column("releases", "unnamed_only")
