"""Fills an installation with companies, people, clocks and their stamps, through the product's own use cases.

Every stamp goes through the merge, signed, in batches as clocks deliver them after an outage; so entries, receipts and
streams are as the service makes them. One company is large and has a year of history; the others share the rest.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import select, text
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.signed.signatures import SignedRequest
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes import assignments
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import store as files
from stempelwerk_cloud.kit.files.checking import Checked
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports.files.making import make
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, USER
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.users import commands, tags
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.planning.absences.sick_notes import notes, reports
from stempelwerk_cloud.planning.calendar import service as calendar
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger.deriving.deciding import rebuild

from stempelwerk_tools.bench import history
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.bench.sides.signed_clock import SignedClock

_STAMPS = "/api/devices/stamps"
_BATCH = 500
_TOGETHER = 8
_UNUSABLE = "!"  # as a password's hash: sessions are opened directly
_WORKED = timedelta(hours=8, minutes=30)
_FORGETS_EVERY = 41  # a Gehen is missing, so the entry comes up for review
_STRANGE_EVERY = 499  # a tap with an unknown tag, which is held

_Taps = list[tuple[str, datetime]]


@dataclass(frozen=True)
class Size:
    """The counts of an installation. `large` people are in the one large company; it has `days` of real taps, and
    before them `years` of history that is inserted as rows.
    """

    companies: int
    people: int
    clocks: int
    stamps: int
    large: int = 200
    days: int = 220
    years: int = 3


TINY = Size(companies=20, people=200, clocks=40, stamps=8_000, large=20, days=40, years=1)
SMALL = Size(companies=100, people=2_000, clocks=200, stamps=150_000)
WHOLE = Size(companies=1_000, people=20_000, clocks=5_000, stamps=1_760_000)
SIZES = {"small": SMALL, "whole": WHOLE}


@dataclass
class Crowd:
    """The content of a filled installation: ids in the large company, session tokens to read with, and clocks that can
    sign.

    `absence_id` is a sick day of that person, with a note; `correction_id` an open request of theirs for a correction;
    `calendar` the secret of their calendar address. `export_id`: last month's file of the large company; `mail_id`: a
    mail that leads to one. `update`: the SHA-256 of a file that clocks may fetch. `sessions`: the sessions of `tokens`
    as a page stores them. `firms`: all companies, the large one first.
    """

    company_id: str
    user_id: str
    device_id: str
    absence_id: str
    clocks: list[SignedClock]
    tags: list[str]
    tokens: list[str] = field(default_factory=list)
    calendar: str = ""
    correction_id: str = ""
    export_id: str = ""
    mail_id: str = ""
    update: str = ""
    sessions: list[dict[str, str]] = field(default_factory=list)
    firms: list[Firm] = field(default_factory=list)


@dataclass
class Firm:
    """A company: its people with the administrator first, their tags, and its clocks."""

    company_id: str
    user_ids: list[str]
    tags: list[str]
    clocks: list[SignedClock]
    device_ids: list[str]


def fill(platform: Platform, origin: str, size: Size, say: Callable[[str], None]) -> Crowd:
    """Makes companies, people, clocks and stamps. Raises Void if a batch is refused, or if the entries differ from
    those that a rebuild makes.
    """
    today = datetime.now(UTC).replace(hour=7, minute=0, second=0, microsecond=0)
    first = today - timedelta(days=size.days * 7 // 5 + 7)
    numbers = itertools.count()
    firms = [_firm(platform, origin, number, size, first, numbers) for number in range(size.companies)]
    say(f"{size.companies:,} companies, {size.people:,} people and {size.clocks:,} clocks are there")
    remaining_stamps = max(size.stamps - 2 * size.days * size.large, 0)
    remaining_people = max(size.people - size.large, 1)
    for number, firm in enumerate(firms):
        days = size.days if number == 0 else max(round(remaining_stamps / remaining_people / 2), 1)
        _stamp(platform, origin, firm, first, days)
    large = firms[0]
    with platform.database.read(SYSTEM) as session:
        count = session.execute(text("SELECT count(*) FROM stamps")).scalar_one()
    say(f"{count:,} stamps are there")
    with unit_of_work(platform, SYSTEM) as work:
        difference = rebuild(work, large.company_id)
        if difference.entries or difference.stamps:
            raise Void(f"{len(difference.entries)} entries of the large company are not what its stamps make")
        founder = commands.create(work, "founder of the crowd", _UNUSABLE)
        council = large.user_ids[2]
        find_user(work.session, large.company_id, council).works_council = True
        members = [(large.company_id, user_id) for user_id in (*large.user_ids[:2], council)]
        session_users = [*members[:2], (founder.company_id, founder.id), members[2]]
        tokens = [open_session(work, company_id, user_id, "bench") for company_id, user_id in session_users]
        stored_sessions = [
            _stored_session(work, *user, token) for user, token in zip(session_users, tokens, strict=True)
        ]
    if size.years:
        with platform.database.write(SYSTEM) as session:
            entries = history.fill(session, large.company_id, large.user_ids, size.years, today.date(), first.date())
        say(f"{entries:,} entries of {size.years} years before")
    with unit_of_work(platform, SYSTEM) as work:
        secret = calendar.give(work, calendar.Holder(large.company_id, large.user_ids[1]))
        wish = CorrectionRequest(
            company_id=large.company_id,
            id=work.new_id(),
            user_id=large.user_ids[1],
            date=(today - timedelta(days=1)).date(),
            new_start=8 * 60,
            new_end=16 * 60,
            status="pending",
            created_at=work.now(),
            created_by=large.user_ids[1],
        )
        work.session.add(wish)
        correction_id = wish.id
    absence_id = _reported_sick(platform, tokens[1])
    ids = (large.company_id, large.user_ids[1], large.device_ids[0], absence_id)
    export_id = _exported(platform, large.company_id, f"{today.replace(day=1) - timedelta(days=1):%Y-%m}")
    mail_id = _mailed(platform, large.company_id)
    references = (secret, correction_id, export_id, mail_id, _released(platform))
    return Crowd(*ids, large.clocks, large.tags, tokens, *references, stored_sessions, firms)


def _stored_session(work: UnitOfWork, company_id: str, user_id: str, token: str) -> dict[str, str]:
    user = find_user(work.session, company_id, user_id)
    parts = {"token": token, "role": user.role, "username": user.username, "companyId": company_id, "userId": user_id}
    return parts | ({"worksCouncil": "true"} if user.works_council else {})


def _exported(platform: Platform, company_id: str, month: str) -> str:
    make(platform, company_id, month, "csv")
    with platform.database.read(SYSTEM) as session:
        return session.scalars(select(Export.id).where(Export.company_id == company_id)).first() or ""


def _mailed(platform: Platform, company_id: str) -> str:
    """Makes an export mail that leads to a file; returns its id."""
    with unit_of_work(platform, SYSTEM) as work:
        mail = ExportMail(
            company_id=company_id,
            id=work.new_id(),
            mailing_id=work.new_id(),
            month="2026-10",
            at=work.now(),
            recipient="lohn@holzmann.de",
            delivery="link",
            state="sent",
            draft=False,
            file_id=files.store(work.session, platform, company_id, b"Personalnummer", "text/csv"),
            file_name="times_2026-10.xlsx",
        )
        work.session.add(mail)
        return mail.id


def _released(platform: Platform) -> str:
    """Publishes a release with a file as large as a wheel of ours; returns the file's SHA-256."""
    content, now = bytes(120_000), platform.clock.now()
    sha256 = hashlib.sha256(content).hexdigest()
    with platform.database.write(SYSTEM) as session:
        session.add(UpdateMetadata(role="root", version=1, content=bytes(2_300), at=now))
        session.add(UpdateRelease(channel="stable", version="1.0.0", notes="", published_at=now))
        session.flush()
        file = {"channel": "stable", "version": "1.0.0", "sha256": sha256, "length": len(content)}
        session.add(UpdateTarget(path="stable/wheel.whl", **file))
    updates.folder(platform).mkdir(parents=True, exist_ok=True)
    (updates.folder(platform) / sha256).write_bytes(content)
    return sha256


