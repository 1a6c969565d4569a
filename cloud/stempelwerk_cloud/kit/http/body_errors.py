"""Limits the number of validation errors in an answer.

FastAPI builds a dictionary and a location for each error, on the event loop: a list of 200,000 numbers instead of texts
blocked all other requests for more than four seconds, and was answered with 22 MB. `off_loop` limits the number of
errors by the number of list members.
"""

from functools import partial
from typing import Any, Final

from fastapi.dependencies.models import Dependant
from pydantic import TypeAdapter, ValidationError

MOST_ERRORS: Final = 100
"""The most validation errors that are answered one by one: more than any form has fields."""
TOO_MANY: Final = "too_many_errors"


def bound(dependant: Dependant) -> None:
    """Lets the call answer a body that has more than `MOST_ERRORS` errors with a single one."""
    for part in dependant.dependencies:
        bound(part)
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
