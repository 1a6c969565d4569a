"""Exports of months, their locks, and what hours are called at a tax adviser's."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0023_exports"
down_revision = "0022_taking_back"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("format", sa.String(10), nullable=False),
        sa.Column("since", columns.Id(), nullable=True),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("created_by", columns.Id(), nullable=True),
        sa.Column("progress", sa.String(10), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("told", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.Column("inputs", sa.LargeBinary(), nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("keep_until", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_exports")),
    )
    op.create_index("ix_exports_company_id_month", "exports", ["company_id", "month", "format", "id"])
    op.create_index("ix_exports_company_id_since", "exports", ["company_id", "since"])
    op.create_table(
        "month_locks",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("locked_at", columns.Instant(), nullable=False),
        sa.Column("locked_by", columns.Id(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("keep_until", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "month", name=op.f("pk_month_locks")),
    )
    op.create_table(
        "payroll_mappings",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("mapping", sa.Text(), nullable=False),
        sa.Column("changed_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_payroll_mappings")),
    )


def downgrade() -> None:
    for table in ("payroll_mappings", "month_locks", "exports"):
        op.drop_table(table)
