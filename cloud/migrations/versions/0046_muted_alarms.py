"""Kinds of alarms that a company wants no mail of, in place of those that it wants: new kinds are mailed."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0046_muted_alarms"
down_revision = "0045_mail_declines"
branch_labels = None
depends_on = None

_KINDS = ("silent", "network", "few_stamps", "gap", "queue", "disk")


def upgrade() -> None:
    op.add_column("alarm_settings", sa.Column("muted", sa.Text(), server_default="[]", nullable=False))
    settings = sa.table("alarm_settings", sa.column("company_id"), sa.column("kinds"), sa.column("muted"))
    connection = op.get_bind()
    for company_id, kinds in connection.execute(sa.select(settings.c.company_id, settings.c.kinds)).all():
        muted = json.dumps([kind for kind in _KINDS if kind not in json.loads(kinds)])
        own = settings.c.company_id == company_id
        connection.execute(sa.update(settings).where(own).values(muted=muted))


def downgrade() -> None:
    # The release before answers no kind that it does not know.
    op.execute(sa.text("DELETE FROM alarms WHERE kind = 'reader'"))
    op.drop_column("alarm_settings", "muted")
