"""All data of a company as one file, for its own administrators: of each person what `records` gives of them, the
exports as they were made, the times of each year as a table, and the papers.

It is given out while it is made, person by person; how far it is, and that it was given out whole, stays in a row.
"""

import hashlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.scopes import Scope
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.zips import Sink
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.closing import actions
from stempelwerk_cloud.office.closing.tables import CompanyArchive
from stempelwerk_cloud.office.exports import service as exports
from stempelwerk_cloud.office.privacy import service as privacy
from stempelwerk_cloud.office.records import service as records
from stempelwerk_cloud.office.records.service import Person
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.service import sessions
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import Work, working
from stempelwerk_cloud.timekeeping.entries import service as entries

_UNFIT = re.compile(r"[^\w.-]+")


class Begun(NamedTuple):
    """An archive that is about to be given out."""

    company_id: str
    id: str
    name: str
    scope: Scope
    people: tuple[Person, ...]


def begin(platform: Platform, caller: Caller) -> Begun:
    """Of everybody whose data are still there, also who was deleted. That it was taken stands in the log."""
    company_id = caller.subject_company_id
    with working(platform, scope_of(caller), caller) as work:
        name = work.company(company_id).name
        there = select(User).where(User.company_id == company_id, User.erased_at.is_(None))
        pay = "costs" in directory.feature_keys(work.session, company_id)
        scope = scope_of(caller)
        people = tuple(
            Person(company_id, one.id, one.username, f"{one.username}, {name}", scope, pay)
            for one in sorted(work.session.scalars(there), key=directory.in_order)
        )
        row = CompanyArchive(
            company_id=company_id,
            id=work.new_id(),
            begun_at=work.now(),
            begun_by=work.by,
            done=0,
            total=len(people),
        )
        work.session.add(row)
        work.audit(company_id, actions.ARCHIVED, company_id, after={"people": len(people)})
        sessions.keep(work.session, caller)
        return Begun(company_id, row.id, name, scope, people)


def pieces(platform: Platform, begun: Begun, settings: Sequence[Setting[Any]]) -> Iterator[bytes]:
    """The archive, piece by piece."""
    sink, digest, size = Sink(), hashlib.sha256(), 0

    def given_out() -> bytes:
        nonlocal size
        piece = sink.taken()
        digest.update(piece)
        size += len(piece)
        return piece

    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, person in enumerate(begun.people, 1):
            folder = f"personen/{number:04d}-{_UNFIT.sub('-', person.username)}/"
            for _ in records.written_into(archive, platform, person, folder):
                yield given_out()
            _note(platform, begun, done=number)
        for name, content in _common(platform, begun, settings):
            archive.writestr(name, content)
            yield given_out()
    last = given_out()
    _note(platform, begun, ended_at=platform.clock.now(), digest=digest.digest(), size=size)
    yield last


def _common(platform: Platform, begun: Begun, settings: Sequence[Setting[Any]]) -> Iterator[tuple[str, bytes]]:
    """What is no single person's: (name, content)."""
    company_id = begun.company_id
    with platform.database.read(begun.scope) as session:
        papers = [(f"papiere/{name}.pdf", name) for name in privacy.PAPERS]
        files = exports.kept_files(session, company_id)
        firsts = entries.first_days(session, company_id, [one.user_id for one in begun.people])
        today = directory.today_of(session, company_id, platform.clock.now())
    for path, name in papers:
        with platform.database.read(begun.scope) as session:
            yield path, privacy.paper(Work(session, platform, None), company_id, name, settings)
    for year in range(min(firsts.values(), default=today).year, today.year + 1):
        days = date(year, 1, 1), date(year, 12, 31)
        yield f"zeiten/zeiten-{year}.csv", b"".join(exports.inspection(platform, company_id, *days))
    for number, export_id in enumerate(files, 1):
        with platform.database.read(begun.scope) as session:
            made = exports.file(session, company_id, export_id)
        yield f"exporte/{number:04d}-{made.name}", made.content


def _note(platform: Platform, begun: Begun, **values: Any) -> None:
    with platform.database.write(begun.scope) as session:
        row = session.get_one(CompanyArchive, (begun.company_id, begun.id))
        for name, value in values.items():
            setattr(row, name, value)


def listed(session: Session, company_id: str) -> list[CompanyArchive]:
    """Those that were taken or begun, newest first."""
    own = select(CompanyArchive).where(CompanyArchive.company_id == company_id)
    return list(session.scalars(own.order_by(CompanyArchive.id.desc()).limit(50)))
