"""Adds the index by which the stored answers of a person and a day are counted."""

from alembic import op

revision = "0043_kept_answers_of_person"
down_revision = "0041_leave_left_out"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_kept_answers_person", "kept_answers", ["company_id", "user_id", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_kept_answers_person", "kept_answers")
