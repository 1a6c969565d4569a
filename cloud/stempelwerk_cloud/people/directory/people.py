"""Queries on people and their tags, the locks of people's rows, and dated values of people, such as weekly targets.

Rooms define the names and the meaning of their dated values.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.memory import remembered
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows, read_list
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN, USER
from stempelwerk_cloud.people.directory.companies import find_company
from stempelwerk_cloud.people.directory.tables import PersonValue, TagHolding, User

SYSTEM_ADMINISTRATOR = "System-Admin"
"""The name that a company sees instead of the system administrator who decided something."""

_PERSON = (
    "SELECT u.id::text, u.username, u.role, u.is_locked, u.leaves_at, (SELECT @list(t.id, t.tag) FROM tag_holdings t"
    " WHERE t.company_id = :company::uuid AND t.user_id = u.id AND t.held_until IS NULL) FROM {people}"
)
_EVERYBODY = Statement(_PERSON.format(people="users u WHERE u.company_id = :company::uuid AND u.deleted_at IS NULL"))
_THESE = Statement(
    _PERSON.format(
        people="@rows(w: user_id uuid)"
        " @lookup(u: users WHERE u.company_id = :company::uuid AND u.id = w.user_id AND u.deleted_at IS NULL)"
    )
)


@dataclass(frozen=True, slots=True)
class Person:
    """A person who is not deleted, with the tags that they currently hold. `leaves_at`: the instant when the day of
    exit ends.

    `steward`: whether the person is an administrator who is not locked and has not left.
    """

    user_id: str
    username: str
    tags: tuple[str, ...]
    steward: bool = False
    leaves_at: datetime | None = None


def by_name(username: str, user_id: str) -> tuple[str, str]:
    """Returns the sort key of every list of people: alphabetically by username, then by id."""
    return german.alphabetical(username), user_id


def in_order(user: User) -> tuple[str, str]:
    """Returns the same sort key for a user's row."""
    return by_name(user.username, user.id)


def find_person(session: Session, company_id: str, user_id: str) -> User | None:
    """Returns the person; None if unknown or deleted."""
    user = session.get(User, (company_id, user_id))
    return None if user is None or user.deleted_at is not None else user


def names_around(session: Session, company_id: str, user_id: str) -> list[str]:
    """Returns the names that a password of this person must not be: the username and the company's."""
    user, company = find_person(session, company_id, user_id), find_company(session, company_id)
    return [name for name in (user and user.username, company and company.name) if name]


def find_anywhere(session: Session, user_id: str, *, also_deleted: bool = False) -> User | None:
    """Returns the person in any company; a deleted one only with `also_deleted`."""
    query = select(User).where(User.id == user_id)
    return session.scalar(query if also_deleted else query.where(User.deleted_at.is_(None)))


def by_username(session: Session, company_id: str, username_key: str) -> User | None:
    return session.scalar(
        select(User).where(User.company_id == company_id, User.username_key == username_key, User.deleted_at.is_(None))
    )


def people_in(session: Session, company_id: str) -> list[User]:
    """Returns all people who are not deleted, by username."""
    query = select(User).where(_is_in(company_id))
    return list(remembered(session, User, company_id, lambda: sorted(session.scalars(query), key=in_order)))


def staff_in(session: Session, company_id: str, *, deleted: bool = False) -> list[User]:
    """Returns the people that a company's lists name, by username; with `deleted` also deleted people, at the end.

    No list of a company names its system administrators (`hidden`).
    """
    users = [*people_in(session, company_id), *(deleted_in(session, company_id) if deleted else ())]
    return [user for user in users if user.role != ADMIN]


def hidden(company_id: str) -> Select[str]:
    """Returns a SELECT of the ids of the company's system administrators, for query conditions: no list of a company
    names them.

    Founders see them in the list of people. All other lists of people, or of rows about people, leave them out for
    every caller, so a file does not depend on who makes it.
    """
    return select(User.id).where(User.company_id == company_id, User.role == ADMIN)


