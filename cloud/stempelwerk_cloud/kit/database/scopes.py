"""For whom a transaction is: a company, or one of the few doors through which more than one company is seen.

Whoever opens a transaction says it. On PostgreSQL row level security keeps to it (`row_security.py`), whatever a query
forgets; on SQLite it has no effect. Each table names the doors that it opens to besides its own company.
"""

from typing import Any, Literal, NamedTuple

Reach = Literal["select", "all"]
"""What a door lets through: reading alone, or everything."""


class Scope(NamedTuple):
    """`company`: whose rows are seen, by any door; `door`: what more is seen. Both empty: no rows of any company."""

    company: str = ""
    door: str = ""


def of_company(company_id: str) -> Scope:
    """One company's own rows."""
    return Scope(company=company_id)


NOBODY = Scope()
"""No company's rows at all."""

LOGIN = Scope(door="login")
"""Finding out who is calling: companies by name, people, sessions, and what the steps of a login leave behind."""

DEVICES = Scope(door="devices")
"""The clocks' door: a batch names devices, and which companies it concerns is known only afterwards."""

ADMIN = Scope(door="admin")
"""A system administrator's call."""

HOUSE = Scope(door="house")
"""The installation itself: its commands, its backup, and the work that comes round by itself."""

DOORS: dict[str, Reach] = {ADMIN.door: "all", HOUSE.door: "all"}
"""The doors that every table opens to.

A system administrator's call may concern any company and any module, and what the installation does for itself (backup,
restore, purging, migrations) concerns every row.
"""


def opens_to(*, login: Reach | None = None, devices: Reach | None = None) -> dict[str, Any]:
    """For a table's `__table_args__`: the doors besides `DOORS` through which its rows are seen across companies."""
    doors = {LOGIN.door: login, DEVICES.door: devices}
    return {"info": {"doors": {door: reach for door, reach in doors.items() if reach is not None}}}
