"""What stays of companies that are purged, the archives they took, and a way out of the audit log for them alone;
and what stays of times that have gone year by year."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0036_company_ends"
down_revision = "0035_rollout_platforms"
branch_labels = None
depends_on = None

_STAYS = "audit_entries: what is written stays"

# The service has no right to delete there; this function has its owner's, and the trigger wants a tombstone.
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION audit_entries_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM tombstones WHERE company_id = OLD.company_id) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '{_STAYS}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE FUNCTION bury_audit_entries(company uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
  SET search_path FROM CURRENT AS $$ DELETE FROM audit_entries WHERE company_id = company $$;
"""  # noqa: S608 -- no values
_POSTGRESQL_BEFORE = f"""
DROP FUNCTION bury_audit_entries(uuid);
CREATE OR REPLACE FUNCTION audit_entries_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{_STAYS}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""


def _sqlite(condition: str) -> None:
    op.execute("DROP TRIGGER audit_entries_undeleted")
    op.execute(
        f"CREATE TRIGGER audit_entries_undeleted BEFORE DELETE ON audit_entries {condition}"
        f" BEGIN SELECT RAISE(ABORT, '{_STAYS}'); END"
    )


def upgrade() -> None:
    op.create_table(
        "tombstones",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("purged_at", columns.Instant(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_tombstones")),
    )
    op.create_table(
        "buried_assignments",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("late", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_buried_assignments_company_id_companies")
        ),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_buried_assignments")),
    )
    op.create_index("ix_buried_assignments_id", "buried_assignments", ["id"])
    op.create_table(
        "company_archives",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("begun_at", columns.Instant(), nullable=False),
        sa.Column("begun_by", columns.Id(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("ended_at", columns.Instant(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_company_archives")),
    )
    op.create_table(
        "purged_times",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("before", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_purged_times")),
    )
    op.add_column("kept_balances", sa.Column("is_final", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("person_numbers", sa.Column("first_day", sa.Date(), nullable=True))
    if op.get_context().dialect.name == "postgresql":
        op.execute(_POSTGRESQL)
    else:
        _sqlite("WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE company_id = OLD.company_id)")


def downgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute(_POSTGRESQL_BEFORE)
    else:
        _sqlite("")
    op.drop_column("person_numbers", "first_day")
    op.drop_column("kept_balances", "is_final")
    op.drop_table("purged_times")
    op.drop_table("company_archives")
    op.drop_table("buried_assignments")
    op.drop_table("tombstones")
