"""Consents to the privacy notice; whoever was deleted has no password any more, and is erased some day."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0026_records"
down_revision = "0025_costs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "privacy_consents",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("version", sa.String(20), nullable=False),
        sa.Column("accepted_at", columns.Instant(), nullable=False),
        sa.Column("accepted_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "version", name=op.f("pk_privacy_consents")),
    )
    op.add_column("users", sa.Column("erased_at", columns.Instant(), nullable=True))
    op.execute("UPDATE users SET password_hash = '' WHERE deleted_at IS NOT NULL")


def downgrade() -> None:
    """A password that is gone stays gone: nobody could log in with it."""
    op.drop_column("users", "erased_at")
    op.drop_table("privacy_consents")
