"""Erasure of the data of a person who has left, where no retention forbids it.

- An administrator orders it, or it happens automatically when the last retention ends.
- All times are erased together: at the end of the company's retention years after the year of the last one, because a
  year's balance depends on the years before.
- The person's row stays without a name, because decisions of others reference its id. The audit log stays too: it has
  never contained names.
- Sick notes, and free text in absences, leave and corrections, are erased at once, because days and times are recorded
  without them. A booking retains its text, because its amount cannot be understood without it.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.retention import retained_through
from stempelwerk_cloud.kit import room
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import table_of
from stempelwerk_cloud.kit.database.described import Part, column_description, in_erasure_order, parts
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.records import words
from stempelwerk_cloud.office.records.years import TIMES_YEARS
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import lock_company, lock_rules, settings_on, today_of, zone_of
from stempelwerk_cloud.people.directory.people import lock_people
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.directory.visibility import reachable_person
from stempelwerk_cloud.people.directory.words import protected_edit
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

ERASED = Action("records.erased")
OWN_WORDS = "Eigene Worte und Nachweise"
REASONS_LISTED = ("berufsschule", "kind krank", "sonderurlaub", "unbezahlt", "elternzeit", "mutterschutz")
"""Reasons of special absences that are no free text, in lower case: they name a kind of absence."""
AS_TIMES = (
    "Aufzeichnung der Arbeitszeit und was auf ihr beruht (§ 16 Abs. 2 ArbZG, § 17 MiLoG):"
    " {years} Jahre über das Jahresende hinaus."
)
AS_NAME = "Damit die Zeiten zuzuordnen sind. Danach steht hier eine Nummer."
AS_TOLD = "Der Monat, wie ihn die Lohnabrechnung bekam, mit Namen und Stunden (§ 147 AO): sechs Jahre."
AS_DECISIONS = "Nachweis von Entscheidungen (GoBD): nur Kennungen, keine Namen."


@dataclass(frozen=True)
class Erased:
    """A number of erased rows of a person. `what` is the German name of their table."""

    what: str
    count: int


@dataclass(frozen=True)
class Retained:
    """A number of rows of a person that a retention forbids to erase. `what` is the German name of their table.

    `until`: the last day of the retention; None: as long as the company exists. `why`: the law, in German.
    """

    what: str
    count: int
    until: date | None
    why: str


class Erasure(NamedTuple):
    erased: list[Erased]
    kept: list[Retained]


def erase(work: UnitOfWork, user_id: str, comment: str) -> Erasure:
    """Erases all data of a person who has left that no retention protects, and ends their login.

    404 for an unknown person, 409 while they are employed or if they are protected.
    """
    user = reachable_person(work.session, work.caller, user_id, also_deleted=True)
    work.company(user.company_id)
    user = _lock_person(work, user)
    if user.deleted_at is None and not user.has_left(work.now()):
        raise words.still_employed()
    if user.protected_as is not None:
        raise protected_edit(user.protected_as)
    return _erase(work, user, {"comment": ErasableText(comment, subject_id=work.actor_id)})


def finish(platform: Platform) -> bool:
    """Erases the remaining data of people whose last retention has ended, also in closed companies."""
    now = platform.clock.now()
    with platform.database.read(SYSTEM) as session:
        has_left = or_(User.deleted_at.is_not(None), User.leaves_at <= now, Company.closed_at.is_not(None))
        candidates = select(User.company_id, User.id).join(Company, Company.id == User.company_id)
        waiting = session.execute(
            candidates.where(has_left, User.erased_at.is_(None), User.protected_as.is_(None))
        ).all()
        due = [(company_id, user_id) for company_id, user_id in waiting if _is_due(session, now, company_id, user_id)]

    def erase(company_id: str, user_id: str) -> None:
        with unit_of_work(platform, of_company(company_id)) as work:
            lock_company(work.session, company_id, shared=True)
            _erase(work, _lock_person(work, work.session.get_one(User, (company_id, user_id))), {})

    return room.for_each_company("finish_erasures", due, erase)


def _is_due(session: Session, now: datetime, company_id: str, user_id: str) -> bool:
    return _through(session, now, company_id, user_id)[0] < today_of(session, company_id, now)


def _lock_person(work: UnitOfWork, user: User) -> User:
    """Locks the person's row against other writers and reloads it."""
    session, key = work.session, (user.company_id, user.id)
    lock_rules(session, user.company_id)
    lock_people(session, user.company_id, [user.id])
    session.expire_all()
    return session.get_one(User, key)


