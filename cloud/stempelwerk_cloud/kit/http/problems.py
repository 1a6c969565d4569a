"""Refusals as RFC 9457 `application/problem+json`, each with a `code` and the German sentence for the user.

Every room declares its own problems; here are the shared ones.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, LiteralString, TypedDict

import structlog
from fastapi.responses import JSONResponse
from pydantic_core import PydanticCustomError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException

log = structlog.get_logger(__name__)

CLIENT_LEFT = 499
"""The status for a client that left before its answer. No client reads it; in the metrics it separates departures from
failures. nginx uses the same number.
"""
OUTAGES = (OperationalError, PoolTimeout)
"""Exceptions that mean that the database is unavailable at the moment; they are answered with 503."""


class FieldError(TypedDict):
    field: str
    message: str


class Problem(Exception):
    """A refusal of a request, answered as a problem document. `message` is the German sentence for the user; `extra`
    are further members of the answer.

    `after_answer` runs once the answer is sent, so that its duration reveals nothing to the client. It must not raise.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        errors: Sequence[FieldError] | None = None,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
        after_answer: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.headers = dict(headers or {})
        self.extra = dict(extra or {})
        self.after_answer = after_answer


def not_found() -> Problem:
    """Returns 404 for unknown rows and for another company's: the same answer, so that no caller learns which exist."""
    return Problem(404, "not_found", "Nicht gefunden.")


def unauthorized() -> Problem:
    return Problem(
        401, "unauthorized", "Nicht autorisiert. Bitte neu einloggen.", headers={"WWW-Authenticate": "Bearer"}
    )


def incomplete() -> Problem:
    return Problem(408, "incomplete", "Die Anfrage kam nicht vollständig an. Bitte noch einmal versuchen.")


def unavailable() -> Problem:
    """Returns 503: the request had no effect, and may succeed if it is repeated in a moment."""
    sentence = "Der Dienst ist gerade nicht verfügbar. Bitte gleich noch einmal versuchen."
    return Problem(503, "unavailable", sentence, headers={"Retry-After": "2"})


def key_unusable() -> Problem:
    sentence = (
        "Auf dem Server fehlt eine Schlüsseldatei, oder sie ist beschädigt. Deshalb geht das gerade nicht. Sag es"
        " bitte eurem Betreiber: Er holt sie aus der Sicherung zurück."
    )
    return Problem(503, "unavailable", sentence)


def dry_run_took_too_long() -> Problem:
    sentence = (
        "Die Vorschau hat zu lange gedauert und wurde abgebrochen. Es wurde nichts geändert."
        " Bitte in ein paar Minuten noch einmal versuchen."
    )
    return Problem(503, "dry_run_took_too_long", sentence, headers={"Retry-After": "60"})


def forbidden() -> Problem:
    return Problem(403, "forbidden", "Dafür fehlt die Berechtigung.")


def conflict(code: str, message: str) -> Problem:
    return Problem(409, code, message)


def invalid(field: str, message: str, code: str = "invalid") -> Problem:
    """Returns 422 about one field of the request. `message` is both the sentence of that field and the whole
    answer's.
    """
    return Problem(422, code, message, errors=[{"field": field, "message": message}])


def too_many(retry_after_s: int, extra: Mapping[str, Any] | None = None) -> Problem:
    return Problem(
        429,
        "too_many_requests",
        "Zu viele Versuche. Bitte später erneut versuchen.",
        headers={"Retry-After": str(max(1, retry_after_s))},
        extra=extra,
    )


def too_large(extra: Mapping[str, Any] | None = None) -> Problem:
    return Problem(413, "too_large", "Die Anfrage ist zu groß.", extra=extra)


def unreadable() -> Problem:
    """Returns 422 for a body that is neither JSON nor another format of the call."""
    return Problem(422, "invalid", "Die Anfrage ist nicht lesbar.")


