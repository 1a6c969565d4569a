"""Guards: every endpoint declares who may call it, and the declaration is the check.

Each guard carries `who`, which the OpenAPI document shows as `x-who`; a test walks all routes and fails on one without
a guard. A missing or expired session is 401, another company's thing 404, a wrong role or a colleague's thing 403. A
guard reads in a short transaction of its own, before the endpoint's transaction begins. Access to a writing call is
checked again at the end of its transaction, by `sessions.recheck_session`.
"""

from collections.abc import Callable, Collection
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Depends, Query, Request
from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.scopes import ADMIN as ADMINS
from stempelwerk_cloud.kit.database.scopes import LOGIN, Scope, of_company
from stempelwerk_cloud.kit.http.askers import bearer
from stempelwerk_cloud.kit.http.problems import forbidden, not_found, unauthorized
from stempelwerk_cloud.kit.http.routing import Anyone, DeviceOnly, SessionlessGuard
from stempelwerk_cloud.kit.http.schemas import canonical_id
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import looks
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.access.identity.browsers import client_of
from stempelwerk_cloud.people.access.looks import LookKind
from stempelwerk_cloud.people.access.words import not_by_system_administrators
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN, USER, Caller, life_of
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.directory.visibility import is_founder
from stempelwerk_cloud.people.directory.words import KEYS, feature_off

__all__ = [
    "AdminOnly",
    "Administrators",
    "AnySession",
    "Anyone",
    "Council",
    "DeviceOnly",
    "Employee",
    "MemberOf",
    "OfCompany",
    "SelfOrCouncil",
    "SelfUser",
    "SessionOrHash",
    "Stamping",
    "StreamOfSelf",
    "TempOnly",
    "ThatUser",
    "admin_only",
    "administrators",
    "administrators_with",
    "any_session",
    "council",
    "employee",
    "employee_or_administrator_with",
    "employee_or_company_admin_with",
    "file_reader_with",
    "member_of_with",
    "of_company_admin_with",
    "of_company_or_council",
    "of_company_with",
    "own_company_with",
    "self_or_company_admin",
    "self_or_council",
    "self_user",
    "self_user_with",
    "stamping",
    "stream_of_company_with",
    "that_user",
]

Check = Callable[[Request, Caller], Caller]


Owner = Callable[[Session, str], tuple[str, str] | None]
"""(session, id of a row in any company) -> the company and the person that the row belongs to; None if there is no such
row.
"""


