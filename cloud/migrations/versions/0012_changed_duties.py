"""When a duty was last changed. One that stands is taken as unchanged since it was made."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0012_changed_duties"
down_revision = "0011_zones"
branch_labels = None
depends_on = None

_DUTIES = sa.table("duties", *map(sa.column, ("created_at", "changed_at")))


def upgrade() -> None:
    op.add_column("duties", sa.Column("changed_at", columns.Instant(), nullable=True))
    op.get_bind().execute(_DUTIES.update().values(changed_at=_DUTIES.c.created_at))
    with op.batch_alter_table("duties") as duties:
        duties.alter_column("changed_at", nullable=False)


def downgrade() -> None:
    op.drop_column("duties", "changed_at")
