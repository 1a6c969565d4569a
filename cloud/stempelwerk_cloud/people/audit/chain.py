"""The chain: what is hashed, and how. Pure, so that anybody can write it a second time and check ours.

The hash of an entry is the SHA-256 of this JSON in UTF-8, members sorted by name, without white space, nothing escaped
that need not be:

    {"action":…,"actor":…,"after":…,"at":…,"before":…,"companyId":…,"id":…,"no":…,"previous":…,"subject":…}

`previous` is the hash of the company's entry before, in hex (64 zeros for the first), `at` milliseconds since 1970,
`before` and `after` the kept texts themselves. A personal word stands in them as `{"word": seal}`: the SHA-256 of its
random salt, a NUL, and the word. As long as the word is there it can be checked; without the salt the seal tells
nothing.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

BEGINNING = bytes(32)
WORD = "word"


class Link(NamedTuple):
    """Everything of an entry but its hash."""

    company_id: str
    no: int
    id: str
    at_ms: int
    actor: str | None
    action: str
    subject: str | None
    before: str | None
    after: str | None


def canonical(value: Any) -> str:
    """The one JSON text of a value made of objects, lists, texts, whole numbers, booleans and null."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def hash_of(previous: bytes, link: Link) -> bytes:
    """The hash of an entry that follows the one with the hash `previous`."""
    members: Mapping[str, Any] = {
        "action": link.action,
        "actor": link.actor,
        "after": link.after,
        "at": link.at_ms,
        "before": link.before,
        "companyId": link.company_id,
        "id": link.id,
        "no": link.no,
        "previous": previous.hex(),
        "subject": link.subject,
    }
    return hashlib.sha256(canonical(members).encode()).digest()


def seal(salt: str, word: str) -> str:
    """What stands in the chain in the place of a personal word."""
    return hashlib.sha256(f"{salt}\0{word}".encode()).hexdigest()
