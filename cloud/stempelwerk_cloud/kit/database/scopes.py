"""The scope of a transaction: a company, or one of the few bypasses that show more than one company.

The opener of a transaction states it. On PostgreSQL row level security enforces it (`row_security.py`), whatever a
query forgets; on SQLite it has no effect. Each table names the bypasses that it admits in addition to its own company.
"""

from typing import Any, Literal, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.slots import Slot

Reach = Literal["select", "all"]
"""The statements that a bypass permits: reading only, or all."""


class Scope(NamedTuple):
    """`company`: the company whose rows are visible; `bypass`: extends it. Both empty: no rows of any company."""

    company: str = ""
    bypass: str = ""


def of_company(company_id: str) -> Scope:
    """Returns the scope of one company's own rows."""
    return Scope(company=company_id)


NOBODY = Scope()
"""The scope that shows no company's rows at all."""

LOGIN = Scope(bypass="login")
"""The scope for finding the caller: across companies it shows their names and modules, people, sessions, and rows of
logins.
"""

DEVICES = Scope(bypass="devices")
"""The scope of clocks' calls: a batch names devices, and only its content shows which companies it concerns."""

ADMIN = Scope(bypass="admin")
"""The scope of a system administrator's call."""

SYSTEM = Scope(bypass="house")  # the policies of standing databases call it so
"""The scope of the installation itself: its commands, its backup, and its scheduled jobs."""


class Conditions(NamedTuple):
    """The conditions of a session's transaction, fixed when it begins.

    `takes_locks`: False for one that commits nothing. `reads_only`: the database refuses to write in it.
    """

    scope: Scope = NOBODY
    takes_locks: bool = True
    reads_only: bool = False


CONDITIONS: Slot[Session, Conditions] = Slot(lambda _: Conditions())

BYPASSES: dict[str, Reach] = {ADMIN.bypass: "all", SYSTEM.bypass: "all"}
"""The bypasses that every table admits.

A system administrator's call may concern any company and any module, and what the installation does for itself (backup,
restore, purging, migrations) concerns every row.
"""


def bypassed_by(*, login: Reach | None = None, devices: Reach | None = None) -> dict[str, Any]:
    """Returns a table's `__table_args__`: the bypasses that show its rows across companies, besides `BYPASSES`."""
    bypasses = {LOGIN.bypass: login, DEVICES.bypass: devices}
    return {"info": {"bypasses": {bypass: reach for bypass, reach in bypasses.items() if reach is not None}}}
