"""For whom a transaction is: a company, or one of the few bypasses by which more than one company is seen.

Whoever opens a transaction says it. On PostgreSQL row level security keeps to it (`row_security.py`), whatever a query
forgets; on SQLite it has no effect. Each table names the bypasses that it admits besides its own company.
"""

from typing import Any, Literal, NamedTuple

Reach = Literal["select", "all"]
"""What a bypass lets through: reading alone, or everything."""


class Scope(NamedTuple):
    """`company`: whose rows are seen in any case; `bypass`: what more is seen. Both empty: no rows of any company."""

    company: str = ""
    bypass: str = ""


def of_company(company_id: str) -> Scope:
    """One company's own rows."""
    return Scope(company=company_id)


NOBODY = Scope()
"""No company's rows at all."""

LOGIN = Scope(bypass="login")
"""Finding the caller: companies by name, their modules, people, sessions, and rows of a login."""

DEVICES = Scope(bypass="devices")
"""The clocks' calls: a batch names devices, and which companies it concerns is known only afterwards."""

ADMIN = Scope(bypass="admin")
"""A system administrator's call."""

SYSTEM = Scope(bypass="house")  # the policies of standing databases call it so
"""The installation itself: its commands, its backup, and the work that comes round by itself."""

BYPASSES: dict[str, Reach] = {ADMIN.bypass: "all", SYSTEM.bypass: "all"}
"""The bypasses that every table admits.

A system administrator's call may concern any company and any module, and what the installation does for itself (backup,
restore, purging, migrations) concerns every row.
"""


def bypassed_by(*, login: Reach | None = None, devices: Reach | None = None) -> dict[str, Any]:
    """For a table's `__table_args__`: the bypasses besides `BYPASSES` by which its rows are seen across companies."""
    bypasses = {LOGIN.bypass: login, DEVICES.bypass: devices}
    return {"info": {"bypasses": {bypass: reach for bypass, reach in bypasses.items() if reach is not None}}}
