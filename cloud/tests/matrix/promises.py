"""The expected answer to each kind of caller, computed from a call's declaration (callers, module, path), never per
call.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from fastapi import FastAPI
from fastapi.routing import APIRoute
from stempelwerk_cloud.kit.http.routing import module_of, who_of
from stempelwerk_cloud.kit.live.hub import EventStream

Kind = Literal["nobody", "user", "companyAdmin", "admin", "device"]


class Actor(NamedTuple):
    """A caller. `relation` refers to the company and the person of the call."""

    name: str
    kind: Kind
    relation: Literal["self", "colleague", "own", "other", "operator", ""] = ""
    has_module: bool = True
    council: bool = False


ANONYMOUS = Actor("anonymous", "nobody")
EXPIRED = Actor("an expired session", "nobody")
LOCKED = Actor("a locked user", "nobody")
SELF = Actor("the user", "user", "self")
COLLEAGUE = Actor("a colleague", "user", "colleague")
STRANGER = Actor("a user of another company", "user", "other")
COUNCIL = Actor("the works council", "user", "colleague", council=True)
OTHER_COUNCIL = Actor("another company's works council", "user", "other", council=True)
BOSS = Actor("the company's administrator", "companyAdmin", "own")
OTHER_BOSS = Actor("another company's administrator", "companyAdmin", "other")
SWITCHED_OFF = Actor("the company's administrator without any module", "companyAdmin", "own", has_module=False)
ADMIN = Actor("a system administrator", "admin", "operator")
FOUNDER = Actor("a founder", "admin", "operator")
DEVICE = Actor("the company's clock", "device", "own")
STRANGE_DEVICE = Actor("a clock that nobody enrolled", "device", "other")
HOLDER = Actor("whoever holds the temp_token", "nobody", "self")
"""The holder of an unfinished login, only for calls of `temp`."""

ACTORS = (
    ANONYMOUS,
    EXPIRED,
    LOCKED,
    SELF,
    COLLEAGUE,
    STRANGER,
    COUNCIL,
    OTHER_COUNCIL,
    BOSS,
    OTHER_BOSS,
    SWITCHED_OFF,
    ADMIN,
    FOUNDER,
    DEVICE,
    STRANGE_DEVICE,
)


class Refusal(NamedTuple):
    status: int
    code: str


NO_SESSION = Refusal(401, "unauthorized")
WRONG_ROLE = Refusal(403, "forbidden")
NOT_THERE = Refusal(404, "not_found")
MODULE_OFF = Refusal(403, "feature_off")
NO_LOGIN = Refusal(401, "login_expired")
UNSIGNED = Refusal(401, "bad_signature")
UNKNOWN_DEVICE = Refusal(401, "unknown_device")


@dataclass(frozen=True)
class Call:
    """A call as it is declared."""

    method: str
    path: str
    who: str
    module: str | None
    route: APIRoute

    @property
    def names_company(self) -> bool:
        """Whether the path contains the company."""
        return "{companyId}" in self.path or self.path.startswith("/api/companies/{id}")

    @property
    def is_stream(self) -> bool:
        """Whether the answer goes on for as long as the session."""
        return self.route.response_class is EventStream

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def calls(app: FastAPI) -> list[Call]:
    """Every call of the application."""
    found = []
    for route in app.routes:
        if isinstance(route, APIRoute):
            (who,) = who_of(route.dependant)
            module = module_of(route.dependant)
            found += [Call(method, route.path, who, module, route) for method in sorted(route.methods or ())]
    return found


def parameters(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def promised(call: Call, actor: Actor) -> Refusal | None:
    """Returns the refusal that the declaration demands, or None for an admitted actor."""
    if call.who in OPEN:
        return OPEN[call.who](call, actor)
    assert call.who in GUARDED, f"{call}: say in promises.GUARDED what the declaration {call.who!r} promises."
    return NO_SESSION if actor.kind in {"nobody", "device"} else GUARDED[call.who](call, actor)


def _to_a_clock_only(call: Call, actor: Actor) -> Refusal | None:
    if actor.kind == "device":
        return UNKNOWN_DEVICE if actor is STRANGE_DEVICE and call.path != "/api/devices/enroll" else None
    # An expired session is still a bearer token.
    return UNSIGNED if actor is ANONYMOUS else NO_SESSION


def _to_whoever_names_a_session(_call: Call, actor: Actor) -> Refusal | None:
    # Without a bearer the session is in the body. A bearer must be valid.
    return NO_SESSION if actor in (EXPIRED, LOCKED) else None


def _to_administrators(call: Call, actor: Actor) -> Refusal | None:
    if actor.kind == "user":
        return NOT_THERE if actor.relation == "other" and call.names_company else WRONG_ROLE
    if actor.relation == "other":
        return NOT_THERE
    return MODULE_OFF if call.module is not None and not actor.has_module else None


def _to_the_companys_administrators(call: Call, actor: Actor) -> Refusal | None:
    return WRONG_ROLE if actor.kind == "admin" else _to_administrators(call, actor)


def _to_administrators_about_their_own(call: Call, actor: Actor) -> Refusal | None:
    if actor.kind == "user":
        return WRONG_ROLE
    return MODULE_OFF if call.module is not None and not actor.has_module else None


def _to_oneself(call: Call, actor: Actor) -> Refusal | None:
    if actor.relation == "other":
        return NOT_THERE
    if call.module is not None and not actor.has_module:
        return MODULE_OFF
    return WRONG_ROLE if actor.relation == "colleague" else None


def _to_oneself_and_the_companys_own(call: Call, actor: Actor) -> Refusal | None:
    return WRONG_ROLE if actor.kind == "admin" else _to_oneself(call, actor)


def _to_oneself_and_the_council(call: Call, actor: Actor) -> Refusal | None:
    return None if actor.council and actor.relation != "other" else _to_oneself(call, actor)


def _to_administrators_and_the_council(call: Call, actor: Actor) -> Refusal | None:
    return None if actor.council and actor.relation != "other" else _to_administrators(call, actor)


def _to_the_council(_call: Call, actor: Actor) -> Refusal | None:
    if actor.relation == "other":
        return NOT_THERE
    return None if actor.council else WRONG_ROLE


def _to_nobody_else(call: Call, actor: Actor) -> Refusal | None:
    return _to_oneself(call, actor) or (None if actor.relation == "self" else WRONG_ROLE)


def _to_members(call: Call, actor: Actor) -> Refusal | None:
    if actor.relation == "other":
        return NOT_THERE
    return MODULE_OFF if call.module is not None and not actor.has_module else None


def _to_system_administrators(_call: Call, actor: Actor) -> Refusal | None:
    return None if actor.kind == "admin" else WRONG_ROLE


def _to_employees(call: Call, actor: Actor) -> Refusal | None:
    """About what is their own: a thing of the path may be a colleague's, or another company's."""
    if actor.kind != "user":
        return WRONG_ROLE
    return _to_oneself(call, actor) if parameters(call.path) else None


def _to_whoever_stamps(call: Call, actor: Actor) -> Refusal | None:
    """About what is their own, employees and companies' administrators alike."""
    if actor.kind == "admin":
        return WRONG_ROLE
    if not parameters(call.path) or actor.relation == "self":
        return None
    return NOT_THERE if actor.relation == "other" else WRONG_ROLE


