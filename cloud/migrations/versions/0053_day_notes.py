"""Notes that administrators write for a day."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0053_day_notes"
down_revision = "0052_rate_windows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "day_notes",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("written_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_day_notes")),
    )
    op.create_index("ix_day_notes_company_id_day", "day_notes", ["company_id", "day"])


def downgrade() -> None:
    op.drop_table("day_notes")
