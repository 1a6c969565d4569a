"""What people were told of their roster, company holidays, and notices of vacation that lapses."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0027_closures"
down_revision = "0026_records"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "told_duties",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("start_minute", sa.SmallInteger(), nullable=True),
        sa.Column("end_minute", sa.SmallInteger(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "user_id", "date", name=op.f("pk_told_duties")),
    )
    op.create_index("ix_told_duties_company_id_date", "told_duties", ["company_id", "date"])
    op.create_index("ix_told_duties_date", "told_duties", ["date"])
    # Until now people were told at once.
    known = "company_id, user_id, date, start_minute, end_minute"
    op.execute(f"INSERT INTO told_duties ({known}) SELECT {known} FROM duties")  # noqa: S608 -- fixed names


    op.create_table(
        "closures",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("start_date", sa.Date(), nullable=False),
        sa.Column("end_date", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("created_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_closures")),
    )
    op.add_column("vacation_requests", sa.Column("closure_id", columns.Id(), nullable=True))
    op.create_table(
        "vacation_notices",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=False),
        sa.Column("halves", sa.Integer(), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("sent_on", sa.Date(), nullable=False),
        sa.Column("sent_at", columns.Instant(), nullable=False),
        sa.Column("sent_by", columns.Id(), nullable=True),
        sa.Column("message_id", columns.Id(), nullable=False),
        sa.Column("read_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_vacation_notices")),
    )
    op.create_index("ix_vacation_notices_company_id_user_id", "vacation_notices", ["company_id", "user_id", "year"])
    op.create_index("ix_vacation_notices_company_id_message_id", "vacation_notices", ["company_id", "message_id"])


def downgrade() -> None:
    op.drop_table("vacation_notices")
    op.drop_column("vacation_requests", "closure_id")
    op.drop_table("closures")
    op.drop_table("told_duties")