def hidden_in(session: Session, company_id: str) -> set[str]:
    """Returns the ids of the company's system administrators, for lists that are filtered after reading."""
    return set(session.scalars(hidden(company_id)))


def deleted_in(session: Session, company_id: str) -> list[User]:
    """Returns the deleted people who are not erased yet and so still have a name, by username."""
    conditions = (User.company_id == company_id, User.deleted_at.is_not(None), User.erased_at.is_(None))
    return sorted(session.scalars(select(User).where(*conditions)), key=in_order)


def administrators_of(session: Session, company_id: str) -> list[str]:
    """Returns the ids of the company's own administrators."""
    return [user.id for user in people_in(session, company_id) if user.role == COMPANY_ADMIN]


def lock_people(session: Session, company_id: str, user_ids: Iterable[str]) -> None:
    in_order = sorted(set(user_ids))
    locks.record_row_lock(session, Lock.PERSON, [(company_id, user_id) for user_id in in_order])
    if session.get_bind().dialect.name != "postgresql":
        return
    session.execute(
        select(User.id)
        .where(User.company_id == company_id, User.id.in_(in_order))
        .order_by(User.id)
        .with_for_update(key_share=True)
    )


def holdings_of_tag(session: Session, company_id: str, tag: str) -> list[TagHolding]:
    return list(session.scalars(select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.tag == tag)))


def tags_ever_held(session: Session, company_id: str, tags: Collection[str]) -> set[str]:
    """Returns those of the tags that any person of the company holds or has held."""
    conditions = TagHolding.company_id == company_id, TagHolding.tag.in_(tags)
    return set(session.scalars(select(TagHolding.tag).where(*conditions)))


def open_holdings(session: Session, company_id: str, user_id: str | None = None) -> Sequence[TagHolding]:
    """Returns the tag holdings without an end, of one person or of all, oldest first."""
    query = select(TagHolding).where(TagHolding.company_id == company_id, TagHolding.held_until.is_(None))
    if user_id is not None:
        query = query.where(TagHolding.user_id == user_id)
    return list(session.scalars(query.order_by(TagHolding.id)))


def people_of(
    session: Session, company_id: str, now: datetime, user_ids: Collection[str] | None = None
) -> list[Person]:
    """Returns all people of the company, or the existing ones of these, by username, with their current tags."""
    session.flush()
    parameters = {"company": company_id}
    if user_ids is not None:
        parameters["w"] = as_rows([{"user_id": user_id} for user_id in user_ids])
    rows = Sql(session).rows(_EVERYBODY if user_ids is None else _THESE, parameters)
    people = [
        Person(
            user_id,
            name,
            tuple(tag for _, tag in sorted(read_list(held_tags))),
            role != USER and not is_locked and (leaves_ms is None or ms_of(now) < leaves_ms),
            None if leaves_ms is None else from_ms(leaves_ms),
        )
        for user_id, name, role, is_locked, leaves_ms, held_tags in rows
    ]
    return sorted(people, key=lambda person: by_name(person.username, person.user_id))


def names_of(session: Session, company_id: str, user_ids: Iterable[str | None]) -> dict[str, str]:
    """Returns the usernames of these people of the company, also of deleted ones: their decisions stay."""
    ids = sorted({user_id for user_id in user_ids if user_id is not None})
    if not ids:
        return {}
    query = select(User.id, User.username).where(User.company_id == company_id, User.id.in_(ids))
    return {row.id: row.username for row in session.execute(query)}


