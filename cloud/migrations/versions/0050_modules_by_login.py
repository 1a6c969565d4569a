"""The policy that lets the scope `login` read the modules of companies.

Policies follow every migration (`kit/database/row_security.py`). This one changes no table: with it, a service refuses
a database whose policies are older.
"""

revision = "0050_modules_by_login"
down_revision = "0049_adopted_stamps"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Changes no table."""


def downgrade() -> None:
    """Changes no table."""
