"""Everything, as it stood at the first release."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "anchors",
        sa.Column("boot_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("boottime_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_time", columns.Instant(), nullable=False),
        sa.Column("rtt_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("boot_no", "boottime_ms", "server_time", "rtt_ms", name=op.f("pk_anchors")),
    )
    op.create_table(
        "batches",
        sa.Column("device_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("batch", columns.Id(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("digest", columns.Id(), nullable=False),
        sa.PrimaryKeyConstraint("device_no", "batch", name=op.f("pk_batches")),
    )
    op.create_table(
        "boots",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("device_no", sa.Integer(), nullable=False),
        sa.Column("boot", columns.Id(), nullable=False),
        sa.Column("low_ms", sa.BigInteger(), nullable=True),
        sa.Column("high_ms", sa.BigInteger(), nullable=True),
        sa.Column("unsettled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_boots")),
    )
    op.create_index("uq_boots_device_no_boot", "boots", ["device_no", "boot"], unique=True)
    op.create_table(
        "companies",
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("name_key", sa.String(length=400), nullable=False),
        sa.Column("is_operator", sa.Boolean(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("closed_at", columns.Instant(), nullable=True),
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
        "corrections",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("new_start", columns.Instant(), nullable=False),
        sa.Column("new_end", columns.Instant(), nullable=False),
        sa.Column("break_minutes", sa.Integer(), nullable=True),
        sa.Column("requested_at", columns.Instant(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=False),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.Column("entry_id", columns.Id(), nullable=True),
        sa.Column("entry_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_corrections")),
    )
    op.create_index("ix_corrections_company_id_user_id", "corrections", ["company_id", "user_id"], unique=False)
    op.create_table(
        "counters",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_counters")),
    )
    op.create_table(
        "derivation_revisions",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_derivation_revisions")),
    )
    op.create_table(
        "devices",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("keyid", sa.String(length=43), nullable=False),
        sa.Column("public_key", sa.LargeBinary(length=32), nullable=False),
        sa.Column("claim_code", sa.String(length=8), nullable=False),
        sa.Column("serial", sa.String(length=100), nullable=False),
        sa.Column("hardware_id", sa.String(length=100), nullable=False),
        sa.Column("mac", sa.String(length=100), nullable=False),
        sa.Column("profile", sa.String(length=100), nullable=False),
        sa.Column("version", sa.String(length=100), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("notes", sa.String(length=2000), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("identity_conflict", sa.Boolean(), nullable=False),
        sa.Column("enrolled_at", columns.Instant(), nullable=False),
        sa.Column("revoked_at", columns.Instant(), nullable=True),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_devices")),
        sa.UniqueConstraint("id", name=op.f("uq_devices_id")),
        sa.UniqueConstraint("keyid", name=op.f("uq_devices_keyid")),
    )
    op.create_index(op.f("ix_devices_serial"), "devices", ["serial"], unique=False)
    op.create_table(
        "entries",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("person_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("start_at", columns.Instant(), nullable=True),
        sa.Column("end_at", columns.Instant(), nullable=True),
        sa.Column("device_no", sa.Integer(), nullable=True),
        sa.Column("start_minute", sa.SmallInteger(), nullable=True),
        sa.Column("end_minute", sa.SmallInteger(), nullable=True),
        sa.Column("raw_minutes", sa.Integer(), nullable=True),
        sa.Column("break_minutes", sa.SmallInteger(), nullable=True),
        sa.Column("flags", sa.SmallInteger(), nullable=False),
        sa.Column("is_correction", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "person_no", "date", "id", name=op.f("pk_entries")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_table(
        "epochs",
        sa.Column("device_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", columns.Id(), nullable=False),
        sa.Column("received", sa.Text(), nullable=False),
        sa.Column("gone", sa.Text(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("gaps", sa.Boolean(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("asked_at", columns.Instant(), nullable=True),
        sa.Column("successor", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("device_no", "epoch", name=op.f("pk_epochs")),
    )
    op.create_index(
        "ix_epochs_gaps",
        "epochs",
        ["device_no"],
        unique=False,
        sqlite_where=sa.text("gaps"),
        postgresql_where=sa.text("gaps"),
    )
    op.create_table(
        "installation",
        sa.Column("no", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", columns.Id(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_installation")),
    )
    op.create_table(
        "kept_answers",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
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
        sa.Column("last_at", columns.Instant(), nullable=False),
        sa.Column("blocked_until", columns.Instant(), nullable=False),
        sa.Column("expires_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_login_counters")),
    )
    op.create_index(op.f("ix_login_counters_expires_at"), "login_counters", ["expires_at"], unique=False)
    op.create_table(
        "people_changes",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("changed_at", columns.Instant(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("people", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "changed_at", "id", name=op.f("pk_people_changes")),
    )
    op.create_table(
        "person_numbers",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "user_id", name=op.f("pk_person_numbers")),
    )
    op.create_index(op.f("ix_person_numbers_no"), "person_numbers", ["no"], unique=False)
    op.create_table(
        "quarantined_stamps",
        sa.Column("device_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("stamp_id", sa.Text(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("epoch", columns.Id(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("device_no", "digest", name=op.f("pk_quarantined_stamps")),
    )
    op.create_table(
        "receipts",
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.Column("device_no", sa.Integer(), nullable=False),
        sa.Column("tag_no", sa.Integer(), nullable=True),
        sa.Column("id", columns.Id(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
    )
    op.create_table(
        "resolutions",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("stamp_id", columns.Id(), nullable=False),
        sa.Column("action", sa.String(length=10), nullable=False),
        sa.Column("taken_at", columns.Instant(), nullable=True),
        sa.Column("decided_at", columns.Instant(), nullable=False),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_resolutions")),
    )
    op.create_index("ix_resolutions_company_id_stamp_id", "resolutions", ["company_id", "stamp_id"], unique=False)
    op.create_table(
        "stamp_claims",
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("device_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("epoch", columns.Id(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", "device_no", "digest", name=op.f("pk_stamp_claims")),
    )
    op.create_index("ix_stamp_claims_device_no", "stamp_claims", ["device_no"], unique=False)
    op.create_table(
        "stamps",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("tag_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stream_no", sa.Integer(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("wall_ms", sa.BigInteger(), nullable=True),
        sa.Column("boottime_ms", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("form", sa.SmallInteger(), nullable=False),
        sa.Column("standing", sa.SmallInteger(), nullable=False),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("unsettled", sa.Boolean(), nullable=False),
        sa.Column("via", sa.String(length=64), nullable=True),
        sa.Column("content", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "tag_no", "at", "id", name=op.f("pk_stamps")),
    )
    op.create_index(
        "ix_stamps_unsettled",
        "stamps",
        ["stream_no", "boottime_ms"],
        unique=False,
        sqlite_where=sa.text("unsettled"),
        postgresql_where=sa.text("unsettled"),
    )
    op.create_index(
        "ix_stamps_waits",
        "stamps",
        ["company_id"],
        unique=False,
        sqlite_where=sa.text("waits"),
        postgresql_where=sa.text("waits"),
    )
    op.create_table(
        "stray_stamps",
        sa.Column("device_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("certain", sa.Boolean(), nullable=False),
        sa.Column("boot_no", sa.Integer(), nullable=False),
        sa.Column("boottime_ms", sa.BigInteger(), nullable=False),
        sa.Column("epoch", columns.Id(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("device_no", "id", name=op.f("pk_stray_stamps")),
    )
    op.create_table(
        "streams",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("device_no", sa.Integer(), nullable=False),
        sa.Column("boot_no", sa.Integer(), nullable=False),
        sa.Column("epoch", columns.Id(), nullable=False),
        sa.Column("assignment_id", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("no", name=op.f("pk_streams")),
    )
    op.create_index(op.f("ix_streams_boot_no"), "streams", ["boot_no"], unique=False)
    op.create_index("ix_streams_device_no_epoch", "streams", ["device_no", "epoch"], unique=False)
    op.create_table(
        "tag_numbers",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("tag", sa.String(length=64), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "tag", name=op.f("pk_tag_numbers")),
    )
    op.create_index(op.f("ix_tag_numbers_no"), "tag_numbers", ["no"], unique=False)
    op.create_table(
        "tickets",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("session_id", columns.Id(), nullable=False),
        sa.Column("ticket_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("path", sa.String(length=500), nullable=False),
        sa.Column("expires_at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_tickets")),
    )
    op.create_index(op.f("ix_tickets_expires_at"), "tickets", ["expires_at"], unique=False)
    op.create_index(op.f("ix_tickets_ticket_hash"), "tickets", ["ticket_hash"], unique=False)
    op.create_table(
        "voids",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("start_at", columns.Instant(), nullable=False),
        sa.Column("end_at", columns.Instant(), nullable=False),
        sa.Column("stamp_ids", sa.Text(), nullable=False),
        sa.Column("spared", sa.Text(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=False),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_voids")),
    )
    op.create_index("ix_voids_company_id_user_id", "voids", ["company_id", "user_id"], unique=False)
    op.create_table(
        "company_features",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("feature", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_company_features_company_id_companies")
        ),
        sa.PrimaryKeyConstraint("company_id", "feature", name=op.f("pk_company_features")),
    )
    op.create_table(
        "company_settings",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("setting", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.Column("set_at", columns.Instant(), nullable=False),
        sa.Column("set_by", columns.Id(), nullable=True),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_company_settings_company_id_companies")
        ),
        sa.PrimaryKeyConstraint("company_id", "setting", "valid_from", name=op.f("pk_company_settings")),
    )
    op.create_table(
        "device_assignments",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("device_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("starts_at", columns.Instant(), nullable=False),
        sa.Column("ends_at", columns.Instant(), nullable=True),
        sa.Column("assigned_at", columns.Instant(), nullable=False),
        sa.Column("assigned_by", columns.Id(), nullable=True),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_device_assignments_company_id_companies")
        ),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_assignments_device_no_devices")),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_device_assignments")),
    )
    op.create_index(
        "ix_device_assignments_device_no_starts_at", "device_assignments", ["device_no", "starts_at"], unique=False
    )
    op.create_table(
        "device_beats",
        sa.Column(
            "device_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("seen_at", columns.Instant(), nullable=False),
        sa.Column("boot", columns.Id(), nullable=False),
        sa.Column("boottime_ms", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.String(length=40), nullable=False),
        sa.Column("quality", sa.String(length=10), nullable=False),
        sa.Column("ip", sa.String(length=100), nullable=False),
        sa.Column("mac", sa.String(length=100), nullable=False),
        sa.Column("profile", sa.String(length=100), nullable=False),
        sa.Column("version", sa.String(length=100), nullable=False),
        sa.Column("uptime_s", sa.BigInteger(), nullable=True),
        sa.Column("queue_depth", sa.BigInteger(), nullable=True),
        sa.Column("queue_oldest", sa.String(length=40), nullable=True),
        sa.Column("disk_free_mb", sa.BigInteger(), nullable=True),
        sa.Column("reader", sa.String(length=10), nullable=True),
        sa.Column("update_state", sa.String(length=100), nullable=True),
        sa.Column("update_version", sa.String(length=100), nullable=True),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_beats_device_no_devices")),
        sa.PrimaryKeyConstraint("device_no", name=op.f("pk_device_beats")),
    )
    op.create_index(op.f("ix_device_beats_seen_at"), "device_beats", ["seen_at"], unique=False)
    op.create_table(
        "device_boots",
        sa.Column(
            "device_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("boot", columns.Id(), nullable=False),
        sa.Column("first_seen_at", columns.Instant(), nullable=False),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_boots_device_no_devices")),
        sa.PrimaryKeyConstraint("device_no", "boot", name=op.f("pk_device_boots")),
    )
    op.create_table(
        "device_leases",
        sa.Column(
            "device_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("confirmed", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_by", columns.Id(), nullable=True),
        sa.Column("pending", sa.BigInteger(), nullable=False),
        sa.Column("forked", sa.Boolean(), nullable=False),
        sa.Column("replay_since", columns.Instant(), nullable=True),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_leases_device_no_devices")),
        sa.PrimaryKeyConstraint("device_no", name=op.f("pk_device_leases")),
    )
    op.create_table(
        "device_logs",
        sa.Column(
            "device_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("received_at", columns.Instant(), nullable=False),
        sa.Column("level", sa.String(length=5), nullable=False),
        sa.Column("code", sa.String(length=100), nullable=False),
        sa.Column("message", sa.String(length=2000), nullable=False),
        sa.Column("meta", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_logs_device_no_devices")),
        sa.PrimaryKeyConstraint("device_no", "id", name=op.f("pk_device_logs")),
    )
    op.create_index("ix_device_logs_received_at", "device_logs", ["received_at"], unique=False)
    op.create_table(
        "releases",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("device_no", sa.Integer(), nullable=False),
        sa.Column("starts_at", columns.Instant(), nullable=False),
        sa.Column("ends_at", columns.Instant(), nullable=False),
        sa.Column("released_at", columns.Instant(), nullable=False),
        sa.Column("released_by", columns.Id(), nullable=True),
        sa.ForeignKeyConstraint(["company_id"], ["companies.id"], name=op.f("fk_releases_company_id_companies")),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_releases")),
    )
    op.create_index("ix_releases_device_no", "releases", ["device_no"], unique=False)
    op.create_table(
        "users",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("username", sa.String(length=100), nullable=False),
        sa.Column("username_key", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("protected_as", sa.String(length=20), nullable=True),
        sa.Column("is_locked", sa.Boolean(), nullable=False),
        sa.Column("lock_token", sa.String(length=64), nullable=True),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("deleted_at", columns.Instant(), nullable=True),
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
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("tag", sa.String(length=64), nullable=False),
        sa.Column("held_from", columns.Instant(), nullable=True),
        sa.Column("held_until", columns.Instant(), nullable=True),
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
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("last_seen_at", columns.Instant(), nullable=False),
        sa.Column("expires_at", columns.Instant(), nullable=False),
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
    op.drop_index("ix_releases_device_no", table_name="releases")
    op.drop_table("releases")
    op.drop_index("ix_device_logs_received_at", table_name="device_logs")
    op.drop_table("device_logs")
    op.drop_table("device_leases")
    op.drop_table("device_boots")
    op.drop_index(op.f("ix_device_beats_seen_at"), table_name="device_beats")
    op.drop_table("device_beats")
    op.drop_index("ix_device_assignments_device_no_starts_at", table_name="device_assignments")
    op.drop_table("device_assignments")
    op.drop_table("company_settings")
    op.drop_table("company_features")
    op.drop_index("ix_voids_company_id_user_id", table_name="voids")
    op.drop_table("voids")
    op.drop_index(op.f("ix_tickets_ticket_hash"), table_name="tickets")
    op.drop_index(op.f("ix_tickets_expires_at"), table_name="tickets")
    op.drop_table("tickets")
    op.drop_index(op.f("ix_tag_numbers_no"), table_name="tag_numbers")
    op.drop_table("tag_numbers")
    op.drop_index("ix_streams_device_no_epoch", table_name="streams")
    op.drop_index(op.f("ix_streams_boot_no"), table_name="streams")
    op.drop_table("streams")
    op.drop_table("stray_stamps")
    op.drop_index(
        "ix_stamps_waits", table_name="stamps", sqlite_where=sa.text("waits"), postgresql_where=sa.text("waits")
    )
    op.drop_index(
        "ix_stamps_unsettled",
        table_name="stamps",
        sqlite_where=sa.text("unsettled"),
        postgresql_where=sa.text("unsettled"),
    )
    op.drop_table("stamps")
    op.drop_index("ix_stamp_claims_device_no", table_name="stamp_claims")
    op.drop_table("stamp_claims")
    op.drop_index("ix_resolutions_company_id_stamp_id", table_name="resolutions")
    op.drop_table("resolutions")
    op.drop_table("receipts")
    op.drop_table("quarantined_stamps")
    op.drop_index(op.f("ix_person_numbers_no"), table_name="person_numbers")
    op.drop_table("person_numbers")
    op.drop_table("people_changes")
    op.drop_index(op.f("ix_login_counters_expires_at"), table_name="login_counters")
    op.drop_table("login_counters")
    op.drop_index(op.f("ix_kept_answers_created_at"), table_name="kept_answers")
    op.drop_table("kept_answers")
    op.drop_table("installation")
    op.drop_index("ix_epochs_gaps", table_name="epochs", sqlite_where=sa.text("gaps"), postgresql_where=sa.text("gaps"))
    op.drop_table("epochs")
    op.drop_table("entries")
    op.drop_index(op.f("ix_devices_serial"), table_name="devices")
    op.drop_table("devices")
    op.drop_table("derivation_revisions")
    op.drop_table("counters")
    op.drop_index("ix_corrections_company_id_user_id", table_name="corrections")
    op.drop_table("corrections")
    op.drop_index(
        "uq_companies_name_key",
        table_name="companies",
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.drop_table("companies")
    op.drop_index("uq_boots_device_no_boot", table_name="boots")
    op.drop_table("boots")
    op.drop_table("batches")
    op.drop_table("anchors")
