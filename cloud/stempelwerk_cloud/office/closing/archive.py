"""All data of a company as one archive for its own administrators.

It contains each person's data (`records`), the exports as they were made, the times of each year as a table, and the
papers; without data of modules that the company does not have. It is read ten people at a time and packed in a process
(`kit/files/packing`). A row records the progress, and that the archive was sent completely.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.files.packing.frames import File, encoded, of_rows
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.closing import tables
from stempelwerk_cloud.office.closing.tables import CompanyArchive
from stempelwerk_cloud.office.exports import service as exports
from stempelwerk_cloud.office.exports.tax_audit.inspection import HEADS as INSPECTION_HEADS
from stempelwerk_cloud.office.exports.tax_audit.inspection import lines as inspection_lines
from stempelwerk_cloud.office.privacy.documents import papers
from stempelwerk_cloud.office.privacy.documents.papers import TITLES as PAPERS
from stempelwerk_cloud.office.records import data
from stempelwerk_cloud.office.records.data import Person, switched_off
from stempelwerk_cloud.office.records.page import Sheet
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import feature_keys, today_of
from stempelwerk_cloud.people.directory.people import hidden, in_order
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.timekeeping.times.reading.values import first_days

PACKS = data.PACKS
_UNFIT = re.compile(r"[^\w.-]+")
_EXPORTS, _PAPERS = "monthly_mail", "privacy"
"""The modules of the endpoints that return a single export or paper."""
_PEOPLE_AT_ONCE: Final = 10
"""How many people's tables are in memory at once: 5 MB with three years of times."""


class Begun(NamedTuple):
    """An archive that has been begun and is not yet streamed."""

    company_id: str
    id: str
    name: str
    caller: Caller
    modules: frozenset[str]
    people: tuple[Person, ...]


def begin(platform: Platform, caller: Caller) -> Begun:
    """Begins an archive of all people whose data exist, including deleted ones (except `directory.hidden`); records it
    in the audit log.
    """
    company_id = caller.subject_company_id
    with unit_of_work(platform, scope_of(caller), caller) as work:
        name = work.company(company_id).name
        modules = frozenset(feature_keys(work.session, company_id))
        existing_users = select(User).where(
            User.company_id == company_id, User.erased_at.is_(None), User.id.not_in(hidden(company_id))
        )
        users = sorted(work.session.scalars(existing_users), key=in_order)
        people = tuple(
            Person(
                company_id, user.id, user.username, f"{user.username}, {name}", caller, modules, _folder(number, user)
            )
            for number, user in enumerate(users, 1)
        )
        row = CompanyArchive(
            company_id=company_id,
            id=work.new_id(),
            begun_at=work.now(),
            begun_by=work.actor_id,
            done=0,
            total=len(people),
        )
        work.session.add(row)
        work.audit(company_id, tables.ARCHIVED, company_id, new_values={"people": len(people)})
        sessions.recheck_session(work.session, caller)
        return Begun(company_id, row.id, name, caller, modules, people)


def steps(platform: Platform, begun: Begun, settings: Sequence[Setting[Any]]) -> Iterator[list[bytes]]:
    """Yields the frames of the archive. Each step has transactions of its own."""
    for place in range(0, len(begun.people), _PEOPLE_AT_ONCE):
        people = begun.people[place : place + _PEOPLE_AT_ONCE]
        yield from data.steps(platform, people)
        _note(platform, begun, done=place + len(people))
    yield from _common(platform, begun, settings)


def watched(platform: Platform, begun: Begun) -> Any:
    """Returns a filter for the chunks of an archive: it records digest, size and end in the row before the last chunk
    is sent.
    """

    async def watch(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        digest, size, last = hashlib.sha256(), 0, b""
        async for chunk in chunks:
            if last:
                yield last
            digest.update(chunk)
            size, last = size + len(chunk), chunk
        outcome = {"ended_at": platform.clock.now(), "digest": digest.digest(), "size": size}
        async with platform.page_turns.slot(*page_shares(begun.company_id, begun.caller.user_id)):
            await run_in_threadpool(_note, platform, begun, **outcome)
        yield last

    return watch


def _folder(number: int, user: User) -> str:
    return f"personen/{number:04d}-{_UNFIT.sub('-', user.username)}/"


def _common(platform: Platform, begun: Begun, settings: Sequence[Setting[Any]]) -> Iterator[list[bytes]]:
    """Yields the frames of the files about the whole company."""
    company_id, scope = begun.company_id, scope_of(begun.caller)
    with platform.database.read(scope) as session:
        files = exports.kept_files(session, company_id)
        firsts = first_days(session, company_id, [person.user_id for person in begun.people])
        today = today_of(session, company_id, platform.clock.now())
    for year in range(min(firsts.values(), default=today).year, today.year + 1):
        days = date(year, 1, 1), date(year, 12, 31)
        lines = inspection_lines(platform, company_id, *days)
        yield [
            encoded(Sheet(f"zeiten/zeiten-{year}.csv", list(INSPECTION_HEADS))),
            *of_rows(lines),
        ]
    if _PAPERS in begun.modules:
        for name in PAPERS:
            with platform.database.read(scope) as session:
                order = papers.ordered(UnitOfWork(session, platform, None), company_id, name, settings)
            paper = subprocess_render.render(platform, company_id, order, is_short=True)
            yield [encoded(File(f"papiere/{name}.pdf", paper))]
    if _EXPORTS in begun.modules:
        for number, export_id in enumerate(files, 1):
            with platform.database.read(scope) as session:
                export_file = exports.file(session, company_id, export_id)
            yield [encoded(File(f"exporte/{number:04d}-{export_file.name}", export_file.content))]
    missing = {"papiere": _PAPERS, "exporte": _EXPORTS}.items()
    if missing_notes := [
        f"{folder}: {switched_off(module)}.\r\n" for folder, module in missing if module not in begun.modules
    ]:
        yield [encoded(File("was-hier-fehlt.txt", "".join(missing_notes).encode()))]


def _note(platform: Platform, begun: Begun, **values: Any) -> None:
    with platform.database.write(scope_of(begun.caller)) as session:
        row = session.get_one(CompanyArchive, (begun.company_id, begun.id))
        for name, value in values.items():
            setattr(row, name, value)


def list_archives(session: Session, company_id: str) -> list[CompanyArchive]:
    """Returns the newest 50 archives, finished or not, newest first."""
    own_archives = select(CompanyArchive).where(CompanyArchive.company_id == company_id)
    return list(session.scalars(own_archives.order_by(CompanyArchive.id.desc()).limit(50)))