def _erase(work: UnitOfWork, user: User, log_values: Mapping[str, Any]) -> Erasure:
    session, company_id = work.session, user.company_id
    counts = {part: _count(session, part, user) for part in parts()}
    told_payroll = list(_payroll_records(session, company_id, user.id))
    if user.deleted_at is None:
        users.remove(work, user)
    locks.take(session, Lock.PLAN, company_id)
    through, years = _through(session, work.now(), company_id, user.id)
    today = today_of(session, company_id, work.now())
    records = [part for part in counts if part.fate == "with times" and counts[part]]
    over = through < today or not records
    going = [part for part in counts if part.fate == "at once" or (over and part.fate == "with times")]
    emptied = _empty(session, company_id, user.id, [part for part in counts if part not in going])
    _forget_answers(session, company_id, user.id)
    if over:
        user.username = f"Gelöscht {user.id[-8:]}"
        user.username_key = name_key(user.username)
        user.erased_at = work.now()
        session.flush()
    for part in in_erasure_order(going):
        session.execute(delete(part.table).where(part.rows(company_id, user.id)))
    audit.erase_words(session, company_id, user.id)
    erased = [Erased(part.title, counts[part]) for part in going if counts[part]]
    erased += [Erased(OWN_WORDS, emptied)] if emptied else []
    retained = [] if over else [Retained("Benutzername", 1, through, AS_NAME)]
    retained += (
        [] if over else [Retained(part.title, counts[part], through, AS_TIMES.format(years=years)) for part in records]
    )
    retained += told_payroll
    retained += [
        Retained(part.title, counts[part], None, AS_DECISIONS)
        for part in counts
        if part.table.name == "audit_entries" and counts[part]
    ]
    deleted = Counter[str]()
    for part in going:
        deleted[part.table.name] += counts[part]
    log_entry = {
        "erased": {name: count for name, count in deleted.items() if count},
        "until": through.isoformat(),
        **log_values,
    }
    if not over:
        log_entry["kept"] = {part.table.name: counts[part] for part in records}
    work.audit(company_id, ERASED, user.id, new_values=log_entry)
    return Erasure([*([Erased("Benutzername", 1)] if over else []), *erased], retained)


def _empty(session: Session, company_id: str, user_id: str, staying: Sequence[Part]) -> int:
    """Removes sick notes, and free text from rows that stay; returns their number."""
    absences = table_of("absences")
    of_person = (absences.c.company_id == company_id) & (absences.c.user_id == user_id)
    notes = [
        note for note in session.scalars(select(absences.c.file_id).where(of_person).distinct()) if note is not None
    ]
    session.execute(update(absences).where(of_person).values(file_id=None))
    store.remove(session, company_id, notes)
    emptied = len(notes)
    for part in staying:
        table, rows = part.table, part.rows(company_id, user_id)
        for column in table.columns:
            if column_description(column).free_text:
                emptying = update(table).where(rows, column.is_not(None)).values({column.key: None})
                emptied += len(session.execute(emptying.returning(table.c.id)).all())
    own_words = (
        of_person
        & absences.c.reason.is_not(None)
        & func.lower(absences.c.reason).not_in(_reasons_kept(session, company_id))
    )
    emptied += len(
        session.execute(update(absences).where(own_words).values(reason=None).returning(absences.c.id)).all()
    )
    return emptied


def _reasons_kept(session: Session, company_id: str) -> list[str]:
    """Returns the reasons that stay, in lower case: the listed ones, and those with a key in the company's payroll
    mapping.
    """
    mappings = table_of("payroll_mappings")
    keyed = [
        reason.lower()
        for mapping in session.scalars(select(mappings.c.mapping).where(mappings.c.company_id == company_id))
        for reason in (json.loads(mapping).get("absenceKeys") or {})
    ]
    return [*REASONS_LISTED, *keyed]


def _forget_answers(session: Session, company_id: str, user_id: str) -> None:
    """Deletes stored answers to other people's calls that contain the person's id."""
    answers = table_of("kept_answers")
    own_answers = answers.c.company_id == company_id
    rows = session.execute(
        select(answers.c.user_id, answers.c.key, answers.c.body).where(own_answers, answers.c.body.is_not(None))
    )
    for caller_id, key in [(caller_id, key) for caller_id, key, body in rows if user_id.encode() in body]:
        session.execute(delete(answers).where(own_answers, answers.c.user_id == caller_id, answers.c.key == key))


def _through(session: Session, now: datetime, company_id: str, user_id: str) -> tuple[date, int]:
    """Returns the last day of the retention of the person's times, and the company's retention in years."""
    user, company = session.get_one(User, (company_id, user_id)), session.get_one(Company, company_id)
    zone = zone_of(session, company_id, now)
    end_instants = [
        instant
        for instant in (user.deleted_at, user.leaves_at, company.closed_at)
        if instant is not None and instant <= now
    ]
    days = [min(local_day(instant, zone) for instant in end_instants)]
    table, numbers = table_of("entries"), table_of("person_numbers")
    same_person = and_(numbers.c.company_id == table.c.company_id, numbers.c.no == table.c.person_no)
    of_person = (numbers.c.company_id == company_id) & (numbers.c.user_id == user_id)
    last = session.scalar(select(func.max(table.c.date)).join(numbers, same_person).where(of_person))
    years = settings_on(session, company_id, local_day(now, zone))[TIMES_YEARS]
    return retained_through([*days, *([] if last is None else [last])], years), years


def _payroll_records(session: Session, company_id: str, user_id: str) -> Iterator[Retained]:
    """Yields the exports and locked months with times of the person, which stay unchanged."""
    entries, numbers = table_of("entries"), table_of("person_numbers")
    same_person = and_(numbers.c.company_id == entries.c.company_id, numbers.c.no == entries.c.person_no)
    of_person = (numbers.c.company_id == company_id) & (numbers.c.user_id == user_id)
    dates = session.scalars(select(entries.c.date).join(numbers, same_person).where(of_person).distinct())
    months = sorted({day.isoformat()[:7] for day in dates})
    for name, title in (("exports", "Exporte"), ("month_locks", "Gesperrte Monate")):
        table = table_of(name)
        theirs = select(func.count(), func.max(table.c.keep_until)).where(
            table.c.company_id == company_id, table.c.month.in_(months)
        )
        count, kept_until = session.execute(theirs).one()
        if count:
            yield Retained(title, count, kept_until, AS_TOLD)


def _count(session: Session, part: Part, user: User) -> int:
    return session.scalar(select(func.count()).select_from(part.table).where(part.rows(user.company_id, user.id))) or 0
