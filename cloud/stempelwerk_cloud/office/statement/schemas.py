"""JSON of the installation's keys. The content of a statement is defined in `domain/statement.py`."""

from typing import Annotated, Literal

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import Wire


class KeyRow(Wire):
    """A key that signs statements; `publicKey` are its 32 bytes as base64url without padding."""

    kid: str
    alg: Literal["Ed25519"]
    public_key: str
    since: Annotated[str, Field(alias="from")]


class KeyList(Wire):
    keys: list[KeyRow]