class BodyRefused(HTTPException):
    """A refusal that is raised while a body is read. It is an HTTPException, because FastAPI turns any other exception
    there into "unreadable JSON".
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status)
        self.problem = problem


def answer(problem: Problem) -> JSONResponse:
    """Returns the problem as a response."""
    try:
        title = HTTPStatus(problem.status).phrase
    except ValueError:
        title = "Error"
    body: dict[str, Any] = {
        **problem.extra,
        "type": "about:blank",
        "title": title,
        "status": problem.status,
        "detail": problem.message,
        "code": problem.code,
        "message": problem.message,
    }
    if problem.errors is not None:
        body["errors"] = list(problem.errors)
    background = None if problem.after_answer is None else BackgroundTask(problem.after_answer)
    return JSONResponse(
        body,
        problem.status,
        headers=problem.headers,
        media_type="application/problem+json",
        background=background,
    )


_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_SENTENCES = {
    "missing": "Pflichtfeld fehlt.",
    "json_invalid": "Kein gültiges JSON.",
    "too_many_errors": "Mehr als 100 Angaben passen nicht. Bitte die Form der Anfrage prüfen.",
    "too_complex": "Zu viele oder zu tief verschachtelte Angaben. Bitte auf mehrere Aufrufe verteilen.",
    "string_type": "Text erwartet.",
    "string_too_short": "Zu kurz (mindestens {min_length} Zeichen).",
    "string_too_long": "Zu lang (höchstens {max_length} Zeichen).",
    "bool_type": "Wahrheitswert erwartet.",
    "bool_parsing": "Wahrheitswert erwartet.",
    "int_type": "Ganze Zahl erwartet.",
    "int_parsing": "Ganze Zahl erwartet.",
    "int_from_float": "Ganze Zahl erwartet.",
    "greater_than_equal": "Zu klein (mindestens {ge}).",
    "less_than_equal": "Zu groß (höchstens {le}).",
    "literal_error": "Unbekannter Wert.",
    "enum": "Unbekannter Wert.",
    "list_type": "Liste erwartet.",
    "too_long": "Zu viele (höchstens {max_length}).",
    "dict_type": "Objekt erwartet.",
    "model_attributes_type": "Objekt erwartet.",
    "extra_forbidden": "Unbekanntes Feld.",
}

_SAID = "said"


def sentence_error(sentence: LiteralString) -> PydanticCustomError:
    """Returns an error for a pydantic validator that refuses a value in its own words. The sentence is a literal, so it
    cannot contain the sender's value.
    """
    return PydanticCustomError(_SAID, sentence)


_PARTS_OF_A_REQUEST = {"body", "query", "path", "header"}


def field_error(error: Mapping[str, Any]) -> FieldError:
    """Converts a pydantic error to field and German sentence; the sender's value is never repeated."""
    if error["type"] == "json_invalid":  # its location is a number of characters, not a field
        return {"field": "", "message": _SENTENCES["json_invalid"]}
    location = [str(part) for index, part in enumerate(error["loc"]) if index or part not in _PARTS_OF_A_REQUEST]
    if error["type"] == _SAID:
        return {"field": ".".join(location), "message": error["msg"]}
    sentence = _SENTENCES.get(error["type"], "Ungültiger Wert.")
    bounds = {name: _in_german(value) for name, value in (error.get("ctx") or {}).items()}
    return {"field": ".".join(location), "message": sentence.format_map(bounds)}


def _in_german(bound: object) -> object:
    day = _DAY.fullmatch(bound) if isinstance(bound, str) else None
    return bound if day is None else f"{day[3]}.{day[2]}.{day[1]}"


def malformed(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Returns 422 for pydantic's list of errors."""
    fields = [field_error(error) for error in errors]
    sentences = [f"{item['field']}: {item['message']}" if item["field"] else item["message"] for item in fields]
    return Problem(422, "invalid", "Ungültige Eingabe. " + " ".join(sentences), errors=fields)


class DryRunResult(Exception):
    """Raised to end a dry run: its transaction is rolled back, and `content` is the answer."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__("nothing is kept")
        self.content = content


def describe(openapi: dict[str, Any]) -> None:
    """Puts the problem document into an OpenAPI description, in place of FastAPI's own error bodies."""
    schemas = openapi.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    texts = {name: {"type": "string"} for name in ("type", "title", "detail", "code", "message")}
    field = {"type": "object", "properties": {"field": {"type": "string"}, "message": {"type": "string"}}}
    schemas["Problem"] = {
        "type": "object",
        "title": "Problem",
        "description": "A refusal (RFC 9457). `message` is the sentence for the user, `code` tells refusals apart.",
        "properties": {
            **texts,
            "status": {"type": "integer"},
            "errors": {"type": "array", "items": field | {"required": ["field", "message"]}},
        },
        "required": [*texts, "status"],
    }
    refusal = {
        "description": "A refusal",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for calls in openapi["paths"].values():
        for call in calls.values():
            if call["responses"].get("422", {}).get("description") == "Validation Error":
                del call["responses"]["422"]
            call["responses"]["default"] = refusal