def deciders_of(session: Session, company_id: str, user_ids: Iterable[str | None]) -> dict[str | None, str]:
    """Returns the usernames of people who decided something, by id, also of deleted ones. A system administrator is
    named `SYSTEM_ADMINISTRATOR`, so no company learns which one it was.
    """
    ids = {user_id for user_id in user_ids if user_id is not None}
    if not ids:
        return {}
    query = select(User.id, User.username).where(
        User.company_id == company_id, User.id.in_(sorted(ids)), User.role != ADMIN
    )
    names = {row.id: row.username for row in session.execute(query)}
    return {user_id: names.get(user_id, SYSTEM_ADMINISTRATOR) for user_id in ids}


def usernames(session: Session, company_id: str, deleted_since: datetime | None = None) -> dict[str, str]:
    """Returns usernames by id, sorted, of all people who are not deleted, or who were deleted at `deleted_since` or
    later.

    Leaves out `hidden` people.
    """
    is_listed = _is_in(company_id)
    if deleted_since is not None:
        is_listed |= (User.company_id == company_id) & (User.deleted_at >= deleted_since)
    rows = session.execute(select(User.id, User.username).where(is_listed, User.role != ADMIN)).all()
    return {row.id: row.username for row in sorted(rows, key=lambda row: by_name(row.username, row.id))}


def find_user(session: Session, company_id: str, user_id: str) -> User:
    """Returns the person; 404 if unknown or deleted."""
    user = find_person(session, company_id, user_id)
    if user is None:
        raise not_found()
    return user


def _is_in(company_id: str) -> ColumnElement[bool]:
    """Returns the condition that a user's row belongs to the company and is not deleted."""
    return (User.company_id == company_id) & User.deleted_at.is_(None)


_VALUES = (
    "SELECT v.user_id::text, v.name, v.valid_from::text, v.value FROM {people}"
    " AND v.name IN (SELECT n.name FROM @rows(n: name text))"
)
_VALUES_OF_COMPANY = Statement(
    _VALUES.format(people="person_values v WHERE v.company_id = :company::uuid") + " ORDER BY v.valid_from"
)
_VALUES_OF_PEOPLE = Statement(
    _VALUES.format(
        people="@rows(w: user_id uuid)"
        " @lookup(v: person_values WHERE v.company_id = :company::uuid AND v.user_id = w.user_id) WHERE true"
    )
    + " ORDER BY v.valid_from"
)


def person_values(
    session: Session, company_id: str, names: Collection[str], user_ids: Iterable[str] | None = None
) -> dict[str, list[Change]]:
    """Returns the values with these names by user id: the changes with the day that they hold from, oldest first."""
    session.flush()
    parameters = {"company": company_id, "n": as_rows([{"name": name} for name in names])}
    if user_ids is not None:
        parameters["w"] = as_rows([{"user_id": user_id} for user_id in set(user_ids)])
    by_person: dict[str, list[Change]] = {}
    for user_id, name, valid_from, value in Sql(session).rows(
        _VALUES_OF_COMPANY if user_ids is None else _VALUES_OF_PEOPLE, parameters
    ):
        by_person.setdefault(user_id, []).append(Change(name, date.fromisoformat(valid_from), value))
    return by_person


def add_person_values(
    session: Session, company_id: str, changes: Iterable[tuple[str, Change]], now: datetime, actor_id: str | None
) -> None:
    """Adds values of people who have no values with these names yet."""
    session.add_all(
        PersonValue(
            company_id=company_id,
            user_id=user_id,
            name=change.setting,
            valid_from=change.valid_from,
            value=change.value,
            set_at=now,
            set_by=actor_id,
        )
        for user_id, change in changes
    )
    session.flush()


def set_person_value(
    session: Session, company_id: str, user_id: str, change: Change, now: datetime, actor_id: str | None
) -> None:
    """Stores a value from a day on, replacing a value that holds from that same day."""
    row = session.get(PersonValue, (company_id, user_id, change.setting, change.valid_from))
    if row is None:
        row = PersonValue(company_id=company_id, user_id=user_id, name=change.setting, valid_from=change.valid_from)
        session.add(row)
    row.value, row.set_at, row.set_by = change.value, now, actor_id
    session.flush()