class Guard:
    """A FastAPI dependency that authorizes the call and yields its `Caller`, or raises 401, 403, 404 or 429.

    `audience`: the allowed callers, shown as `x-who`. `check`: returns the caller, scoped to the call's company, or
    raises. `modules`: a company's administrator needs one of them. `rate`: the rate limit. `shows`, `owner`: see
    `showing`.
    """

    def __init__(
        self,
        audience: str,
        check: Check,
        modules: Collection[str] = (),
        rate: str | None = None,
        shows: LookKind | None = None,
        owner: Owner | None = None,
    ) -> None:
        unknown = set(modules) - set(KEYS)
        if unknown:
            raise ValueError(f"there is no module {sorted(unknown)}")
        self.who = audience
        self.modules = tuple(modules)
        self.rate, self.shared = rate, False
        self.shows = shows
        self._owner = owner
        self.in_turns = False
        self._check = check

    @property
    def module(self) -> str | None:
        """The module that the call belongs to; None without one. Several, each of which grants access, are joined with
        "or".
        """
        return " or ".join(self.modules) or None

    def at_most(self, rate: str, *, shared: bool = False) -> "Guard":
        """Returns a copy of the guard for a call with a rate limit of its own ("20/minute").

        `shared`: the limit counts for the installation, not for each process.
        """
        guard = copy(self)
        guard.rate, guard.shared = rate, shared
        return guard

    def showing(self, look_kind: LookKind, owner: Owner | None = None) -> "Guard":
        """Returns a copy of the guard for a call that shows a person's times: an administrator's access is written to
        the access log.

        `owner` finds the person if the path names only a row (`id`); otherwise the path's `userId` names them.
        """
        guard = copy(self)
        guard.shows, guard._owner = look_kind, owner
        return guard

    def in_turn(self) -> "Guard":
        """Returns a copy of the guard for a call that reads much of the company in its path: one such call at a time
        per company.
        """
        guard = copy(self)
        guard.in_turns = True
        return guard

    def __call__(self, request: Request) -> Caller:
        return self._admit(request, lambda: _by_header(request))

    def authorize_early(self, request: Request) -> None:
        """Authorizes the caller before any of the body is read (`kit/http/request_life.py`)."""
        life_of(request).authorize(self._authorize(request, _by_header(request)))

    def _admit(self, request: Request, find_caller: Callable[[], Caller | None]) -> Caller:
        life = life_of(request)
        caller = life.authorized_caller or self._authorize(request, find_caller())
        life.admit(caller, scope_of(caller), partial(self._recheck_access, caller))
        if self.shows is not None:
            self._note_look(request, caller, self.shows)
        return caller

    def _note_look(self, request: Request, caller: Caller, look_kind: LookKind) -> None:
        """Writes the read to the access log. A missing row, or another company's, is not logged: the call answers
        404.
        """
        user_id = request.path_params.get("userId")
        if self._owner is None:
            looks.note(_platform(request), caller, look_kind, user_id and canonical_id(user_id))
            return
        with _platform(request).database.read(scope_of(caller)) as session:
            owner = self._owner(session, canonical_id(request.path_params["id"]))
        if owner is not None and (caller.role == ADMIN or owner[0] == caller.company_id):
            company_id, user_id = owner
            looks.note(_platform(request), sessions.scope_to_company(caller, company_id), look_kind, user_id)

    def _authorize(self, request: Request, caller: Caller | None) -> Caller:
        user_id = None if caller is None else caller.user_id
        _platform(request).rates.spend(request, user_id, self.rate, shared=self.shared)
        if caller is None:
            raise unauthorized()
        if caller.role == ADMIN:
            caller = replace(caller, network=client_of(request).network)
        caller = self._check(request, caller)
        self._need_module(caller, caller.modules)
        return caller

    def _recheck_access(self, caller: Caller, session: Session) -> None:
        """Raises 401 if the caller's access has ended since the guard admitted them, 403 if the module was removed."""
        self._need_module(caller, sessions.recheck_session(session, caller))

    def _need_module(self, caller: Caller, company_modules: Collection[str]) -> None:
        """Raises 403 for an administrator whose company lacks all of the guard's modules. Only companies'
        administrators need one.

        They only reach their own company, so no other company's modules matter.
        """
        if self.modules and caller.role == COMPANY_ADMIN and not set(self.modules) & set(company_modules):
            raise feature_off()


class QueryGuard(Guard):
    """A guard for addresses that a browser opens without headers: it also accepts a ticket in `?token=`."""

    def __call__(self, request: Request, token: Annotated[str | None, Query()] = None) -> Caller:
        return self._admit(request, lambda: _by_header(request) if token is None else _by_query(request, token))


class LogoutGuard:
    """A guard for logging out. Without a session, the call ends the sessions whose token hashes it names.

    The hashes are in the body, for the service to check. A bearer token is checked as everywhere.
    """

    def __init__(self) -> None:
        self.who = "session or its hash"
        self.rate = "300/minute"
        self._with_session = Guard(self.who, _any_session, rate=self.rate)

    def authorize_early(self, request: Request) -> None:
        """Authorizes the caller if there is a session. Without one, the call is counted later, when the guard is
        called.
        """
        if bearer(request) is not None:
            self._with_session.authorize_early(request)

    def __call__(self, request: Request) -> Caller | None:
        if bearer(request) is not None:
            return self._with_session(request)
        _platform(request).rates.spend(request, None, self.rate)
        life_of(request).scope = LOGIN
        return None


def scope_of(caller: Caller) -> Scope:
    """Returns the row scope of the caller's transactions: all companies for a system administrator, else the call's
    company.
    """
    return ADMINS if caller.role == ADMIN else of_company(caller.subject_company_id)


def _platform(request: Request) -> Platform:
    platform: Platform = request.app.state.platform
    return platform


def _by_header(request: Request) -> Caller | None:
    token = bearer(request)
    return None if token is None else _by_session(request, token)


def _by_session(request: Request, token: str) -> Caller | None:
    platform = _platform(request)
    now = platform.clock.now()
    with platform.database.read(LOGIN) as session:
        live_caller = sessions.caller_of(session, token, now)
    if live_caller is None:
        return None
    caller, last_seen = live_caller
    platform.askers.learn(token, caller.company_id, caller.user_id)
    if now - last_seen >= sessions.SEEN_EVERY:
        with platform.database.write(LOGIN) as session:
            sessions.note_seen(session, caller, now)
    return caller