def _reported_sick(platform: Platform, token: str) -> str:
    """Reports a sick day with a note in the name of the session's employee; returns the absence's id."""
    now = platform.clock.now()
    with unit_of_work(platform, SYSTEM) as work:
        caller = sessions.caller_of(work.session, token, now)
    if caller is None:
        raise Void("the session of the crowd's employee is over")
    with unit_of_work(platform, SYSTEM, caller[0]) as work:
        (absence,) = reports.report(work, now.date(), now.date(), None)
        return notes.add(work, absence.id, Checked(b"%PDF-1.7", "application/pdf")).id


def _firm(platform: Platform, origin: str, number: int, size: Size, first: datetime, numbers: Iterator[int]) -> Firm:
    """Makes a company with its share of people and clocks; its first person is the administrator."""
    count = size.large if number == 0 else _share(size.people - size.large, size.companies - 1, number - 1)
    with unit_of_work(platform, SYSTEM) as work:
        firm = Firm(companies.create(work, f"Firma {number:04}").id, [], [], [], [])
        for serial in itertools.islice(numbers, count):
            role = USER if firm.user_ids else COMPANY_ADMIN
            user = users.insert(work, firm.company_id, f"person {serial:05}", _UNUSABLE, role)
            values = {"username": ErasableText(user.username), "role": role}
            work.audit(firm.company_id, Action("user.created"), user.id, new_values=values)
            firm.tags.append(f"04C0{serial:010X}")
            tags.give(work, user, firm.tags[-1], None)
            firm.user_ids.append(user.id)
        for serial in itertools.islice(numbers, _share(size.clocks, size.companies, number)):
            clock = SignedClock(origin, serial, ["04"], first)
            identity = Identity(f"SW-B-{serial}", "", "core", "1.0.0", f"bench:{serial}", clock.public_key)
            device = devices.enrol(work.session, platform, identity)
            no, _ = assignments.assign(work, device.id, firm.company_id, first - timedelta(days=1))
            assignment_ids = work.session.execute(
                text("SELECT id FROM device_assignments WHERE device_no = :no"), {"no": no}
            )
            clock.assignment = str(assignment_ids.scalar_one())
            firm.clocks.append(clock)
            firm.device_ids.append(device.id)
    return firm


