"""The audit log: entries that nothing can change, and the words that stand beside them."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0003_audit"
down_revision = "0002_accounts"
branch_labels = None
depends_on = None

_POSTGRESQL = """
CREATE OR REPLACE FUNCTION audit_entries_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_entries: what is written stays' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_entries_are_final BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_are_final();
CREATE TRIGGER audit_entries_stay BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_are_final();
"""

# REPLACE deletes rows without asking the triggers of DELETE, so an INSERT over what is there is refused as well.
_SQLITE = (
    "CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries"
    " BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END",
    "CREATE TRIGGER audit_entries_undeleted BEFORE DELETE ON audit_entries"
    " BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END",
    "CREATE TRIGGER audit_entries_unreplaced BEFORE INSERT ON audit_entries WHEN EXISTS"
    " (SELECT 1 FROM audit_entries WHERE company_id = NEW.company_id AND (no = NEW.no OR id = NEW.id))"
    " BEGIN SELECT RAISE(ABORT, 'audit_entries: what is written stays'); END",
)


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("actor", columns.Id(), nullable=True),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=100), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "no", name=op.f("pk_audit_entries")),
    )
    op.create_index("uq_audit_entries_company_id_id", "audit_entries", ["company_id", "id"], unique=True)
    op.create_index("ix_audit_entries_company_id_at", "audit_entries", ["company_id", "at"])
    op.create_index("ix_audit_entries_company_id_action", "audit_entries", ["company_id", "action"])
    op.create_table(
        "audit_words",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("about", sa.String(length=100), nullable=True),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_audit_words")),
    )
    op.create_index("ix_audit_words_company_id_about", "audit_words", ["company_id", "about"])
    if op.get_context().dialect.name == "postgresql":
        op.execute(_POSTGRESQL)
    else:
        for statement in _SQLITE:
            op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit_words")
    op.drop_table("audit_entries")
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_entries_are_final()")
