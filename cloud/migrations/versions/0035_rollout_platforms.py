"""For which platforms a rollout is; those that there are, for all that their versions have now."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0035_rollout_platforms"
down_revision = "0034_rollouts_at_once"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rollouts", sa.Column("platforms", sa.Text(), nullable=False, server_default="[]"))
    connection, found = op.get_bind(), {}
    targets = sa.text("SELECT channel, version, platform FROM update_targets WHERE platform IS NOT NULL ORDER BY platform")
    for channel, version, platform in connection.execute(targets):
        found.setdefault((channel, version), []).append(platform)
    for (channel, version), platforms in found.items():
        connection.execute(
            sa.text("UPDATE rollouts SET platforms = :platforms WHERE channel = :channel AND version = :version"),
            {"platforms": json.dumps(platforms), "channel": channel, "version": version},
        )


def downgrade() -> None:
    op.drop_column("rollouts", "platforms")
