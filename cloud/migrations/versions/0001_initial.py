"""Everything, as it stood at the first release."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit import db

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "companies",
        sa.Column("id", db.Id(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("name_key", sa.String(length=400), nullable=False),
        sa.Column("is_operator", sa.Boolean(), nullable=False),
        sa.Column("created_at", db.Instant(), nullable=False),
        sa.Column("closed_at", db.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companies")),
    )
    op.create_index(
        "uq_companies_name_key",
        "companies",
        ["name_key"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "kept_answers",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("user_id", db.Id(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", db.Instant(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("media_type", sa.String(length=100), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "user_id", "key", name=op.f("pk_kept_answers")),
    )
    op.create_index(op.f("ix_kept_answers_created_at"), "kept_answers", ["created_at"], unique=False)
    op.create_table(
        "login_counters",
        sa.Column("bucket", sa.LargeBinary(length=32), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", db.Instant(), nullable=False),
        sa.Column("blocked_until", db.Instant(), nullable=False),
        sa.Column("expires_at", db.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_login_counters")),
    )
    op.create_index(op.f("ix_login_counters_expires_at"), "login_counters", ["expires_at"], unique=False)
    op.create_table(
        "tickets",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("id", db.Id(), nullable=False),
        sa.Column("session_id", db.Id(), nullable=False),
        sa.Column("ticket_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("expires_at", db.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_tickets")),
    )
    op.create_index(op.f("ix_tickets_expires_at"), "tickets", ["expires_at"], unique=False)
    op.create_index(op.f("ix_tickets_ticket_hash"), "tickets", ["ticket_hash"], unique=False)
    op.create_table(
        "company_features",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("feature", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_company_features_company_id_companies")
        ),
        sa.PrimaryKeyConstraint("company_id", "feature", name=op.f("pk_company_features")),
    )
    op.create_table(
        "company_settings",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("setting", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.Column("set_at", db.Instant(), nullable=False),
        sa.Column("set_by", db.Id(), nullable=True),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_company_settings_company_id_companies")
        ),
        sa.PrimaryKeyConstraint("company_id", "setting", "valid_from", name=op.f("pk_company_settings")),
    )
    op.create_table(
        "users",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("id", db.Id(), nullable=False),
        sa.Column("username", sa.String(length=100), nullable=False),
        sa.Column("username_key", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("protected_as", sa.String(length=20), nullable=True),
        sa.Column("is_locked", sa.Boolean(), nullable=False),
        sa.Column("lock_token", sa.String(length=64), nullable=True),
        sa.Column("created_at", db.Instant(), nullable=False),
        sa.Column("deleted_at", db.Instant(), nullable=True),
        sa.ForeignKeyConstraint(["company_id"], ["companies.id"], name=op.f("fk_users_company_id_companies")),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_users")),
    )
    op.create_index("ix_users_id", "users", ["id"], unique=False)
    op.create_index(
        "uq_users_company_id_username_key",
        "users",
        ["company_id", "username_key"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "tag_holdings",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("id", db.Id(), nullable=False),
        sa.Column("user_id", db.Id(), nullable=False),
        sa.Column("tag", sa.String(length=64), nullable=False),
        sa.Column("held_from", db.Instant(), nullable=True),
        sa.Column("held_until", db.Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["company_id", "user_id"],
            ["users.company_id", "users.id"],
            name=op.f("fk_tag_holdings_company_id_user_id_users"),
        ),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_tag_holdings")),
    )
    op.create_index(
        "ix_tag_holdings_company_id_tag_held_from", "tag_holdings", ["company_id", "tag", "held_from"], unique=False
    )
    op.create_index("ix_tag_holdings_company_id_user_id", "tag_holdings", ["company_id", "user_id"], unique=False)
    op.create_index(
        "uq_tag_holdings_company_id_tag",
        "tag_holdings",
        ["company_id", "tag"],
        unique=True,
        sqlite_where=sa.text("held_until IS NULL"),
        postgresql_where=sa.text("held_until IS NULL"),
    )
    op.create_table(
        "web_sessions",
        sa.Column("company_id", db.Id(), nullable=False),
        sa.Column("id", db.Id(), nullable=False),
        sa.Column("user_id", db.Id(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", db.Instant(), nullable=False),
        sa.Column("last_seen_at", db.Instant(), nullable=False),
        sa.Column("expires_at", db.Instant(), nullable=False),
        sa.Column("user_agent", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id", "user_id"],
            ["users.company_id", "users.id"],
            name=op.f("fk_web_sessions_company_id_user_id_users"),
        ),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_web_sessions")),
    )
    op.create_index(op.f("ix_web_sessions_expires_at"), "web_sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_web_sessions_token_hash"), "web_sessions", ["token_hash"], unique=False)
    op.create_index(op.f("ix_web_sessions_user_id"), "web_sessions", ["user_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_web_sessions_user_id"), table_name="web_sessions")
    op.drop_index(op.f("ix_web_sessions_token_hash"), table_name="web_sessions")
    op.drop_index(op.f("ix_web_sessions_expires_at"), table_name="web_sessions")
    op.drop_table("web_sessions")
    op.drop_index(
        "uq_tag_holdings_company_id_tag",
        table_name="tag_holdings",
        sqlite_where=sa.text("held_until IS NULL"),
        postgresql_where=sa.text("held_until IS NULL"),
    )
    op.drop_index("ix_tag_holdings_company_id_user_id", table_name="tag_holdings")
    op.drop_index("ix_tag_holdings_company_id_tag_held_from", table_name="tag_holdings")
    op.drop_table("tag_holdings")
    op.drop_index(
        "uq_users_company_id_username_key",
        table_name="users",
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.drop_index("ix_users_id", table_name="users")
    op.drop_table("users")
    op.drop_table("company_settings")
    op.drop_table("company_features")
    op.drop_index(op.f("ix_tickets_ticket_hash"), table_name="tickets")
    op.drop_index(op.f("ix_tickets_expires_at"), table_name="tickets")
    op.drop_table("tickets")
    op.drop_index(op.f("ix_login_counters_expires_at"), table_name="login_counters")
    op.drop_table("login_counters")
    op.drop_index(op.f("ix_kept_answers_created_at"), table_name="kept_answers")
    op.drop_table("kept_answers")
    op.drop_index(
        "uq_companies_name_key",
        table_name="companies",
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.drop_table("companies")
