"""Lists that are told page by page: an answer's `Link` (RFC 8288) names what follows."""

from fastapi import Request, Response


def name_next(request: Request, response: Response, before: str | None) -> None:
    """The same request for what stands before that id; None: nothing follows."""
    if before is not None:
        following = request.url.include_query_params(before=before)
        response.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
