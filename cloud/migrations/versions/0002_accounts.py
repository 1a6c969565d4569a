"""Accounts: second factors, remembered devices, logins that wait for a step, and reset passwords that expire."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0002_accounts"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pending_logins",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("step", sa.String(length=20), nullable=False),
        sa.Column("expires_at", columns.Instant(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("code_hash", sa.LargeBinary(length=32), nullable=True),
        sa.Column("code_expires_at", columns.Instant(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("mails", sa.Integer(), nullable=False),
        sa.Column("mailed_at", columns.Instant(), nullable=True),
        _of_user("pending_logins"),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_pending_logins")),
    )
    op.create_index(op.f("ix_pending_logins_user_id"), "pending_logins", ["user_id"])
    op.create_index(op.f("ix_pending_logins_token_hash"), "pending_logins", ["token_hash"])
    op.create_index(op.f("ix_pending_logins_expires_at"), "pending_logins", ["expires_at"])
    op.create_table(
        "remembered_devices",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("expires_at", columns.Instant(), nullable=False),
        _of_user("remembered_devices"),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_remembered_devices")),
    )
    op.create_index(op.f("ix_remembered_devices_user_id"), "remembered_devices", ["user_id"])
    op.create_index(op.f("ix_remembered_devices_token_hash"), "remembered_devices", ["token_hash"])
    op.create_index(op.f("ix_remembered_devices_expires_at"), "remembered_devices", ["expires_at"])
    op.create_table(
        "second_factors",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.Column("waiting_secret", sa.LargeBinary(), nullable=True),
        sa.Column("accepted_step", sa.BigInteger(), nullable=False),
        _of_user("second_factors"),
        sa.PrimaryKeyConstraint("company_id", "user_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(length=32), nullable=False),
        _of_user("recovery_codes"),
        sa.PrimaryKeyConstraint("company_id", "user_id", "code_hash", name=op.f("pk_recovery_codes")),
    )
    op.add_column("users", sa.Column("reset_expires_at", columns.Instant(), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "reset_expires_at")
    for table in ("recovery_codes", "second_factors", "remembered_devices", "pending_logins"):
        op.drop_table(table)


def _of_user(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["company_id", "user_id"],
        ["users.company_id", "users.id"],
        name=op.f(f"fk_{table}_company_id_user_id_users"),
    )