def _to_employees_and_administrators(call: Call, actor: Actor) -> Refusal | None:
    if actor.kind == "user":
        return _to_oneself(call, actor) if parameters(call.path) else None
    if call.module is not None and not actor.has_module:
        return MODULE_OFF
    return NOT_THERE if actor.relation == "other" else None


def _to_the_companys_own(call: Call, actor: Actor) -> Refusal | None:
    return WRONG_ROLE if actor.kind == "admin" else _to_employees_and_administrators(call, actor)


Promise = Callable[[Call, Actor], Refusal | None]

OPEN: dict[str, Promise] = {
    "anyone": lambda _call, _actor: None,
    "temp": lambda _call, actor: None if actor is HOLDER else NO_LOGIN,
    "device": _to_a_clock_only,
    "session or its hash": _to_whoever_names_a_session,
}
"""Declarations that ask for no session."""

GUARDED: dict[str, Promise] = {
    "session": lambda _call, _actor: None,
    "admin": _to_system_administrators,
    "member": _to_members,
    "company": _to_administrators,
    "companyAdmin": _to_the_companys_administrators,
    "own company": _to_administrators_about_their_own,
    "self": _to_oneself,
    "that user": _to_nobody_else,
    "self or companyAdmin": _to_oneself_and_the_companys_own,
    "self or council": _to_oneself_and_the_council,
    "company or council": _to_administrators_and_the_council,
    "council": _to_the_council,
    "user": _to_employees,
    "stamping": _to_whoever_stamps,
    "user or company": _to_employees_and_administrators,
    "user or companyAdmin": _to_the_companys_own,
}
"""Declarations about who has a session."""
