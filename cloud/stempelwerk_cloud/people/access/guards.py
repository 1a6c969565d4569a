"""Guards: every endpoint declares who may call it, and the declaration is the check.

Each guard carries `who`, which stands as `x-who` in the OpenAPI document; a test walks all routes and fails on one
without a guard. None or an expired session is 401, another company's thing 404, a wrong role or a colleague's
thing 403. A guard reads in a short transaction of its own, before the endpoint's begins; what it let in to write is
judged again at that transaction's end, by `sessions.keep`.
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
from stempelwerk_cloud.kit.http.problems import Problem, forbidden, not_found, unauthorized
from stempelwerk_cloud.kit.http.routing import Anyone, DeviceOnly, Open
from stempelwerk_cloud.kit.http.schemas import canonical_id
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import looks, sessions
from stempelwerk_cloud.people.access.browsers import client_of
from stempelwerk_cloud.people.access.looks import LookKind
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import (
    ADMIN,
    COMPANY_ADMIN,
    USER,
    Caller,
    feature_keys,
    feature_off,
    is_founder,
)
from stempelwerk_cloud.people.directory.tables import Company, User

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
"""(session, id of a thing in any company) -> the company and the person that it belongs to."""


class Guard:
    """A dependency that yields the `Caller`, or refuses."""

    def __init__(
        self,
        audience: str,
        check: Check,
        modules: Collection[str] = (),
        rate: str | None = None,
        shows: LookKind | None = None,
        owner: Owner | None = None,
    ) -> None:
        unknown = set(modules) - set(directory.KEYS)
        if unknown:
            raise ValueError(f"there is no module {sorted(unknown)}")
        self.who = audience
        self.modules = tuple(modules)
        self.rate = rate
        self.shows = shows
        self._owner = owner
        self.in_turns = False
        self._check = check

    @property
    def module(self) -> str | None:
        """The module that the call belongs to; of several, any of which lets in, all, with "or" between."""
        return " or ".join(self.modules) or None

    def at_most(self, rate: str) -> "Guard":
        """The same guard before a call that has a limit of its own ("20/minute")."""
        guard = copy(self)
        guard.rate = rate
        return guard

    def showing(self, look_kind: LookKind, owner: Owner | None = None) -> "Guard":
        """The same guard before a call that shows somebody's times: that an administrator looks is written down.

        `owner` finds whose they are where the path names only a thing (`id`); else the path's `userId` says it.
        """
        guard = copy(self)
        guard.shows, guard._owner = look_kind, owner
        return guard

    def in_turn(self) -> "Guard":
        """The same guard before a call that reads much of the company in its path: one at a time for it."""
        guard = copy(self)
        guard.in_turns = True
        return guard

    def __call__(self, request: Request) -> Caller:
        return self._admit(request, lambda: _by_header(request))

    def before_body(self, request: Request) -> None:
        """Judges who asks while nothing of the body has been read (`kit/http/routing`)."""
        request.state.judged = self._authorize(request, _by_header(request))

    def _admit(self, request: Request, find_caller: Callable[[], Caller | None]) -> Caller:
        caller: Caller | None = getattr(request.state, "judged", None)
        if caller is None:
            caller = self._authorize(request, find_caller())
        request.state.caller = caller
        request.state.scope = scope_of(caller)
        request.state.judge_again = partial(self._recheck_access, caller)
        if self.shows is not None:
            self._note_look(request, caller, self.shows)
        return caller

    def _note_look(self, request: Request, caller: Caller, look_kind: LookKind) -> None:
        """Writes the look down. A thing that is not there, or another company's, is none: the call answers 404."""
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
        _platform(request).rates.spend(request, None if caller is None else caller.user_id, self.rate)
        if caller is None:
            raise unauthorized()
        if caller.role == ADMIN:
            caller = replace(caller, network=client_of(request).network)
        caller = self._check(request, caller)
        if self._asks_for_module(caller):
            with _platform(request).database.read(of_company(caller.company_id)) as session:
                self._need_module(session, caller)
        return caller

    def _recheck_access(self, caller: Caller, session: Session) -> None:
        """401 if the caller's access has ended since they were let in, 403 if the module was taken away."""
        sessions.keep(session, caller)
        if self._asks_for_module(caller):
            self._need_module(session, caller)

    def _asks_for_module(self, caller: Caller) -> bool:
        """Companies' administrators only ever reach their own company: its modules are asked for."""
        return bool(self.modules) and caller.role == COMPANY_ADMIN

    def _need_module(self, session: Session, caller: Caller) -> None:
        if feature_keys(session, caller.company_id).isdisjoint(self.modules):
            raise feature_off()


class QueryGuard(Guard):
    """A guard for what a browser opens without headers: takes a ticket in `?token=` as well."""

    def __call__(self, request: Request, token: Annotated[str | None, Query()] = None) -> Caller:
        return self._admit(request, lambda: _by_header(request) if token is None else _by_query(request, token))


