"""Attacks that let one person or one company slow others: for each, the requests of its connections (lanes)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from stempelwerk_tools.bench.sides.flood import Lane
from stempelwerk_tools.bench.sides.load import request, run
from stempelwerk_tools.bench.sides.side import Void

SESSIONS = 10
CROWD = 30


@dataclass(frozen=True)
class Camp:
    """The attacking company. `tokens` are the session tokens of each person by id; the administrator comes first."""

    port: int
    company_id: str
    tokens: dict[str, list[str]]

    @property
    def administrator(self) -> str:
        """The id of the company's administrator."""
        return next(iter(self.tokens))

    @property
    def employees(self) -> list[str]:
        """The ids of the people who are not administrators."""
        return list(self.tokens)[1:]

    def get(self, token: str, path: str, **names: str) -> bytes:
        """Returns the bytes of a GET request; see `send`."""
        return self.send(token, "GET", path, **names)

    def send(self, token: str, method: str, path: str, body: object = None, **names: str) -> bytes:
        """Returns the bytes of a request with a JSON body. `path` may have `{company}` and the placeholders in
        `names`.
        """
        content = b"" if body is None else json.dumps(body).encode()
        where = path.format(company=self.company_id, **names)
        return request(method, where, content, {"Authorization": f"Bearer {token}"})

    def upload(self, token: str, path: str, content: bytes, name: str) -> bytes:
        """Returns the bytes of a request that uploads a file."""
        boundary = "3f1c7ba65c0e"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
        }
        body = head + content + f"\r\n--{boundary}--\r\n".encode()
        return request("POST", path.format(company=self.company_id), body, headers)


def _today() -> date:
    return datetime.now(UTC).date()


def _months(count: int) -> Iterator[str]:
    day = _today()
    for _ in range(count):
        day = day.replace(day=1) - timedelta(days=1)
        yield f"{day:%Y-%m}"


def _paper_of_one(camp: Camp) -> list[Lane]:
    user_id = camp.employees[0]
    paths = [f"/api/users/{user_id}/statement?month={month}&format=pdf" for month in _months(6)]
    return [Lane([camp.get(token, path) for path in paths]) for token in camp.tokens[user_id]]


def _papers_of_all(camp: Camp) -> list[Lane]:
    (month,) = _months(1)
    path = f"/api/users/{{user}}/statement?month={month}&format=pdf"
    return [Lane([camp.get(camp.tokens[user_id][0], path, user=user_id)]) for user_id in camp.employees[:CROWD]]


def _pages_of_one(camp: Camp) -> list[Lane]:
    user_id = camp.employees[0]
    return [Lane(_own_pages(camp, user_id, token)) for token in camp.tokens[user_id] for _ in range(2)]


def _pages_of_all(camp: Camp) -> list[Lane]:
    return [Lane(_own_pages(camp, user_id, camp.tokens[user_id][0])) for user_id in camp.employees[:CROWD]]


def _own_pages(camp: Camp, user_id: str, token: str) -> list[bytes]:
    year = _today().year
    first = _today() - timedelta(days=365)
    paths = [f"/times?from={first}", f"/account?year={year}", f"/absences?from={first}"]
    return [camp.get(token, "/api/users/{user}" + path, user=user_id) for path in paths]


_HEAVY = (
    "accounts?month={month}",
    "compensation-costs?year={year}",
    "compensation-costs?month={month}",
    "today",
    "review",
    "attendance",
    "absences?status=all",
    "export-check?month={month}&format=lodas",
    "exports",
    "vacation-notices?year={year}",
)


def _office(camp: Camp) -> list[Lane]:
    (month,) = _months(1)
    paths = [template.format(month=month, year=_today().year) for template in _HEAVY]
    return [
        Lane([camp.get(token, f"/api/companies/{{company}}/{path}") for path in paths[turn:] + paths[:turn]])
        for turn, token in enumerate(camp.tokens[camp.administrator])
    ]


def _spellings(camp: Camp) -> list[Lane]:
    plain = camp.company_id.replace("-", "")
    spelled = [f"{plain[:cut]}-{plain[cut:]}" for cut in range(1, 21)]
    token = camp.tokens[camp.administrator][0]
    return [Lane([camp.get(token, f"/api/companies/{spelling}/accounts")]) for spelling in spelled]


def _files(camp: Camp) -> list[Lane]:
    tokens = camp.tokens[camp.administrator]
    wished = [
        *(f"export?month={month}&format={form}" for month in _months(3) for form in ("xlsx", "pdf", "csv")),
        *(f"inspection?from={_today().year - 1}-01-01&to={_today():%Y-%m-%d}&format={form}" for form in ("pdf", "csv")),
        "documents/verfahrensdokumentation.pdf",
        "documents/auftragsverarbeitung.pdf",
    ]
    paths = [f"/api/companies/{{company}}/{suffix}" for suffix in wished]
    return [Lane([camp.get(tokens[turn % len(tokens)], path)]) for turn, path in enumerate(paths)]


def _copies(camp: Camp) -> list[Lane]:
    """Returns lanes that download the archive, the dump, and each employee's own data; half of them never read the
    answer.
    """
    copies = [(camp.tokens[user_id][0], f"/api/users/{user_id}/data") for user_id in camp.employees[:CROWD]]
    boss = camp.tokens[camp.administrator]
    common = [(boss[0], "/api/companies/{company}/archive"), (boss[1], "/api/companies/{company}/data-dump?limit=0")]
    return [
        Lane([camp.get(token, path)], reads=turn % 2 == 0)
        for turn, (token, path) in enumerate([*common, *common, *copies])
    ]


