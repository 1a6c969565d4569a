"""What an employee's area needs: plans, requests, messages, accounts, files."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0008_area"
down_revision = "0007_words"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("company_settings") as table:
        table.alter_column("value", existing_type=sa.String(200), type_=sa.Text(), existing_nullable=False)
    op.create_table(
        "absences",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("report_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("user_message", sa.Text(), nullable=True),
        sa.Column("file_id", columns.Id(), nullable=True),
        sa.Column("noted_at", columns.Instant(), nullable=True),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_absences")),
        info={"bypasses": {"devices": "select"}},
    )
    with op.batch_alter_table("absences", schema=None) as batch_op:
        batch_op.create_index("ix_absences_company_id_report_id", ["company_id", "report_id"], unique=False)
        batch_op.create_index("ix_absences_company_id_user_id_date", ["company_id", "user_id", "date"], unique=False)
        batch_op.create_index("ix_absences_id", ["id"], unique=False)
        batch_op.create_index(
            "ix_absences_noted",
            ["company_id", "report_id"],
            unique=False,
            sqlite_where=sa.text("file_id IS NOT NULL"),
            postgresql_where=sa.text("file_id IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_absences_open",
            ["company_id", "date"],
            unique=False,
            sqlite_where=sa.text("status = 'open'"),
            postgresql_where=sa.text("status = 'open'"),
        )
        batch_op.create_index(
            "uq_absences_company_id_user_id_date",
            ["company_id", "user_id", "date"],
            unique=True,
            sqlite_where=sa.text("status <> 'declined'"),
            postgresql_where=sa.text("status <> 'declined'"),
        )

    op.create_table(
        "bookings",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("vacation_halves", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", columns.Id(), nullable=True),
        sa.Column("made_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_bookings")),
        info={"bypasses": {"devices": "select"}},
    )
    with op.batch_alter_table("bookings", schema=None) as batch_op:
        batch_op.create_index("ix_bookings_company_id_user_id_date", ["company_id", "user_id", "date"], unique=False)

    op.create_table(
        "calendar_addresses",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "user_id", name=op.f("pk_calendar_addresses")),
        info={"bypasses": {"login": "select"}},
    )
    with op.batch_alter_table("calendar_addresses", schema=None) as batch_op:
        batch_op.create_index("ix_calendar_addresses_secret_hash", ["secret_hash"], unique=False)

    op.create_table(
        "clock_answers",
        sa.Column("device_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("device_id", "id", name=op.f("pk_clock_answers")),
        info={"bypasses": {"devices": "all"}},
    )
    with op.batch_alter_table("clock_answers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_clock_answers_received_at"), ["received_at"], unique=False)

    op.create_table(
        "company_keys",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_company_keys")),
    )
    op.create_table(
        "correction_requests",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("new_start", sa.SmallInteger(), nullable=True),
        sa.Column("new_end", sa.SmallInteger(), nullable=True),
        sa.Column("break_minutes", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("entry_id", columns.Id(), nullable=True),
        sa.Column("entry_at", columns.Instant(), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("created_by", columns.Id(), nullable=True),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_correction_requests")),
        info={"bypasses": {"devices": "all"}},
    )
    with op.batch_alter_table("correction_requests", schema=None) as batch_op:
        batch_op.create_index(
            "ix_correction_requests_company_id_user_id", ["company_id", "user_id", "id"], unique=False
        )
        batch_op.create_index(
            "uq_correction_requests_company_id_user_id_date",
            ["company_id", "user_id", "date"],
            unique=True,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )

    op.create_table(
        "duties",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("start_minute", sa.SmallInteger(), nullable=True),
        sa.Column("end_minute", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("created_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_duties")),
    )
    with op.batch_alter_table("duties", schema=None) as batch_op:
        batch_op.create_index("ix_duties_company_id_date", ["company_id", "date"], unique=False)
        batch_op.create_index("uq_duties_company_id_user_id_date", ["company_id", "user_id", "date"], unique=True)

    op.create_table(
        "file_contents",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("file_id", columns.Id(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "file_id", name=op.f("pk_file_contents")),
    )
    op.create_table(
        "files",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("media_type", sa.String(length=100), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_files")),
    )
    op.create_table(
        "messages",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("read_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_messages")),
        info={"bypasses": {"devices": "all"}},
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_created_at", ["created_at"], unique=False)
        batch_op.create_index(
            "ix_messages_unread",
            ["company_id", "user_id", "id"],
            unique=False,
            sqlite_where=sa.text("read_at IS NULL"),
            postgresql_where=sa.text("read_at IS NULL"),
        )

    op.create_table(
        "missing_sweeps",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("swept_to", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_missing_sweeps")),
    )
    op.create_table(
        "notice_choices",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "user_id", "channel", "kind", name=op.f("pk_notice_choices")),
        info={"bypasses": {"devices": "select"}},
    )
    op.create_table(
        "outbox",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("together", sa.String(length=80), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("due_at", columns.Instant(), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("leased_until", columns.Instant(), nullable=True),
        sa.Column("failed_at", columns.Instant(), nullable=True),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_outbox")),
        info={"bypasses": {"devices": "all"}},
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_outbox_due_at",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("failed_at IS NULL"),
            postgresql_where=sa.text("failed_at IS NULL"),
        )
        batch_op.create_index("ix_outbox_together", ["company_id", "kind", "together"], unique=False)

    op.create_table(
        "push_subscriptions",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("session_id", columns.Id(), nullable=False),
        sa.Column("mark", sa.LargeBinary(), nullable=False),
        sa.Column("endpoint", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("company_id", "mark", name=op.f("uq_push_subscriptions_company_id_mark")),
        info={"bypasses": {"login": "all", "devices": "select"}},
    )
    with op.batch_alter_table("push_subscriptions", schema=None) as batch_op:
        batch_op.create_index("ix_push_subscriptions_mark", ["mark"], unique=False)
        batch_op.create_index("ix_push_subscriptions_company_id_user_id", ["company_id", "user_id"], unique=False)

    op.create_table(
        "statements",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("previous", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_statements")),
    )
    with op.batch_alter_table("statements", schema=None) as batch_op:
        batch_op.create_index(
            "ix_statements_company_id_user_id", ["company_id", "user_id", "month", "id"], unique=False
        )

    op.create_table(
        "swap_requests",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("duty_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("from_id", columns.Id(), nullable=False),
        sa.Column("to_id", columns.Id(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_swap_requests")),
        info={"bypasses": {"devices": "select"}},
    )
    with op.batch_alter_table("swap_requests", schema=None) as batch_op:
        batch_op.create_index("ix_swap_requests_company_id_from_id", ["company_id", "from_id", "date"], unique=False)
        batch_op.create_index("ix_swap_requests_company_id_to_id", ["company_id", "to_id", "date"], unique=False)
        batch_op.create_index(
            "uq_swap_requests_company_id_duty_id",
            ["company_id", "duty_id"],
            unique=True,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )

    op.create_table(
        "vacation_requests",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("start_date", sa.Date(), nullable=False),
        sa.Column("end_date", sa.Date(), nullable=False),
        sa.Column("start_half", sa.Boolean(), nullable=False),
        sa.Column("end_half", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("created_by", columns.Id(), nullable=True),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_vacation_requests")),
        info={"bypasses": {"devices": "select"}},
    )
    with op.batch_alter_table("vacation_requests", schema=None) as batch_op:
        batch_op.create_index(
            "ix_vacation_requests_company_id_user_id", ["company_id", "user_id", "start_date"], unique=False
        )
        batch_op.create_index(
            "ix_vacation_requests_pending",
            ["company_id", "id"],
            unique=False,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )

    op.create_table(
        "person_values",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("set_at", columns.Instant(), nullable=False),
        sa.Column("set_by", columns.Id(), nullable=True),
        sa.ForeignKeyConstraint(
            ["company_id", "user_id"],
            ["users.company_id", "users.id"],
            name=op.f("fk_person_values_company_id_user_id_users"),
        ),
        sa.PrimaryKeyConstraint("company_id", "user_id", "name", "valid_from", name=op.f("pk_person_values")),
        info={"bypasses": {"devices": "select"}},
    )
    with op.batch_alter_table("company_settings", schema=None) as batch_op:
        batch_op.alter_column("value", existing_type=sa.VARCHAR(length=200), type_=sa.Text(), existing_nullable=False)


def downgrade() -> None:
    with op.batch_alter_table("company_settings", schema=None) as batch_op:
        batch_op.alter_column("value", existing_type=sa.Text(), type_=sa.VARCHAR(length=200), existing_nullable=False)

    op.drop_table("person_values")
    with op.batch_alter_table("vacation_requests", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_vacation_requests_pending",
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.drop_index("ix_vacation_requests_company_id_user_id")

    op.drop_table("vacation_requests")
    with op.batch_alter_table("swap_requests", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_swap_requests_company_id_duty_id",
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.drop_index("ix_swap_requests_company_id_to_id")
        batch_op.drop_index("ix_swap_requests_company_id_from_id")

    op.drop_table("swap_requests")
    with op.batch_alter_table("statements", schema=None) as batch_op:
        batch_op.drop_index("ix_statements_company_id_user_id")

    op.drop_table("statements")
    with op.batch_alter_table("push_subscriptions", schema=None) as batch_op:
        batch_op.drop_index("ix_push_subscriptions_company_id_user_id")
        batch_op.drop_index("ix_push_subscriptions_mark")

    op.drop_table("push_subscriptions")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_together")
        batch_op.drop_index(
            "ix_outbox_due_at",
            sqlite_where=sa.text("failed_at IS NULL"),
            postgresql_where=sa.text("failed_at IS NULL"),
        )

    op.drop_table("outbox")
    op.drop_table("notice_choices")
    op.drop_table("missing_sweeps")
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_messages_unread", sqlite_where=sa.text("read_at IS NULL"), postgresql_where=sa.text("read_at IS NULL")
        )
        batch_op.drop_index("ix_messages_created_at")

    op.drop_table("messages")
    op.drop_table("files")
    op.drop_table("file_contents")
    with op.batch_alter_table("duties", schema=None) as batch_op:
        batch_op.drop_index("uq_duties_company_id_user_id_date")
        batch_op.drop_index("ix_duties_company_id_date")

    op.drop_table("duties")
    with op.batch_alter_table("correction_requests", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_correction_requests_company_id_user_id_date",
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.drop_index("ix_correction_requests_company_id_user_id")

    op.drop_table("correction_requests")
    op.drop_table("company_keys")
    with op.batch_alter_table("clock_answers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_clock_answers_received_at"))

    op.drop_table("clock_answers")
    with op.batch_alter_table("calendar_addresses", schema=None) as batch_op:
        batch_op.drop_index("ix_calendar_addresses_secret_hash")

    op.drop_table("calendar_addresses")
    with op.batch_alter_table("bookings", schema=None) as batch_op:
        batch_op.drop_index("ix_bookings_company_id_user_id_date")

    op.drop_table("bookings")
    with op.batch_alter_table("absences", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_absences_company_id_user_id_date",
            sqlite_where=sa.text("status <> 'declined'"),
            postgresql_where=sa.text("status <> 'declined'"),
        )
        batch_op.drop_index("ix_absences_id")
        batch_op.drop_index(
            "ix_absences_noted",
            sqlite_where=sa.text("file_id IS NOT NULL"),
            postgresql_where=sa.text("file_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_absences_open", sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'")
        )
        batch_op.drop_index("ix_absences_company_id_user_id_date")
        batch_op.drop_index("ix_absences_company_id_report_id")

    op.drop_table("absences")
    with op.batch_alter_table("company_settings") as table:
        table.alter_column("value", existing_type=sa.Text(), type_=sa.String(200), existing_nullable=False)
