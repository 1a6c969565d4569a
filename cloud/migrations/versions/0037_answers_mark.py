"""Which of its people's answers a clock's server has, in a word; that it has gone back to a backup shows by it."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0037_answers_mark"
down_revision = "0036_company_ends"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("device_leases", sa.Column("answers_mark", columns.Id(), nullable=True))


def downgrade() -> None:
    op.drop_column("device_leases", "answers_mark")
