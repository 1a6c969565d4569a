"""Names that differ only by what cannot be seen are one name; a pause at an address keeps a place for who waited."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import regex
import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns
from stempelwerk_cloud.kit.database.schema import MigrationRefused

revision = "0005_name_keys"
down_revision = "0004_clock_names"
branch_labels = None
depends_on = None

# As `people/names.py` had it at this revision.
_BLANK = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]--[\s\x1c-\x1f]]", regex.V1)

_COMPANIES = sa.table(
    "companies",
    sa.column("id", columns.Id()),
    sa.column("name", sa.String()),
    sa.column("name_key", sa.String()),
    sa.column("closed_at", columns.Instant()),
)
_USERS = sa.table(
    "users",
    sa.column("company_id", columns.Id()),
    sa.column("id", columns.Id()),
    sa.column("username", sa.String()),
    sa.column("username_key", sa.String()),
    sa.column("deleted_at", columns.Instant()),
)

_ADVICE = """\
Nothing was changed. From this release on, names that differ only by characters that cannot be seen are one name, and a
name needs something that can be seen. These cannot go on as they are (<U+…> stands for such a character):
{named}
Start the release that ran before, give all but one of each another name or delete them, and then do this again. How,
also for companies and protected people, is said in docs/operations.md under "Names that look the same"."""


class _Named(NamedTuple):
    """A row that has a name; `within` is the company where it must be the only one of that name."""

    within: str
    id: str
    name: str
    key: str
    ended: bool


def upgrade() -> None:
    connection = op.get_bind()
    companies = [
        _Named("", *row) for row in connection.execute(sa.select(*_COMPANIES.c[:3], _COMPANIES.c.closed_at.is_not(None)))
    ]
    people = [_Named(*row) for row in connection.execute(sa.select(*_USERS.c[:4], _USERS.c.deleted_at.is_not(None)))]
    titles = {company.id: _marked(company.name) for company in companies}
    refused = [
        *(f"  company {_listed(same)}" for same in _indistinct(companies)),
        *(f"  login {_listed(same)} of {titles[same[0].within]}" for same in _indistinct(people)),
    ]
    if refused:
        raise MigrationRefused(_ADVICE.format(named="\n".join(refused)))
    for company in _changed(companies):
        values = {"name": _shown(company.name), "name_key": _key(company.name)}
        connection.execute(_COMPANIES.update().where(_COMPANIES.c.id == company.id).values(**values))
    for person in _changed(people):
        values = {"username": _shown(person.name), "username_key": _key(person.name)}
        whose = (_USERS.c.company_id == person.within) & (_USERS.c.id == person.id)
        connection.execute(_USERS.update().where(whose).values(**values))
    op.add_column("login_counters", sa.Column("knocks", sa.Integer(), server_default="0", nullable=False))
    op.add_column("login_counters", sa.Column("turn", sa.LargeBinary(length=32), nullable=True))


def downgrade() -> None:
    op.drop_column("login_counters", "turn")
    op.drop_column("login_counters", "knocks")


def _indistinct(rows: Iterable[_Named]) -> list[list[_Named]]:
    """Those in use that would share a name, and each whose name shows nothing. Who has ended is in nobody's way."""
    by_key: dict[tuple[str, str], list[_Named]] = defaultdict(list)
    for row in rows:
        if not row.ended:
            by_key[row.within, _key(row.name)].append(row)
    return [same for (_, key), same in sorted(by_key.items()) if len(same) > 1 or not key]


def _changed(rows: Iterable[_Named]) -> list[_Named]:
    return [row for row in rows if (row.name, row.key) != (_shown(row.name), _key(row.name))]


def _listed(same: Sequence[_Named]) -> str:
    return " and ".join(f"{_marked(row.name)} ({row.id})" for row in sorted(same, key=lambda row: row.id))


def _marked(name: str) -> str:
    """The name with what cannot be seen spelled out."""
    return '"' + _BLANK.sub(lambda found: f"<U+{ord(found[0]):04X}>", name) + '"'


def _shown(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", _BLANK.sub("", name)).split())


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", _shown(name)).casefold()
