"""A person's month as a signed file: its canonical bytes, its signature, and the verification of a file.

The file is canonical JSON (RFC 8785) of objects, arrays, strings, whole numbers, booleans and null; it has no
fractions. The Ed25519 signature covers the canonical form of everything except the member `signature`. So each
statement has exactly one valid sequence of bytes: a different spelling, order or an extra space is detected. The digest
of a file is the SHA-256 of its bytes in hexadecimal. The genuine keys are an argument; a key is never taken from the
file.
"""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from stempelwerk_cloud.domain.account import KINDS
from stempelwerk_cloud.domain.calendar import days, month_bounds

FORMAT: Final = "stempelwerk-statement/1"
SIGNATURE: Final = "signature"
_MOST: Final = 2**53 - 1
"""The greatest whole number that all JSON programs read exactly."""
_LEVELS: Final = 8
"""Maximum nesting of objects and arrays; a statement needs four levels."""

Statement = dict[str, Any]
Verify = Callable[[bytes, bytes], bool]
"""A function (signature, message) that returns whether the key has signed the message."""

Code = Literal[
    "valid", "format", "not_canonical", "unknown_key", "signature", "sums", "previous_missing", "previous_mismatch"
]


class Finding(NamedTuple):
    """The result of a verification. `statement`: the content of the file; None unless the file is genuine.

    The problem is the first of these that applies. `format`: the file is no statement. `not_canonical`: it is spelled
    differently than when it was signed. `unknown_key`: its key is not one of the installation's. `signature`: the
    content is not what was signed. `sums`: its figures contradict each other. `previous_missing`: it names no
    predecessor, although one was given. `previous_mismatch`: its predecessor is another file than the given one.
    """

    code: Code
    statement: Statement | None = None


class NotCanonical(ValueError):
    """The error for a value that has no canonical form."""


def canonical(value: Any) -> bytes:
    """Returns the canonical bytes of a value. Raises NotCanonical for values that do not occur in statements."""
    try:
        return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise NotCanonical("half of a character") from None


def digest_of(content: bytes) -> str:
    """Returns the digest of a file, as the next statement refers to it."""
    return hashlib.sha256(content).hexdigest()


def sealed(body: Statement, sign: Callable[[bytes], bytes]) -> bytes:
    """Returns the bytes of the file: the body with its signature. `sign` signs the canonical form of the body."""
    return canonical({**body, SIGNATURE: _text_of(sign(canonical(body)))})


def check(content: bytes, keys: Mapping[str, Verify], previous: bytes | None = None) -> Finding:
    """Verifies a file. `keys`: the installation's keys by id. `previous`: the file of the month before, if there is
    one.
    """
    try:
        statement = read(content)
        is_canonical = canonical(statement) == content
    except NotCanonical:
        is_canonical = False
    except ValueError:
        return Finding("format")
    if not is_canonical:
        return Finding("not_canonical")
    refused = _not_genuine(statement, keys)
    if refused is not None:
        return Finding(refused)
    if not _adds_up(statement):
        return Finding("sums", statement)
    return Finding("valid" if previous is None else _follows(statement, previous), statement)


def _not_genuine(statement: Statement, keys: Mapping[str, Verify]) -> Code | None:
    kid = statement.get("kid")
    verify = keys.get(kid) if isinstance(kid, str) else None
    if verify is None:
        return "unknown_key"
    if not _is_signed(statement, verify):
        return "signature"
    return None if _fits(statement, _SHAPE) else "format"


def read(content: bytes) -> Statement:
    """Returns the content of a file without verifying its signature. Raises ValueError if it is no statement, and its
    subclass NotCanonical if it is one in another spelling.
    """
    try:
        statement = json.loads(
            content.decode(), parse_int=_parse_whole, parse_float=_fraction, parse_constant=_constant
        )
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ValueError("no JSON") from None
    except RecursionError:
        raise NotCanonical("too deep") from None
    if not isinstance(statement, dict) or statement.get("format") != FORMAT:
        raise ValueError("no statement")
    return statement


class _NoNumber:
    """A placeholder in parsed JSON for a number that does not occur in statements."""


def _parse_whole(text: str) -> Any:
    number = int(text) if len(text) < 20 else _MOST + 1
    return number if -_MOST <= number <= _MOST else _NoNumber()


def _fraction(_text: str) -> Any:
    return _NoNumber()


def _constant(text: str) -> Any:
    raise ValueError(f"no JSON: {text}")


def _ordered(value: Any, levels: int = _LEVELS) -> Any:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int) and -_MOST <= value <= _MOST:
        return value
    if isinstance(value, list | tuple) and levels:
        return [_ordered(element, levels - 1) for element in value]
    if isinstance(value, dict) and levels:
        return {name: _ordered(value[name], levels - 1) for name in sorted(value, key=_utf16)}
    raise NotCanonical(f"a {type(value).__name__}")


