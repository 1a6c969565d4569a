"""A company's zone is one that browsers know. Any other name becomes the zone that companies begin with."""

import json
from importlib.resources import files

import sqlalchemy as sa
from alembic import op

revision = "0011_zones"
down_revision = "0010_inquiries"
branch_labels = None
depends_on = None

_SETTINGS = sa.table("company_settings", *map(sa.column, ("setting", "value")))


def upgrade() -> None:
    known = [json.dumps(name) for name in (files("tzdata") / "zones").read_text().split() if name != "Factory"]
    others = (_SETTINGS.c.setting == "time_zone") & _SETTINGS.c.value.not_in(known)
    op.get_bind().execute(_SETTINGS.update().where(others).values(value=json.dumps("Europe/Berlin")))


def downgrade() -> None:
    """The zones of before are not known any more."""
