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


def downgrade() -> None:
    op.drop_table("told_duties")