def _share(total: int, parts: int, number: int) -> int:
    return total // parts + (number < total % parts) if parts > 0 else 0


def _stamp(platform: Platform, origin: str, firm: Firm, first: datetime, days: int) -> None:
    """Makes the taps of the people on `days` workdays, and delivers them by the company's clocks."""
    taps: list[_Taps] = [[] for _ in firm.clocks]
    worked = list(_workdays(first, days))
    off = [history.days_off(number, worked[0].date(), worked[-1].date()) for number in range(len(firm.tags))]
    for day, date in enumerate(worked):
        for number, tag in enumerate(firm.tags):
            if date.date() in off[number]:
                continue
            turn = day * len(firm.tags) + number
            came = date + timedelta(minutes=number % 60)
            clock_taps = taps[number % len(taps)]
            clock_taps.append((tag if turn % _STRANGE_EVERY else f"04FF{turn % 7:010X}", came))
            if turn % _FORGETS_EVERY:
                clock_taps.append((tag, came + _WORKED))
    waiting = [
        (clock, sorted_taps[place : place + _BATCH])
        for clock, sorted_taps in zip(firm.clocks, map(_in_time, taps), strict=True)
        for place in range(0, len(sorted_taps), _BATCH)
    ]
    waiting.sort(key=lambda batch: batch[1][0][1])
    for place in range(0, len(waiting), _TOGETHER):
        _deliver(platform, origin, waiting[place : place + _TOGETHER])


def _workdays(first: datetime, days: int) -> Iterator[datetime]:
    date = first
    for _ in range(days):
        while date.weekday() >= 5:
            date += timedelta(days=1)
        yield date
        date += timedelta(days=1)


def _in_time(taps: _Taps) -> _Taps:
    return sorted(taps, key=lambda tap: tap[1])


def _deliver(
    platform: Platform, origin: str, batches: Sequence[tuple[SignedClock, list[tuple[str, datetime]]]]
) -> None:
    calls = []
    for clock, taps in batches:
        body = clock.batch_of(taps)
        headers = {name.lower(): value for name, value in clock.headers("POST", _STAMPS, body).items()}
        calls.append(Call(SignedRequest("POST", origin + _STAMPS, headers, body), "127.0.0.1"))
    for outcome in merge(platform, calls):
        if isinstance(outcome, Exception):
            raise Void(f"a batch was refused: {outcome!r}") from outcome
