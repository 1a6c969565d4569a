"""A body may repeat what the path says, but must not say something else: the path decides, a contradiction is 422.

A parameter goes by its own name (`companyId`); `{id}` by that of the thing before it (`/api/users/{id}`: `userId`), and
at the end of a path as `id` too. A path that decides (`…/approve`) may find its decision in `decision`, `approved` or
`status`. A path by which another thing of the kind takes the place of one (`…/replace`) names that other. A null says
nothing. Deliberately not here: contradictions that the database knows.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from fastapi import Request

from stempelwerk_cloud.kit.http.problems import Problem, invalid


async def contradiction(request: Request, template: str) -> Problem | None:
    """What is to be refused about a request to a path of this template; None: nothing."""
    if not request.path_params or "json" not in request.headers.get("content-type", ""):
        return None
    try:
        body = await request.json()
    except (ValueError, RecursionError):  # whoever reads the body says so
        return None
    return None if not isinstance(body, dict) else found_in(body, template, request.path_params)


_YES = frozenset({"approve", "approved", "accept", "accepted", "excuse", "excused", "true"})
_NO = frozenset({"decline", "declined", "reject", "rejected", "deny", "denied", "false"})
_NAME_ANOTHER = frozenset({"replace"})
_DECISIONS = {"approve": True, "accept": True, "excuse": True, "decline": False}


def found_in(body: Mapping[str, Any], template: str, parameters: Mapping[str, Any]) -> Problem | None:
    """The first member of the body that contradicts a parameter of the path, or what it decides."""
    for member, parameter in _members(template).items():
        said = body.get(member)
        if said is not None and spelled(said) != spelled(parameters[parameter]):
            return _contradicts(member)
    decides = _DECISIONS.get(template.rpartition("/")[2])
    for member in ("decision", "approved", "status") if decides is not None else ():
        word = str(body.get(member)).casefold()
        if word not in _YES | _NO | {"none"}:
            return invalid(member, "Unbekannter Wert.")
        if word != "none" and (word in _YES) != decides:
            return _contradicts(member)
    return None


def _contradicts(member: str) -> Problem:
    return invalid(member, f"{member} widerspricht der Adresse der Anfrage.", "contradiction")


def _members(template: str) -> dict[str, str]:
    """Which members of a body repeat which parameters."""
    found: dict[str, str] = {}
    segments = template.split("/")
    if segments[-1] in _NAME_ANOTHER:
        return found
    for place, segment in enumerate(segments):
        if segment.startswith("{"):
            name = segment[1:].partition("}")[0]
            found[f"{_one(segments[place - 1])}Id" if name == "id" else name] = name
    if segments[-1] == "{id}":
        found["id"] = "id"
    return found


def _one(things: str) -> str:
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def spelled(value: object) -> object:
    """An id in its one spelling; anything else as it is."""
    try:
        return str(uuid.UUID(value)) if isinstance(value, str) else value
    except ValueError:
        return value
