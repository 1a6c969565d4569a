"""Callers: their roles, and the caller that a guard passes to an endpoint."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from fastapi import Request

from stempelwerk_cloud.kit.http import request_life
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.kit.http.request_life import RequestLife

Role = Literal["user", "companyAdmin", "admin"]
USER: Role = "user"
COMPANY_ADMIN: Role = "companyAdmin"
ADMIN: Role = "admin"


@dataclass(frozen=True, slots=True)
class Caller:
    """A person with a live session.

    `company_id` is their own company; `subject_company_id` the one that the call is about, which a guard has
    checked: the company of the path, or that of the user in the path, else their own. `works_council`: an employee who
    reads more of their own company than others do (`people/access/guards.py`). `network`: where a system administrator
    calls from, shortened, for the operator log. `modules`: those of their own company when the guard admitted them.
    """

    user_id: str
    company_id: str
    role: Role
    session_id: str
    username: str
    opened_at: datetime
    expires_at: datetime
    subject_company_id: str
    works_council: bool = False
    network: str = ""
    modules: frozenset[str] = frozenset()

    def is_council_about(self, user_id: str) -> bool:
        """Returns whether the caller reads about a colleague as the works council, which sees no costs, reasons and
        sick notes.
        """
        return self.works_council and user_id != self.user_id

    def must_reach(self, company_id: str) -> None:
        """Checks that the caller may manage data of this company: raises 404 for another company's, 403 for
        employees.
        """
        if self.role == ADMIN:
            return
        if company_id != self.company_id:
            raise not_found()
        if self.role != COMPANY_ADMIN:
            raise forbidden()


def life_of(request: Request) -> RequestLife[Caller]:
    """Returns the life of a request, whose caller a guard admitted (`people/access/guards.py`).

    FastAPI runs the dependencies of a call in the order of its parameters, so the guard must precede those that use its
    caller.
    """
    return cast("RequestLife[Caller]", request_life.life_of(request))


def admitted_caller(request: Request) -> Caller:
    """Returns the caller that the call's guard admitted, for a dependency after the guard."""
    caller = life_of(request).caller
    assert caller is not None, "the guard precedes what uses its caller"
    return caller
