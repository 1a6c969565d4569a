"""What visitors send by the public forms."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0010_inquiries"
down_revision = "0009_missed_duty"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "inquiries",
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inquiries")),
    )
    with op.batch_alter_table("inquiries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inquiries_created_at"), ["created_at"], unique=False)


def downgrade() -> None:
    op.drop_table("inquiries")
