"""The address of this installation in browsers."""

import re

from fastapi import Request

_HOST = re.compile(r"([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)


def origin_of(public_url: str | None, request: Request) -> str | None:
    """Returns scheme and host of the public address, or those of the request where no address is set.

    None if the Host header cannot be a host.
    """
    if public_url:
        return public_url.rstrip("/")
    scheme, host = request.scope["scheme"], request.headers.get("host", "")
    return f"{scheme}://{host}" if scheme in {"http", "https"} and _HOST.fullmatch(host) else None
