"""The log of what operators did."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0048_operator_log"
down_revision = "0047_clock_faults"
branch_labels = None
depends_on = None

_POSTGRESQL = """
CREATE OR REPLACE FUNCTION operator_log_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_log: what is written stays' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER operator_log_unchanged BEFORE UPDATE ON operator_log
  FOR EACH ROW EXECUTE FUNCTION operator_log_is_final();
"""

# REPLACE overwrites a row without firing the trigger of UPDATE, so an INSERT with a known id is refused too.
_SQLITE = (
    "CREATE TRIGGER operator_log_unchanged BEFORE UPDATE ON operator_log"
    " BEGIN SELECT RAISE(ABORT, 'operator_log: what is written stays'); END",
    "CREATE TRIGGER operator_log_unreplaced BEFORE INSERT ON operator_log WHEN EXISTS"
    " (SELECT 1 FROM operator_log WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'operator_log: what is written stays'); END",
)


def upgrade() -> None:
    op.create_table(
        "operator_log",
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("actor", columns.Id(), nullable=True),
        sa.Column("actor_name", sa.String(length=200), nullable=False),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("company", columns.Id(), nullable=True),
        sa.Column("company_name", sa.String(length=200), nullable=True),
        sa.Column("subject", sa.String(length=100), nullable=True),
        sa.Column("entry", columns.Id(), nullable=True),
        sa.Column("network", sa.String(length=50), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_log")),
    )
    op.create_index("ix_operator_log_at", "operator_log", ["at", "id"])
    if op.get_context().dialect.name == "postgresql":
        op.execute(_POSTGRESQL)
    else:
        for statement in _SQLITE:
            op.execute(statement)


def downgrade() -> None:
    # The release before answers no kind that it does not know.
    op.execute(sa.text("DELETE FROM alarms WHERE kind IN ('expiring', 'expired')"))
    op.drop_table("operator_log")
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION operator_log_is_final()")
