"""For whom a transaction is: a company, or one of the few doors through which more than one company is seen.

Whoever opens a transaction says it. On PostgreSQL row level security keeps to it (`kit/walls.py`), whatever a query
forgets; on SQLite it has no effect. Each table names the doors that it opens to besides its own company.
"""

from typing import NamedTuple


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
