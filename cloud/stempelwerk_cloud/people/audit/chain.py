"""The hash chain: what is hashed, and how. Pure, so that a second implementation can check ours.

The hash of an entry is the SHA-256 of this JSON in UTF-8, with members sorted by name, no white space, and only the
necessary escapes:

{"action":…,"actor":…,"after":…,"at":…,"before":…,"companyId":…,"id":…,"no":…,"previous":…,"subject":…}

`previous` is the hash of the company's previous entry, in hex (64 zeros for the first), `at` milliseconds since 1970,
`before` and `after` the stored texts themselves. They hold a personal word as `{"word": seal}`: the SHA-256 of its
random salt, a NUL, and the word. While the word is stored it can be checked; without the salt the seal reveals nothing.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

BEGINNING = bytes(32)
WORD = "word"


class Link(NamedTuple):
    """All hashed members of an audit entry: everything but its hash. `at_ms`: milliseconds since 1970."""

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
    """Returns the unique JSON text of a value made of objects, lists, texts, whole numbers, booleans and null."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def hash_of(previous: bytes, link: Link) -> bytes:
    """Returns the hash of an entry that follows the one with the hash `previous`."""
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
    """Returns the seal that replaces a personal word in the chain."""
    return hashlib.sha256(f"{salt}\0{word}".encode()).hexdigest()