def _by_query(request: Request, token: str) -> Caller | None:
    platform = _platform(request)
    with platform.database.write(LOGIN) as session:
        caller = sessions.caller_of_ticket(session, token, request.url.path, platform.clock.now())
    if caller is None and platform.settings.query_sessions:
        return _by_session(request, token)
    return caller


def _path_company(request: Request) -> str:
    parameters = request.path_params
    company_id = canonical_id(parameters.get("companyId") or parameters["id"])
    with _platform(request).database.read(LOGIN) as session:
        open_company_id = session.scalar(
            select(Company.id).where(Company.id == company_id, Company.closed_at.is_(None))
        )
    if open_company_id is None:
        raise not_found()
    return company_id


def _any_session(_request: Request, caller: Caller) -> Caller:
    return caller


def _admin_only(_request: Request, caller: Caller) -> Caller:
    if caller.role != ADMIN:
        raise forbidden()
    return caller


def _administrators(_request: Request, caller: Caller) -> Caller:
    if caller.role not in {ADMIN, COMPANY_ADMIN}:
        raise forbidden()
    return caller


def _member_of(request: Request, caller: Caller) -> Caller:
    company_id = canonical_id(request.path_params.get("companyId") or request.path_params["id"])
    if caller.role == ADMIN:
        return sessions.scope_to_company(caller, _path_company(request))
    if company_id != caller.company_id:
        raise not_found()
    return caller


def _of_company(request: Request, caller: Caller) -> Caller:
    return _administrators(request, _member_of(request, caller))


def _of_company_admin(request: Request, caller: Caller) -> Caller:
    scoped_caller = _of_company(request, caller)
    if caller.role == ADMIN:
        raise not_by_system_administrators()
    return scoped_caller


def _of_company_or_council(request: Request, caller: Caller) -> Caller:
    scoped_caller = _member_of(request, caller)
    return scoped_caller if caller.works_council else _administrators(request, scoped_caller)


def _council(request: Request, caller: Caller) -> Caller:
    scoped_caller = _member_of(request, caller)
    if not caller.works_council:
        raise forbidden()
    return scoped_caller


def _self_user(request: Request, caller: Caller, *, council: bool = False) -> Caller:
    user_id = canonical_id(request.path_params["userId"])
    if user_id == caller.user_id:
        return caller
    with _platform(request).database.read(LOGIN) as session:
        query = select(User.company_id, User.role).join(Company, Company.id == User.company_id)
        person = session.execute(query.where(User.id == user_id, Company.closed_at.is_(None))).first()
        hidden = person is not None and person.role == ADMIN and not is_founder(session, caller)
    if person is None or hidden:
        raise not_found()
    if not (council and caller.works_council and person.company_id == caller.company_id):
        caller.must_reach(person.company_id)
    return sessions.scope_to_company(caller, person.company_id)


def _self_or_company_admin(request: Request, caller: Caller) -> Caller:
    scoped_caller = _self_user(request, caller)
    if caller.role == ADMIN and canonical_id(request.path_params["userId"]) != caller.user_id:
        raise forbidden()
    return scoped_caller


def _that_user(request: Request, caller: Caller) -> Caller:
    scoped_caller = _self_user(request, caller)
    if canonical_id(request.path_params["userId"]) != caller.user_id:
        raise forbidden()
    return scoped_caller


def _employee(_request: Request, caller: Caller) -> Caller:
    if caller.role != USER:
        raise forbidden()
    return caller


def _user_or_company_admin(_request: Request, caller: Caller) -> Caller:
    if caller.role == ADMIN:
        raise forbidden()
    return caller


def administrators_with(module: str) -> Guard:
    """Creates `Administrators` for companies with the module; system administrators are always admitted."""
    return Guard("company", _administrators, [module])


def own_company_with(module: str) -> Guard:
    """Creates `administrators_with` for the caller's own company only, because the call names no other. For system
    administrators that is the operator's company.
    """
    return Guard("own company", _administrators, [module])


def of_company_with(*modules: str) -> Guard:
    """Creates `OfCompany` for companies with one of the modules; system administrators are always admitted."""
    return Guard("company", _of_company, modules)