def _look_ahead(camp: Camp) -> list[Lane]:
    body = {"breakPolicy": "none", "validFrom": f"{_today().year - 1}-01-01"}
    path = "/api/companies/{company}/settings?dryRun=true"
    return [Lane([camp.send(token, "PUT", path, body)]) for token in camp.tokens[camp.administrator]]


def _tables(camp: Camp) -> list[Lane]:
    """Returns lanes that upload tables of nothing but separators, and tables of one enormous row."""
    path = "/api/companies/{company}/users/import?dryRun=true"
    bodies = [b"username;tagId" + b";" * 160_000 + b"\nx;y\n", b"username;tagId\n" + b";" * 1_900_000, b'"' * 1_900_000]
    return [
        Lane([camp.upload(token, path, body, "people.csv") for body in bodies])
        for token in camp.tokens[camp.administrator]
    ]


def _notes(camp: Camp) -> list[Lane]:
    """Returns lanes of several people who upload pictures of forty megapixels as sick notes."""
    picture = _png(8_000, 5_000)
    lanes = []
    for user_id in camp.employees[:8]:
        token = camp.tokens[user_id][0]
        path = f"/api/absences/{_absence_of(camp, token)}/upload-sick-note"
        lanes.append(Lane([camp.upload(token, path, picture, "note.png")]))
    return lanes


def _absence_of(camp: Camp, token: str) -> str:
    """Returns the id of a sick day of today."""
    day = f"{_today()}"
    run(camp.port, [[camp.send(token, "POST", "/api/absences", {"startDate": day, "endDate": day})]])
    (user_id,) = [candidate for candidate, tokens in camp.tokens.items() if token in tokens]
    answer = run(camp.port, [[camp.get(token, f"/api/users/{user_id}/absences?from={day}&to={day}")]]).answers[0][0]
    rows = json.loads(answer.body)
    if not rows:
        raise Void(f"nobody is ill: {answer}")
    return str(rows[0]["id"])


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    pixels = zlib.compress(bytes(1 + 3 * width) * height, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def _logins(camp: Camp) -> list[Lane]:
    bodies = [
        {"company": "Firma 0000", "username": f"person {number:05}", "password": "falsch"} for number in range(40)
    ]
    return [Lane([request("POST", "/api/login", json.dumps(body).encode()) for body in bodies])] * 20


def _decisions(camp: Camp) -> list[Lane]:
    """Returns lanes of bookings by an administrator and requests by employees: each is stored, notified and logged."""
    day = _today() + timedelta(days=400)
    lanes = []
    for token in camp.tokens[camp.administrator]:
        booked = {"date": f"{_today()}", "minutes": 1, "reason": "Ausgleich"}
        calls = [
            camp.send(token, "POST", "/api/users/{user}/bookings", booked, user=user_id)
            for user_id in camp.employees[:20]
        ]
        lanes.append(Lane(calls))
    for user_id in camp.employees[:10]:
        wish = {"kind": "wish", "startDate": f"{day}", "endDate": f"{day}"}
        lanes.append(Lane([camp.send(camp.tokens[user_id][0], "POST", "/api/vacation-requests", wish)]))
    return lanes


def _streams(camp: Camp) -> list[Lane]:
    user_id = camp.employees[0]
    tokens = [camp.tokens[each][0] for each in camp.employees[:CROWD]]
    return [
        *(Lane([camp.get(token, "/api/events")], reads=False) for token in tokens for _ in range(4)),
        *(Lane([camp.get(token, "/api/messages")]) for token in camp.tokens[user_id]),
    ]


class Attack(NamedTuple):
    """The lanes of an attack, and the statuses that its first request may get."""

    lanes: Callable[[Camp], list[Lane]]
    statuses: tuple[int, ...] = (200, 429)


ATTACKS: dict[str, Attack] = {
    "one person's statements on paper": Attack(_paper_of_one),
    "statements of all people on paper": Attack(_papers_of_all),
    "one person's pages in ten sessions": Attack(_pages_of_one),
    "pages of all people": Attack(_pages_of_all),
    "an administrator's heavy pages": Attack(_office),
    "a company's id in other spellings": Attack(_spellings, (404,)),
    "files of months and years": Attack(_files),
    "archive, dump and the data of all people": Attack(_copies),
    "looks ahead": Attack(_look_ahead),
    "tables of separators": Attack(_tables, (422, 429)),
    "large pictures": Attack(_notes, (200, 201, 204, 429, 503)),
    "wrong passwords": Attack(_logins, (401, 429)),
    "decisions": Attack(_decisions, (201, 409, 429)),
    "event streams": Attack(_streams),
}


def prepared(attack: Attack, camp: Camp) -> list[Lane]:
    """Returns the lanes of an attack. Raises Void if the first answer has a status that the attack does not expect."""
    lanes = attack.lanes(camp)
    for lane in lanes:
        if lane.reads:
            answer = run(camp.port, [[lane.requests[0]]]).answers[0][0]
            if answer.status not in attack.statuses:
                raise Void(f"{lane.requests[0][:200]!r}: {answer.status} {answer.body[:200]!r}")
            break
    return lanes