class LogoutGuard:
    """A guard for logging out, which lets in without a session: who then names the hash of its token, ends it.

    The hash stands in the body, for the service to look at. A bearer is judged as everywhere.
    """

    def __init__(self) -> None:
        self.who = "session or its hash"
        self.rate = "300/minute"
        self._with_session = Guard(self.who, _any_session, rate=self.rate)

    def before_body(self, request: Request) -> None:
        """As a guard's where there is a session; else the call is counted when it is made."""
        if bearer(request) is not None:
            self._with_session.before_body(request)

    def __call__(self, request: Request) -> Caller | None:
        if bearer(request) is not None:
            return self._with_session(request)
        _platform(request).rates.spend(request, None, self.rate)
        request.state.scope = LOGIN
        return None


def scope_of(caller: Caller) -> Scope:
    """Whose rows the call may see."""
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
        raise Problem(403, "forbidden", "Das kann nur die Verwaltung der Firma selbst.")
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
    """`Administrators` of a company that has the module; system administrators in any case."""
    return Guard("company", _administrators, [module])


def own_company_with(module: str) -> Guard:
    """The same about the caller's own company alone: the call names no other. System administrators: the operator's."""
    return Guard("own company", _administrators, [module])


def of_company_with(*modules: str) -> Guard:
    """`OfCompany`, if the company has one of the modules; for system administrators in any case."""
    return Guard("company", _of_company, modules)


def of_company_admin_with(*modules: str) -> Guard:
    """The company's own administrators, if it has one of the modules, where any is named; no system administrators."""
    return Guard("companyAdmin", _of_company_admin, modules)


def of_company_or_council(*modules: str) -> Guard:
    """`OfCompany` with one of the modules, if any is named, or the company's works council, which needs none."""
    return Guard("company or council", _of_company_or_council, modules)


def member_of_with(module: str) -> Guard:
    """`MemberOf`; the company's administrators need the module, its employees never do."""
    return Guard("member", _member_of, [module])


def self_user_with(module: str) -> Guard:
    """`SelfUser`; the company's administrators need the module for others and for themselves."""
    return Guard("self", _self_user, [module])


def employee_or_administrator_with(module: str) -> Guard:
    """An employee about what is their own, or an administrator with the module about somebody of their company.

    The service must look whom it is about: an employee's own (a colleague's 403), else `caller.must_reach(company_id)`.
    """
    return Guard("user or company", _any_session, [module])


def employee_or_company_admin_with(module: str) -> Guard:
    """The same without system administrators, for what they must not read."""
    return Guard("user or companyAdmin", _user_or_company_admin, [module])


def file_reader_with(module: str) -> Guard:
    """`employee_or_company_admin_with` for a file that a browser opens by its address: also by ticket."""
    return QueryGuard("user or companyAdmin", _user_or_company_admin, [module])


def stream_of_company_with(module: str) -> Guard:
    """`of_company_with` for an event stream: also by ticket."""
    return QueryGuard("company", _of_company, [module])


employee = Guard("user", _employee)
Employee = Annotated[Caller, Depends(employee)]
"""Employees (role `user`), about what is their own; what belongs to a colleague the service refuses."""

stamping = Guard("stamping", _user_or_company_admin)
Stamping = Annotated[Caller, Depends(stamping)]
"""Whoever may have times of their own, about these: everybody but system administrators."""

TempOnly = Annotated[None, Depends(Open("temp", rate="300/minute"))]
"""Whoever holds the `temp_token` of a login that goes on; it stands in the body, and the service looks at it."""

any_session = Guard("session", _any_session)
AnySession = Annotated[Caller, Depends(any_session)]
"""Whoever is logged in."""

SessionOrHash = Annotated[Caller | None, Depends(LogoutGuard())]
"""Whoever is logged in; or, without a session, whoever names sessions by the hashes of their tokens, to end them."""

admin_only = Guard("admin", _admin_only)
AdminOnly = Annotated[Caller, Depends(admin_only)]
"""System administrators."""

administrators = Guard("company", _administrators)
Administrators = Annotated[Caller, Depends(administrators)]
"""Administrators, where the company is not in the path: the service must call `caller.must_reach(company_id)`."""

OfCompany = Annotated[Caller, Depends(Guard("company", _of_company))]
"""The companyAdmin of the company in the path (`companyId` or `id`), or a system administrator."""

MemberOf = Annotated[Caller, Depends(Guard("member", _member_of))]
"""Anybody of the company in the path (`companyId` or `id`), or a system administrator."""

self_user = Guard("self", _self_user)
SelfUser = Annotated[Caller, Depends(self_user)]
"""The user in the path (`userId`), their company's companyAdmin, or a system administrator."""

self_or_company_admin = Guard("self or companyAdmin", _self_or_company_admin)
"""The user in the path (`userId`) or their company's companyAdmin; no system administrator about anybody else."""

self_or_council = Guard("self or council", partial(_self_user, council=True))
SelfOrCouncil = Annotated[Caller, Depends(self_or_council)]
"""`SelfUser`, or the works council of the person's company. It is told no reasons (`Caller.is_council_about`)."""

council = Guard("council", _council)
Council = Annotated[Caller, Depends(council)]
"""The works council of the company in the path (`companyId` or `id`), and nobody else: no administrator either."""

that_user = Guard("that user", _that_user)
ThatUser = Annotated[Caller, Depends(that_user)]
"""The user in the path (`userId`) and nobody in their place: an administrator as a colleague is 403."""

StreamOfSelf = Annotated[Caller, Depends(QueryGuard("self", _self_user))]
"""`SelfUser` for an event stream: also by ticket."""
