"""Pages of a company's audit log, with the names of people and things, which are stored elsewhere; and its entries for
the operator log.
"""

import json
import uuid
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.audit.chain import WORD
from stempelwerk_cloud.people.audit.service import RESOLVERS, Resolver, Subject
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.audit_log import queries
from stempelwerk_cloud.people.directory.callers import ADMIN, Caller
from stempelwerk_cloud.people.directory.people import SYSTEM_ADMINISTRATOR, names_of
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.directory.visibility import is_founder
from stempelwerk_cloud.people.work import UnitOfWork


class AuditRow(Wire):
    """A decision. `actor` null: the installation's own command. An erased word is null in `before` and `after`."""

    id: str
    at: InstantField
    actor: str | None
    actor_name: str | None
    action: str
    subject: str | None
    subject_name: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    hash: str


def page(
    work: UnitOfWork,
    limit: int,
    *,
    before_id: str | None,
    start: datetime | None,
    end: datetime | None,
    actor: str | None,
    action: str | None,
) -> tuple[list[AuditRow], str | None]:
    """Returns a page of audit entries of the call's company, newest first, and the id to continue before, if there are
    more.
    """
    session, company_id = work.session, work.caller.subject_company_id
    before_no = None if before_id is None else queries.number_of(session, company_id, before_id)
    if before_id is not None and before_no is None:
        raise NoSuchRow(before_id)
    hidden = _hidden(session, work.caller)
    entries = queries.entries(
        session,
        company_id,
        limit + 1,
        hidden=hidden,
        own_only=_is_own_only(work.caller),
        before_no=before_no,
        start=start,
        end=end,
        actor=actor,
        action=action,
    )
    page_entries = entries[:limit]
    return rows(work, company_id, page_entries, hidden), page_entries[-1].id if len(entries) > limit else None


def kinds(work: UnitOfWork) -> list[str]:
    """Returns the actions that occur in the log of the call's company."""
    return queries.kinds(work.session, work.caller.subject_company_id, own_only=_is_own_only(work.caller))


def _is_own_only(caller: Caller) -> bool:
    """Returns whether entries about other companies are hidden: only system administrators know which companies
    exist.
    """
    return caller.role != ADMIN


def _hidden(session: Session, caller: Caller) -> set[str]:
    """Returns the ids of the system administrators that the caller may not see: only founders see all, others only
    themselves.
    """
    if is_founder(session, caller):
        return set()
    admins = select(User.id).where(User.company_id == caller.subject_company_id, User.role == ADMIN)
    return set(session.scalars(admins)) - {caller.user_id}


def rows(work: UnitOfWork, company_id: str, entries: list[AuditEntry], hidden: set[str]) -> list[AuditRow]:
    """Converts entries to rows with the current names of people and things. People in `hidden` are not named."""
    session = work.session
    values = {entry.id: (_read(entry.before), _read(entry.after)) for entry in entries}
    words = queries.words(session, company_id, set(_words_in(values.values())))
    actors = {entry.actor for entry in entries if entry.actor is not None}
    referenced_ids = actors | {entry.subject or "" for entry in entries} | set(_concerned_people(values.values()))
    names_by_id = names_of(session, company_id, [subject for subject in referenced_ids if _is_id(subject)])
    people = names_by_id | dict.fromkeys(hidden, SYSTEM_ADMINISTRATOR)
    outsiders = _name_outsiders(session, work.caller, actors - people.keys())
    subjects = _name_subjects(work, company_id, entries)
    described = []
    for entry in entries:
        old_value, new_value = (_resolve_words(value, words) for value in values[entry.id])
        concerned = next(_concerned_people([(new_value, old_value)]), "")
        described.append(
            AuditRow(
                id=entry.id,
                at=entry.at,
                actor=entry.actor,
                actor_name=None if entry.actor is None else (people | outsiders).get(entry.actor),
                action=entry.action,
                subject=entry.subject,
                subject_name=subjects.get(entry.id) or people.get(entry.subject or "") or people.get(concerned),
                before=old_value,
                after=new_value,
                hash=entry.hash.hex(),
            )
        )
    return described


def _concerned_people(values: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """Yields the ids of people (`userId`) in the values of entries, as pairs of before and after."""
    return (value["userId"] for pair in values for value in pair if value and "userId" in value)


def _is_id(subject: str) -> bool:
    try:
        uuid.UUID(subject)
    except ValueError:
        return False
    return True


def _name_outsiders(session: Session, caller: Caller, actors: set[str]) -> dict[str, str]:
    """Names actors from outside the company as system administrators; only founders see which one."""
    if not actors:
        return {}
    names_by_id: dict[str, str] = {}
    if is_founder(session, caller):
        rows = session.execute(select(User.id, User.username).where(User.id.in_(actors)))
        names_by_id = {row.id: row.username for row in rows}
    return dict.fromkeys(actors, SYSTEM_ADMINISTRATOR) | names_by_id


def _name_subjects(work: UnitOfWork, company_id: str, entries: list[AuditEntry]) -> dict[str, str]:
    """Returns the known names of the entries' subjects, by entry id."""
    by_kind: dict[str, dict[str, Subject]] = {}
    for entry in entries:
        if entry.subject is not None:
            kind = entry.action.partition(".")[0]
            by_kind.setdefault(kind, {})[entry.id] = Subject(entry.subject, entry.at)
    names_by_entry: dict[str, str] = {}
    resolvers_by_kind: dict[str, Resolver] = {"company": _name_companies} | RESOLVERS.of(work.platform)
    for kind, resolver in resolvers_by_kind.items():
        subjects_by_entry = by_kind.get(kind, {})
        called = resolver(work.session, company_id, set(subjects_by_entry.values())) if subjects_by_entry else {}
        names_by_entry |= {
            entry_id: called[subject] for entry_id, subject in subjects_by_entry.items() if subject in called
        }
    return names_by_entry


def _name_companies(session: Session, _company_id: str, subjects: Collection[Subject]) -> dict[Subject, str]:
    """Returns the current names of companies."""
    rows = session.execute(select(Company.id, Company.name).where(Company.id.in_({subject.id for subject in subjects})))
    names = {row.id: row.name for row in rows}
    return {subject: names[subject.id] for subject in subjects if subject.id in names}


def _read(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _words_in(value: Any) -> Iterable[str]:
    """Yields the ids of the personal words in a value."""
    if isinstance(value, dict):
        if value.keys() == {WORD}:
            yield value[WORD]
        else:
            yield from _words_in(value.values())
    elif not isinstance(value, str | int | None):
        for member in value:
            yield from _words_in(member)


def _resolve_words(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, dict):
        if value.keys() == {WORD}:
            return words.get(value[WORD])
        return {name: _resolve_words(member, words) for name, member in value.items()}
    if isinstance(value, list):
        return [_resolve_words(member, words) for member in value]
    return value


def entries_of(work: UnitOfWork, company_id: str, ids: Collection[str]) -> list[AuditRow]:
    """Returns these entries of a company's log with every known name, as the operator log shows them."""
    return rows(work, company_id, queries.by_ids(work.session, company_id, ids), set())
