"""Declines of the monthly mail, and an index for counting a company's mails of a day."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0045_mail_declines"
down_revision = "0044_service_time"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_declines",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("mailbox", sa.String(length=254), nullable=False),
        sa.Column("declined_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "mailbox", name=op.f("pk_mail_declines")),
    )
    op.create_index("ix_export_mails_company_id_at", "export_mails", ["company_id", "at"])


def downgrade() -> None:
    op.drop_index("ix_export_mails_company_id_at", "export_mails")
    op.drop_table("mail_declines")
