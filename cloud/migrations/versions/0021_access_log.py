"""Works councils; who among administrators looked at whose times."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0021_access_log"
down_revision = "0020_review"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("works_council", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "access_looks",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("actor", columns.Id(), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("subject", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_access_looks")),
    )
    op.create_index("ix_access_looks_company_id_at", "access_looks", ["company_id", "at", "id"])


def downgrade() -> None:
    op.drop_table("access_looks")
    op.drop_column("users", "works_council")
