"""Handlers that answer every exception of a call with a problem document.

A call may add members to all of its problems (`RequestLife.refusal_members`).
"""

from http import HTTPStatus

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy.exc import DataError, IntegrityError, InternalError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route

from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.http.problems import (
    CLIENT_LEFT,
    OUTAGES,
    BodyRefused,
    DryRunResult,
    Problem,
    answer,
    conflict,
    invalid,
    key_unusable,
    malformed,
    unavailable,
    unreadable,
)
from stempelwerk_cloud.kit.http.request_life import life_of
from stempelwerk_cloud.kit.security.key_files import KeyUnusable

log = structlog.get_logger(__name__)

_BY_STATUS = {
    404: ("not_found", "Endpoint nicht gefunden (404)."),
    405: ("method_not_allowed", "Diese Methode ist hier nicht erlaubt."),
}


def install(app: FastAPI) -> None:
    """Registers the handlers in `app`."""
    handlers = {
        Problem: _on_problem,
        DryRunResult: _on_nothing_kept,
        RequestValidationError: _on_malformed,
        BodyRefused: _on_body_refused,
        HTTPException: _on_http,
        ClientDisconnect: _on_left,
        NoSuchRow: _on_no_such_row,
        DataError: _on_data,
        IntegrityError: _on_race,
        **dict.fromkeys(OUTAGES, _on_outage),
        KeyUnusable: _on_key_unusable,
        InternalError: _on_internal,
        Exception: _on_bug,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _refuse(request: Request, problem: Problem) -> JSONResponse:
    problem.extra = {**life_of(request).refusal_members, **problem.extra}
    return answer(problem)


async def _on_problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return _refuse(request, error)


async def _on_key_unusable(request: Request, error: Exception) -> JSONResponse:
    log.error("key_unusable", path=request.url.path, error=str(error))
    return _refuse(request, key_unusable())


async def _on_nothing_kept(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DryRunResult)
    return JSONResponse(error.content, headers={"Cache-Control": "no-store"})


async def _on_malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _refuse(request, malformed(error.errors()))


async def _on_body_refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BodyRefused)
    return _refuse(request, error.problem)


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.BAD_REQUEST:  # FastAPI's word for a body that nothing can read
        return _refuse(request, unreadable())
    code, message = _BY_STATUS.get(error.status_code, ("error", "Die Anfrage war nicht möglich."))
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (allowed := _allowed(request)):
        headers["Allow"] = ", ".join(sorted(allowed))
    return _refuse(request, Problem(error.status_code, code, message, headers=headers))


def _allowed(request: Request) -> set[str]:
    """Returns the methods that the routes of the request's path accept. The route that refused knows only its own."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    fitting = [route.methods or () for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return {method for methods in fitting for method in methods}


async def _on_left(request: Request, _: Exception) -> JSONResponse:
    """Answers a client that has left while it was sending: the answer is not read, and the service has no fault."""
    return _refuse(request, Problem(CLIENT_LEFT, "client_left", "Die Anfrage kam nicht vollständig an."))


async def _on_no_such_row(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NoSuchRow)
    sentence = "Diese Stelle der Liste gibt es nicht mehr. Bitte die Liste neu laden."
    return _refuse(request, invalid(error.parameter, sentence))


async def _on_data(request: Request, error: Exception) -> JSONResponse:
    log.warning("value_refused_by_database", error=type(error.__cause__ or error).__name__)
    return _refuse(request, Problem(422, "invalid", "Ungültiger Wert."))


async def _on_race(request: Request, error: Exception) -> JSONResponse:
    log.warning("refused_by_constraint", exc_info=error)
    return _refuse(request, conflict("conflict", "Der Stand hat sich inzwischen geändert. Bitte neu laden."))


async def _on_outage(request: Request, error: Exception) -> JSONResponse:
    log.error("database_failed", exc_info=error)
    return _refuse(request, unavailable())


async def _on_internal(request: Request, error: Exception) -> JSONResponse:
    """Answers 503 for a read-only database server, such as one that another server has replaced; 500 for other internal
    errors.
    """
    read_only = isinstance(getattr(error, "orig", None), ReadOnlySqlTransaction)
    return await (_on_outage if read_only else _on_bug)(request, error)


async def _on_bug(request: Request, error: Exception) -> JSONResponse:
    log.error("unexpected_error", method=request.method, path=request.url.path, exc_info=error)
    return _refuse(request, Problem(500, "internal", "Interner Fehler. Bitte später erneut versuchen."))