def of_company_admin_with(*modules: str) -> Guard:
    """Creates the guard for the company's own administrators, with one of the modules if any is named.

    Refuses system administrators.
    """
    return Guard("companyAdmin", _of_company_admin, modules)


def of_company_or_council(*modules: str) -> Guard:
    """Creates `OfCompany` with one of the modules, if any is named. Also admits the works council, without a module."""
    return Guard("company or council", _of_company_or_council, modules)


def member_of_with(module: str) -> Guard:
    """Creates `MemberOf` where the company's administrators need the module; its employees never do."""
    return Guard("member", _member_of, [module])


def self_user_with(module: str) -> Guard:
    """Creates `SelfUser` where the company's administrators need the module for others and for themselves."""
    return Guard("self", _self_user, [module])


def employee_or_administrator_with(module: str) -> Guard:
    """Creates a guard that admits an employee about their own data, or an administrator with the module about a person
    of their company.

    The service must check the person: an employee's own data (a colleague's: 403), else
    `caller.must_reach(company_id)`.
    """
    return Guard("user or company", _any_session, [module])


def employee_or_company_admin_with(module: str) -> Guard:
    """Creates the same guard without system administrators, for what they must not read."""
    return Guard("user or companyAdmin", _user_or_company_admin, [module])


def file_reader_with(module: str) -> Guard:
    """Creates `employee_or_company_admin_with` for a file that a browser opens by its address: also by ticket."""
    return QueryGuard("user or companyAdmin", _user_or_company_admin, [module])


def stream_of_company_with(module: str) -> Guard:
    """Creates `of_company_with` for an event stream: also by ticket."""
    return QueryGuard("company", _of_company, [module])


employee = Guard("user", _employee)
Employee = Annotated[Caller, Depends(employee)]
"""Employees (role `user`), about their own data; the service must refuse a colleague's data."""

stamping = Guard("stamping", _user_or_company_admin)
Stamping = Annotated[Caller, Depends(stamping)]
"""Every role that may have recorded times, about their own times: all but system administrators."""

TempOnly = Annotated[None, Depends(SessionlessGuard("temp", rate="300/minute"))]
"""A client with the `temp_token` of an unfinished login. The token is in the body, and the service checks it."""

any_session = Guard("session", _any_session)
AnySession = Annotated[Caller, Depends(any_session)]
"""Every logged-in person."""

SessionOrHash = Annotated[Caller | None, Depends(LogoutGuard())]
"""Every logged-in person; or, without a session, a client that ends sessions by the hashes of their tokens."""

admin_only = Guard("admin", _admin_only)
AdminOnly = Annotated[Caller, Depends(admin_only)]
"""System administrators."""

administrators = Guard("company", _administrators)
Administrators = Annotated[Caller, Depends(administrators)]
"""Administrators, where the company is not in the path: the service must call `caller.must_reach(company_id)`."""

OfCompany = Annotated[Caller, Depends(Guard("company", _of_company))]
"""The companyAdmin of the company in the path (`companyId` or `id`), or a system administrator."""

MemberOf = Annotated[Caller, Depends(Guard("member", _member_of))]
"""Every person of the company in the path (`companyId` or `id`), or a system administrator."""

self_user = Guard("self", _self_user)
SelfUser = Annotated[Caller, Depends(self_user)]
"""The user in the path (`userId`), their company's companyAdmin, or a system administrator."""

self_or_company_admin = Guard("self or companyAdmin", _self_or_company_admin)
"""The user in the path (`userId`) or their company's companyAdmin. System administrators only about themselves."""

self_or_council = Guard("self or council", partial(_self_user, council=True))
SelfOrCouncil = Annotated[Caller, Depends(self_or_council)]
"""`SelfUser`, or the works council of the person's company, which sees no reasons (`Caller.is_council_about`)."""

council = Guard("council", _council)
Council = Annotated[Caller, Depends(council)]
"""Only the works council of the company in the path (`companyId` or `id`), not even an administrator."""

that_user = Guard("that user", _that_user)
ThatUser = Annotated[Caller, Depends(that_user)]
"""Only the user in the path (`userId`): an administrator is refused like a colleague (403)."""

StreamOfSelf = Annotated[Caller, Depends(QueryGuard("self", _self_user))]
"""`SelfUser` for an event stream: also by ticket."""
