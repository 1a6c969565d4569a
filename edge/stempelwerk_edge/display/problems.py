"""The errors of the touchscreen's server: problem details (RFC 9457) with a German sentence."""

from starlette.responses import JSONResponse


def problem(status: int, code: str, message: str) -> JSONResponse:
    """Returns a refusal; `code` is for the page, `message` for a person."""
    body = {"type": "about:blank", "status": status, "code": code, "message": message, "detail": message}
    return JSONResponse(body, status, media_type="application/problem+json")
