"""What companies ask the operator, and the answers."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0029_support"
down_revision = "0028_fleet"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "support_messages",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("author", columns.Id(), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("category", sa.String(10), nullable=False),
        sa.Column("priority", sa.String(10), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("contact_email", sa.String(254), nullable=True),
        sa.Column("include_logs", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(15), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_support_messages")),
    )
    op.create_index("ix_support_messages_created_at", "support_messages", ["created_at", "id"])
    op.create_table(
        "support_replies",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("message_id", columns.Id(), nullable=False),
        sa.Column("author", columns.Id(), nullable=False),
        sa.Column("by_operator", sa.Boolean(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id", "message_id"],
            ["support_messages.company_id", "support_messages.id"],
            name=op.f("fk_support_replies_company_id_message_id_support_messages"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_support_replies")),
    )
    op.create_index("ix_support_replies_message_id", "support_replies", ["company_id", "message_id", "id"])


def downgrade() -> None:
    op.drop_table("support_replies")
    op.drop_table("support_messages")
