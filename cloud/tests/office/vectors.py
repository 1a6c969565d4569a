"""Statements, genuine and broken, each with the expected result of a checker: for this program's checker and the web's.

`statement_vectors.json` contains them; `python -m cloud.tests.office.vectors` rewrites it. `content` is base64, because
some contents are no text. `previous` names the file that is passed along. `keys` are as the installation publishes
them.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_cloud.domain.calendar import days, month_bounds
from stempelwerk_cloud.domain.statement import FORMAT, canonical, digest_of, sealed, sums_of
from stempelwerk_cloud.office.statement.keys import StatementKey

FILE = Path(__file__).parent / "statement_vectors.json"
KEY = StatementKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), "2026-11-01T00:00:00.000Z")
FOREIGN = StatementKey(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))), "2026-11-01T00:00:00.000Z")
Body = dict[str, Any]


def body(month: str = "2026-11", previous: Body | None = None) -> Body:
    """Returns a small month: two entries on one day, a running one, a day of vacation, a booking."""
    first, last = month_bounds(month)
    entries = [
        _entry("e-1", f"{month}-03", "08:00", "12:00", 240, 0),
        _entry("e-2", f"{month}-03", "12:15", "17:00", 285, 30),
        _entry("e-3", f"{month}-04", "08:00", None, None, None),
    ]
    day_rows = [
        {
            "date": day.isoformat(),
            "target": 480 if day.weekday() < 5 else 0,
            "actual": sum(entry["net"] or 0 for entry in entries if entry["date"] == day.isoformat()),
            "credits": [{"kind": "vacation", "minutes": 480}] if day.day == 5 else [],
            "entryIds": [entry["id"] for entry in entries if entry["date"] == day.isoformat()],
        }
        for day in days(first, last)
    ]
    bookings = [{"date": f"{month}-10", "minutes": -15, "reason": "Ausgezahlt – „Rest“ \u0001\n\t\\ 😀"}]
    return {
        "format": FORMAT,
        "installation": "https://stempelwerk.example",
        "attestedBy": "operator",
        "company": {"id": "c-1", "name": 'Tischlerei "Holzmann" & Söhne'},
        "person": {"id": "u-1", "username": "anna"},
        "month": month,
        "zone": "Europe/Berlin",
        "madeAt": "2026-12-01T07:00:00.000Z",
        "previous": previous,
        "entries": entries,
        "stamps": [
            {
                "id": "e-1",
                "at": f"{month}-03T07:00:05.120Z",
                "direction": "auto",
                "clock": "Tor 1",
                "counted": True,
                "reason": None,
            },
            {
                "id": "s-2",
                "at": f"{month}-03T07:00:35.120Z",
                "direction": "in",
                "clock": "Tor 1",
                "counted": False,
                "reason": "double_tap",
            },
        ],
        "corrections": [
            {
                "id": "k-1",
                "date": f"{month}-03",
                "start": f"{month}-03T11:15:00.000Z",
                "end": f"{month}-03T16:00:00.000Z",
                "breakMinutes": None,
                "requestedAt": f"{month}-04T09:00:00.000Z",
                "decidedAt": f"{month}-04T10:00:00.000Z",
            }
        ],
        "deletions": [
            {
                "id": "v-1",
                "start": f"{month}-02T07:00:00.000Z",
                "end": f"{month}-02T15:00:00.000Z",
                "decidedAt": f"{month}-04T10:00:00.000Z",
            }
        ],
        "bookings": bookings,
        "days": day_rows,
        "sums": sums_of(day_rows, bookings, -120),
        "kid": KEY.kid,
    }


def _entry(id_: str, day: str, start: str, end: str | None, raw: int | None, pause: int | None) -> Body:
    return {
        "id": id_,
        "date": day,
        "start": f"{day}T{start}:05.120Z",
        "end": None if end is None else f"{day}T{end}:59.999Z",
        "startLocal": start,
        "endLocal": end,
        "raw": raw,
        "break": pause,
        "net": None if raw is None or pause is None else raw - pause,
        "source": "clock",
        "flags": ["shown_differs"] if pause else [],
        "reasons": [f"§ 4 ArbZG: {pause} min Pause"] if pause else [],
    }


def genuine(content: Body) -> bytes:
    return sealed(content, KEY.sign)


def changed(content: Body, change: Callable[[Body], object]) -> Body:
    copy = deepcopy(content)
    change(copy)
    return copy


FIRST = genuine(body("2026-10"))
SECOND = genuine(body("2026-11", {"month": "2026-10", "digest": digest_of(FIRST)}))
UNNAMED = genuine(body("2026-11"))


def _contradictory(change: Callable[[Body], object]) -> bytes:
    """Returns a statement with the genuine signature and a wrong content, as a bug would make it."""
    return genuine(changed(body(), change))


def _forged(change: Callable[[Body], object]) -> bytes:
    """Returns a statement that was changed after signing and encoded canonically again."""
    return canonical(changed(json.loads(UNNAMED), change))


def _other_letters(content: Body) -> None:
    """The last letter of a signature has four bits to spare."""
    last = content["signature"][-1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    content["signature"] = content["signature"][:-1] + letters[letters.index(last) + 1]


def _own_key(content: Body) -> None:
    content["kid"] = FOREIGN.kid
    content["keys"] = [FOREIGN.published()]


def _swap(content: Body) -> None:
    content["entries"][0], content["entries"][1] = content["entries"][1], content["entries"][0]


BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "format"),
    "no JSON": (b"Zeitnachweis", "format"),
    "no object": (b"[]", "format"),
    "null": (b"null", "format"),
    "cut off": (UNNAMED[:-1], "format"),
    "no UTF-8": (UNNAMED.replace("Söhne".encode(), b"S\xf6hne"), "format"),
    "a byte order mark": (b"\xef\xbb\xbf" + UNNAMED, "format"),
    "another format": (_forged(lambda content: content.update(format="stempelwerk-statement/2")), "format"),
    "no format": (_forged(lambda content: content.pop("format")), "format"),
    "NaN": (UNNAMED.replace(b'"carried":-120', b'"carried":NaN'), "format"),
    "a newline at the end": (UNNAMED + b"\n", "not_canonical"),
    "a space": (UNNAMED.replace(b",", b", ", 1), "not_canonical"),
    "indented": (json.dumps(json.loads(UNNAMED), indent=2, ensure_ascii=False).encode(), "not_canonical"),
    "members in another order": (
        json.dumps(dict(reversed(json.loads(UNNAMED).items())), separators=(",", ":"), ensure_ascii=False).encode(),
        "not_canonical",
    ),
    "escaped letters": (UNNAMED.replace("ö".encode(), b"\\u00f6"), "not_canonical"),
    "a letter as an escape": (UNNAMED.replace(b"\\t", b"\\u0009"), "not_canonical"),
    "half of a character": (UNNAMED.replace(b"Tor 1", b"\\ud800"), "not_canonical"),
    "a member twice": (UNNAMED.replace(b'"carried":-120', b'"carried":9,"carried":-120'), "not_canonical"),
    "a fraction": (UNNAMED.replace(b'"carried":-120', b'"carried":-120.5'), "not_canonical"),
    "a whole number as a fraction": (UNNAMED.replace(b'"carried":-120', b'"carried":-120.0'), "not_canonical"),
    "an exponent": (UNNAMED.replace(b'"carried":-120', b'"carried":-12e1'), "not_canonical"),
    "minus zero": (UNNAMED.replace(b'"carried":-120', b'"carried":-0'), "not_canonical"),
    "a number that is too great": (UNNAMED.replace(b"-120", b"9007199254740992"), "not_canonical"),
    "too deep": (UNNAMED.replace(b'"carried":-120', b'"carried":' + b"[" * 9 + b"]" * 9), "not_canonical"),
    "no key": (_forged(lambda content: content.pop("kid")), "unknown_key"),
    "a key that is a number": (_forged(lambda content: content.update(kid=1)), "unknown_key"),
    "a name that every object has": (_forged(lambda content: content.update(kid="__proto__")), "unknown_key"),
    "another name that every object has": (_forged(lambda content: content.update(kid="constructor")), "unknown_key"),
    "signed by a foreign key": (
        sealed(changed(body(), lambda content: content.update(kid=FOREIGN.kid)), FOREIGN.sign),
        "unknown_key",
    ),
    "a foreign key that it brings itself": (sealed(changed(body(), _own_key), FOREIGN.sign), "unknown_key"),
    "signed by a foreign key in the own one's name": (sealed(body(), FOREIGN.sign), "signature"),
    "no signature": (_forged(lambda content: content.pop("signature")), "signature"),
    "a signature that is null": (_forged(lambda content: content.update(signature=None)), "signature"),
    "a signature that is none": (_forged(lambda content: content.update(signature="AAAA")), "signature"),
    "a signature with padding": (
        _forged(lambda content: content.update(signature=content["signature"] + "==")),
        "signature",
    ),
    "a signature in other letters": (_forged(_other_letters), "signature"),
    "another's name": (_forged(lambda content: content["person"].update(username="ben")), "signature"),
    "a minute more": (
        _forged(lambda content: content["sums"].update(balance=content["sums"]["balance"] + 1)),
        "signature",
    ),
    "an entry less": (_forged(lambda content: content["entries"].pop()), "signature"),
    "two entries swapped": (_forged(_swap), "signature"),
    "another month": (_forged(lambda content: content.update(month="2026-09")), "signature"),
    "a member more": (_forged(lambda content: content.update(note="geprüft")), "signature"),
    "signed with a member more": (_contradictory(lambda content: content.update(note="geprüft")), "format"),
    "signed with a member less": (_contradictory(lambda content: content.pop("zone")), "format"),
    "signed with truth for a number": (_contradictory(lambda content: content["sums"].update(carried=True)), "format"),
    "signed with text for a list": (_contradictory(lambda content: content.update(stamps="")), "format"),
    "signed with a day that its entries do not give": (
        _contradictory(lambda content: content["days"][2].update(actual=494)),
        "sums",
    ),
    "signed with an entry that no day names": (
        _contradictory(lambda content: content["days"][3].update(entryIds=[])),
        "sums",
    ),
    "signed with an entry that is paid more": (
        _contradictory(lambda content: content["entries"][1].update(net=285)),
        "sums",
    ),
    "signed with an entry half complete": (_contradictory(lambda content: content["entries"][2].update(raw=1)), "sums"),
    "signed with an entry of another month": (
        _contradictory(lambda content: content["entries"][2].update(date="2026-12-04")),
        "sums",
    ),
    "signed with a day less": (_contradictory(lambda content: content["days"].pop()), "sums"),
    "signed with sums that the days do not give": (
        _contradictory(lambda content: content["sums"].update(target=1)),
        "sums",
    ),
    "signed with a balance that the sums do not give": (
        _contradictory(lambda content: content["sums"].update(balance=0)),
        "sums",
    ),
    "signed with a credit that no day has": (
        _contradictory(lambda content: content["sums"].update(credits=[])),
        "sums",
    ),
    "signed with a booking of another month": (
        _contradictory(lambda content: content["bookings"][0].update(date="2026-10-10")),
        "sums",
    ),
    "signed with a month that is none": (_contradictory(lambda content: content.update(month="2026-13")), "sums"),
}


def vectors() -> dict[str, Any]:
    files = [
        _vector("a genuine one", UNNAMED, "valid"),
        _vector("the first of two", FIRST, "valid"),
        _vector("one that names the one before", SECOND, "valid"),
        _vector("one with the one before", SECOND, "valid", FIRST),
        _vector("one with another before", SECOND, "previous_mismatch", UNNAMED),
        _vector("one with no statement before", SECOND, "previous_mismatch", b"{}"),
        _vector("one that names none, with another before", UNNAMED, "previous_missing", FIRST),
        *(_vector(name, content, code) for name, (content, code) in BROKEN.items()),
    ]
    return {"keys": [KEY.published()], "files": files}


def _vector(name: str, content: bytes, code: str, previous: bytes | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "content": b64encode(content).decode(),
        "previous": None if previous is None else b64encode(previous).decode(),
        "code": code,
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
