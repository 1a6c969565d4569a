"""Checks of a body before its call: it must not contradict its path, and has a limited number of validation errors.

It may repeat the path's parameters, but the path decides, and a contradiction is 422. A member repeats the parameter of
its name in the call's signature: `device_id` of `{id}` is `deviceId`. A parameter that only a guard reads is the
company; `{id}` at the end of a path is `id` too. A path that decides (`…/approve`) may find its decision in `decision`,
`approved` or `status`. Null is no statement. Not here: contradictions that only the database shows.

FastAPI builds a dictionary and a location for each error, on the event loop: a list of 200,000 numbers instead of texts
blocked all other requests for more than four seconds, and was answered with 22 MB. `off_loop` limits the number of
errors by the number of list members.
"""

import re
import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from stempelwerk_cloud.kit.http.problems import Problem, invalid

PATH_PART = re.compile(r"\{(\w+)\}")


async def refuse_contradiction(request: Request, route: APIRoute) -> None:
    """Raises Problem if the body of a request to this route contradicts its path."""
    if not request.path_params or "json" not in request.headers.get("content-type", ""):
        return
    try:
        body = await request.json()
    except (ValueError, RecursionError):  # the reader of the body refuses it
        return
    problem = found_in(body, route, request.path_params) if isinstance(body, dict) else None
    if problem is not None:
        raise problem


_YES = frozenset({"approve", "approved", "accept", "accepted", "excuse", "excused", "true"})
_NO = frozenset({"decline", "declined", "reject", "rejected", "deny", "denied", "false"})
_DECISIONS = {"approve": True, "accept": True, "excuse": True, "decline": False}


def found_in(body: Mapping[str, Any], route: APIRoute, parameters: Mapping[str, Any]) -> Problem | None:
    """Returns the problem of the first member that contradicts a parameter of the path, or the path's decision."""
    for member, parameter in _members(route).items():
        value = body.get(member)
        if value is not None and spelled(value) != spelled(parameters[parameter]):
            return _contradicts(member)
    decides = _DECISIONS.get(route.path.rpartition("/")[2])
    for member in ("decision", "approved", "status") if decides is not None else ():
        word = str(body.get(member)).casefold()
        if word not in _YES | _NO | {"none"}:
            return invalid(member, "Unbekannter Wert.")
        if word != "none" and (word in _YES) != decides:
            return _contradicts(member)
    return None


def _contradicts(member: str) -> Problem:
    return invalid(member, f"{member} widerspricht der Adresse der Anfrage.", "contradiction")


def _members(route: APIRoute) -> dict[str, str]:
    """Maps members of a body to the parameters that they repeat."""
    member_names = {field.alias: to_camel(field.name) for field in route.dependant.path_params}
    members = {
        member_names.get(name, "companyId" if name == "id" else name): name for name in PATH_PART.findall(route.path)
    }
    return members | ({"id": "id"} if route.path.endswith("/{id}") else {})


def spelled(value: object) -> object:
    """Returns an id in its canonical spelling; other values as they are."""
    try:
        return str(uuid.UUID(value)) if isinstance(value, str) else value
    except ValueError:
        return value


MOST_ERRORS: Final = 100
"""The most validation errors that are answered one by one: more than any form has fields."""
TOO_MANY: Final = "too_many_errors"


def limit_errors(dependant: Dependant) -> None:
    """Lets the call answer a body that has more than `MOST_ERRORS` errors with a single one."""
    for part in dependant.dependencies:
        limit_errors(part)
    for field in dependant.body_params:
        vars(field)["validate"] = partial(_validate, field._type_adapter)


def _validate(
    adapter: TypeAdapter[Any], value: Any, _values: object = None, *, loc: tuple[int | str, ...] = ()
) -> tuple[Any, list[dict[str, Any]]]:
    """Returns the valid value, or the errors with their locations in the request. It replaces FastAPI's own validation
    of a field.
    """
    try:
        return adapter.validate_python(value, from_attributes=True), []
    except ValidationError as wrong:
        if wrong.error_count() > MOST_ERRORS:
            return None, [{"type": TOO_MANY, "loc": loc}]
        return None, [{**error, "loc": (*loc, *error["loc"])} for error in wrong.errors(include_url=False)]
