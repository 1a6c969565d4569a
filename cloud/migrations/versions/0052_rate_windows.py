"""Windows of the rate limits that count for the installation."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database.columns import Instant

revision = "0052_rate_windows"
down_revision = "0051_kept_leave"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rate_windows",
        sa.Column("bucket", sa.LargeBinary(length=32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("previous_calls", sa.Integer(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_rate_windows")),
    )
    op.create_index(op.f("ix_rate_windows_expires_at"), "rate_windows", ["expires_at"], unique=False)
    if op.get_bind().dialect.name == "postgresql":
        # A count that a crash of the server loses is worth no write to the log for each call.
        op.execute(sa.text("ALTER TABLE rate_windows SET UNLOGGED"))


def downgrade() -> None:
    op.drop_index(op.f("ix_rate_windows_expires_at"), table_name="rate_windows")
    op.drop_table("rate_windows")
