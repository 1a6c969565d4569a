"""The monthly mail: what companies have set of it, and every mail."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0024_monthly_mail"
down_revision = "0023_exports"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "export_settings",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("use_gmail", sa.Boolean(), nullable=False),
        sa.Column("delivery", sa.String(10), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("zip_password", sa.LargeBinary(), nullable=True),
        sa.Column("planned_to", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_export_settings")),
    )
    op.create_table(
        "export_mails",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("mailing_id", columns.Id(), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("recipient", sa.String(254), nullable=False),
        sa.Column("delivery", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("file_id", columns.Id(), nullable=True),
        sa.Column("file_name", sa.String(100), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_export_mails")),
    )
    op.create_index("ix_export_mails_company_id_mailing_id", "export_mails", ["company_id", "mailing_id"])
    op.create_index("ix_export_mails_at", "export_mails", ["at"])


def downgrade() -> None:
    op.drop_table("export_mails")
    op.drop_table("export_settings")
