"""The watch over the server's time, and the fingerprints of the key files."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0044_service_time"
down_revision = "0043_kept_answers_of_person"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "service_time",
        sa.Column("no", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("trusted_at", columns.Instant(), nullable=False),
        sa.Column("doubted_from", columns.Instant(), nullable=True),
        sa.Column("doubted_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_service_time")),
    )
    op.create_table(
        "key_fingerprints",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_key_fingerprints")),
    )


def downgrade() -> None:
    op.drop_table("key_fingerprints")
    op.drop_table("service_time")