def _utf16(name: str) -> bytes:
    """Returns the sort key of a member: RFC 8785 sorts names by their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def _text_of(signature: bytes) -> str:
    return urlsafe_b64encode(signature).decode().rstrip("=")


def _is_signed(statement: Statement, verify: Verify) -> bool:
    text = statement.get(SIGNATURE)
    try:
        signature = urlsafe_b64decode(f"{text}==")
    except ValueError:
        return False
    if _text_of(signature) != text:  # other letters may encode the same bytes
        return False
    return verify(signature, canonical({name: value for name, value in statement.items() if name != SIGNATURE}))


class _Maybe(NamedTuple):
    """A shape for values that have the given shape or are null."""

    shape: Any


_CREDITS = [{"kind": str, "minutes": int}]
_SHAPE: Final[Mapping[str, Any]] = {
    "attestedBy": str,
    "bookings": [{"date": str, "minutes": int, "reason": str}],
    "company": {"id": str, "name": str},
    "corrections": [
        {
            "breakMinutes": _Maybe(int),
            "date": str,
            "decidedAt": str,
            "end": str,
            "id": str,
            "requestedAt": str,
            "start": str,
        }
    ],
    "days": [{"actual": int, "credits": _CREDITS, "date": str, "entryIds": [str], "target": int}],
    "deletions": [{"decidedAt": str, "end": str, "id": str, "start": str}],
    "entries": [
        {
            "break": _Maybe(int),
            "date": str,
            "end": _Maybe(str),
            "endLocal": _Maybe(str),
            "flags": [str],
            "id": str,
            "net": _Maybe(int),
            "raw": _Maybe(int),
            "reasons": [str],
            "source": str,
            "start": _Maybe(str),
            "startLocal": _Maybe(str),
        }
    ],
    "format": str,
    "installation": str,
    "kid": str,
    "madeAt": str,
    "month": str,
    "person": {"id": str, "username": str},
    "previous": _Maybe({"digest": str, "month": str}),
    SIGNATURE: str,
    "stamps": [{"at": str, "clock": str, "counted": bool, "direction": str, "id": str, "reason": _Maybe(str)}],
    "sums": {
        "actual": int,
        "balance": int,
        "bookings": int,
        "carried": int,
        "credits": _CREDITS,
        "target": int,
    },
    "zone": str,
}
"""The members of a statement and the shapes of their values. A statement has exactly these members."""


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, _Maybe):
        return value is None or _fits(value, shape.shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(element, shape[0]) for element in value)
    if isinstance(shape, Mapping):
        same_members = isinstance(value, dict) and value.keys() == shape.keys()
        return same_members and all(_fits(value[name], member_shape) for name, member_shape in shape.items())
    return type(value) is shape


def _adds_up(statement: Statement) -> bool:
    """Returns whether the figures of the days match their entries, and the sums match days and bookings."""
    try:
        first, last = month_bounds(statement["month"])
    except ValueError:
        return False
    dates = [day.isoformat() for day in days(first, last)]
    return (
        [day["date"] for day in statement["days"]] == dates
        and {record["date"] for record in (*statement["entries"], *statement["bookings"])} <= set(dates)
        and all(_is_paid(entry) for entry in statement["entries"])
        and all(_comes_of(day, statement["entries"]) for day in statement["days"])
        and statement["sums"] == sums_of(statement["days"], statement["bookings"], statement["sums"]["carried"])
    )


def _is_paid(entry: Statement) -> bool:
    raw, pause, net = entry["raw"], entry["break"], entry["net"]
    if raw is None or pause is None or net is None:
        return raw is pause is net is None
    return bool(net == raw - pause)


def _comes_of(day: Statement, entries: Sequence[Statement]) -> bool:
    day_entries = [entry for entry in entries if entry["date"] == day["date"]]
    minutes = sum(entry["net"] or 0 for entry in day_entries)
    return bool(day["actual"] == minutes and day["entryIds"] == [entry["id"] for entry in day_entries])


def sums_of(month_days: Sequence[Statement], bookings: Sequence[Statement], carried: int) -> Statement:
    """Returns the sums of a month's days and bookings. `balance` is that of the month itself, without the carried
    balance.
    """
    worth = dict.fromkeys(KINDS, 0)
    for credit in (credit for day in month_days for credit in day["credits"]):
        worth[credit["kind"]] = worth.get(credit["kind"], 0) + credit["minutes"]
    credited = [{"kind": kind, "minutes": minutes} for kind, minutes in worth.items() if minutes]
    target, actual = sum(day["target"] for day in month_days), sum(day["actual"] for day in month_days)
    booked = sum(booking["minutes"] for booking in bookings)
    return {
        "actual": actual,
        "balance": actual + sum(worth.values()) + booked - target,
        "bookings": booked,
        "carried": carried,
        "credits": credited,
        "target": target,
    }


def _follows(statement: Statement, previous: bytes) -> Code:
    named_previous = statement["previous"]
    if named_previous is None:
        return "previous_missing"
    try:
        month = read(previous).get("month")
    except ValueError:
        return "previous_mismatch"
    return (
        "valid"
        if (named_previous["digest"], named_previous["month"]) == (digest_of(previous), month)
        else "previous_mismatch"
    )
