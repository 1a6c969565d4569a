"""Use cases of a company's people (list, create, change, delete), and their interface for other rooms."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import EMPLOYED, PEOPLE_CHANGED
from stempelwerk_cloud.kit.http.body_checks import spelled
from stempelwerk_cloud.kit.http.problems import Problem, forbidden
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.access.identity.revocation import end_access
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.callers import ADMIN, USER, Role
from stempelwerk_cloud.people.directory.companies import find_company, is_operator, lock_rules, today_of
from stempelwerk_cloud.people.directory.people import by_username, open_holdings
from stempelwerk_cloud.people.directory.tables import USERNAME_LIMIT, Company, PersonValue, TagHolding, User
from stempelwerk_cloud.people.directory.tables import display_form as shown_name
from stempelwerk_cloud.people.directory.tables import fits as name_fits
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.directory.visibility import is_founder, person_to_change, visible_people
from stempelwerk_cloud.people.directory.words import protected_edit
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.employment.values import PERSONNEL_NUMBER
from stempelwerk_cloud.people.users import tags, words
from stempelwerk_cloud.people.work import UnitOfWork

CREATED = Action("user.created")
CHANGED = Action("user.changed")
ROLE = Action("user.role")
TAG = Action("user.tag")
WORKS_COUNCIL = Action("user.works_council")
DELETED = Action("user.deleted")


read_tag, read_stamped_tag, read_moment = tags.read_tag, tags.read_stamped_tag, tags.read_moment


@dataclass(frozen=True, slots=True)
class UserView:
    """A person for the list of people. `tag`: the tag held last, or the person's protection; `factor`: the second
    factor; `department`: today's.
    """

    user: User
    tag: str | None
    factor: second_factor.Kind | None
    department: str | None


def visible_users(work: UnitOfWork, *, deleted: bool = False) -> list[UserView]:
    """Returns the people of the call's company. System administrators are visible only to founders and to themselves.

    `deleted`: returns the deleted people who are not erased yet instead; raises 403 for an employee.
    """
    if deleted and work.caller.role == USER:
        raise forbidden()
    session, company_id = work.session, work.caller.subject_company_id
    tags_by_user = {row.user_id: row.tag for row in open_holdings(session, company_id)}
    factors = second_factor.kinds(session, company_id)
    departments = _departments(work, company_id)
    return [
        UserView(user, user.protected_as or tags_by_user.get(user.id), factors.get(user.id), departments.get(user.id))
        for user in visible_people(session, work.caller, company_id, deleted=deleted)
    ]


def view_user(work: UnitOfWork, user: User) -> UserView:
    session, company_id = work.session, user.company_id
    tag = user.protected_as or tags.current(session, company_id, user.id)
    factor = second_factor.kinds(session, company_id, user_id=user.id).get(user.id)
    return UserView(user, tag, factor, _departments(work, company_id, [user.id]).get(user.id))


def _departments(work: UnitOfWork, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, str]:
    today = today_of(work.session, company_id, work.now())
    return employment.departments_on(work.session, company_id, today, user_ids)


def create(
    work: UnitOfWork,
    *,
    company_id: str,
    username: str,
    password_hash: str,
    tag: str,
    role: Role,
    tag_from: datetime | None,
) -> User:
    """Creates a person with a tag. Raises 403 if the caller's role does not allow it, 404 for another company, 409 for
    a taken username or tag, 422 for malformed values.
    """
    work.caller.must_reach(company_id)
    work.company(company_id)
    lock_rules(work.session, company_id)  # before the name: a renaming that owns the rules waits for it
    if role == ADMIN:
        if not is_founder(work.session, work.caller):
            raise words.founder_creates()
        _need_operator(work.session, company_id)
    spelled, tag_start = tags.read_tag(tag), tag_from and tags.read_moment(work, tag_from)
    user = insert(work, company_id, username, password_hash, role)
    tags.give(work, user, spelled, tag_start)
    _audit_created(work, user, spelled, tag_start)
    work.emit(PEOPLE_CHANGED, company_id=company_id, user_ids=[user.id])
    work.emit(EMPLOYED, company_id=company_id, user_ids=[user.id])
    return user


def ensure_password(work: UnitOfWork, company_id: str, password: str) -> None:
    """Raises 422 for a password that is common or the company's name; 403 and 404 as `create` does."""
    work.caller.must_reach(company_id)
    company = find_company(work.session, company_id)
    refusal = passwords.find_refusal(password, [] if company is None else [company.name])
    if refusal is not None:
        raise words.password_refused(refusal)


class Newcomer(NamedTuple):
    """A person to create. `reset_until`: until when the password holds; it is then a reset password. None: it holds for
    good.
    """

    username: str
    tag: str
    role: Role
    password_hash: str
    reset_until: datetime | None


def create_all(work: UnitOfWork, company_id: str, newcomers: Sequence[Newcomer]) -> list[User]:
    """Creates people with a tag each, in few statements; returns them in the same order. The caller holds the company's
    rules (`Lock.RULES`).

    The caller has checked that `Taken` refuses no newcomer, that it may create them, and that they are no system
    administrators.
    """
    now = work.now()
    users = [
        User(
            company_id=company_id,
            id=work.new_id(),
            username=newcomer.username,
            username_key=name_key(newcomer.username),
            password_hash=newcomer.password_hash,
            reset_expires_at=newcomer.reset_until,
            role=newcomer.role,
            created_at=now,
        )
        for newcomer in newcomers
    ]
    work.session.add_all(users)
    work.session.flush()
    user_tags = [(user, newcomer.tag) for user, newcomer in zip(users, newcomers, strict=True)]
    tags.give_first(work, company_id, user_tags)
    for user, tag in user_tags:
        _audit_created(work, user, tag, None)
    work.emit(PEOPLE_CHANGED, company_id=company_id, user_ids=[user.id for user in users])
    return users


class Taken:
    """The names, tags and personnel numbers of a company's people, for checking many newcomers before any is created.

    `company_name`: the company's; empty if it is unknown. `number_holders`: the username by personnel number, as a
    whole number. The numbers of deleted people are free.
    """

    def __init__(self, session: Session, company_id: str) -> None:
        rows = session.execute(_people_query(company_id)).all()
        self.company_name = rows[0].company_name if rows else ""
        self._tags = {row.tag for row in rows if row.tag is not None}
        present = [row for row in rows if row.id is not None and row.deleted_at is None]
        self._names = {row.username_key for row in present}
        numbers = {
            row.id: (json.loads(row.number), row.username)
            for row in present
            if row.number is not None and row.role != ADMIN
        }
        self.number_holders = {int(number): username for number, username in numbers.values() if number is not None}

    def refusals(self, username: str, tag: str) -> list[Problem]:
        """Returns the refusals that `create` would raise for a taken username or tag; empty if both are free."""
        refusals = [words.username_taken()] if name_key(username) in self._names else []
        return [*refusals, words.tag_taken()] if tag in self._tags else refusals


def _people_query(company_id: str) -> Select[*tuple[Any, ...]]:
    """Returns a SELECT of the company's name with all its people, each with the tags held now and the personnel numbers
    (JSON), the newest last; one row without a person for a company without people.
    """
    columns = User.id, User.username, User.username_key, User.role, User.deleted_at, TagHolding.tag
    holds = (
        (TagHolding.company_id == User.company_id) & (TagHolding.user_id == User.id) & TagHolding.held_until.is_(None)
    )
    is_number = (
        (PersonValue.company_id == User.company_id)
        & (PersonValue.user_id == User.id)
        & (PersonValue.name == PERSONNEL_NUMBER)
    )
    return (
        select(Company.name.label("company_name"), *columns, PersonValue.value.label("number"))
        .select_from(Company)
        .outerjoin(User, User.company_id == Company.id)
        .outerjoin(TagHolding, holds)
        .outerjoin(PersonValue, is_number)
        .where(Company.id == company_id)
        .order_by(PersonValue.valid_from)
    )


def read_name(username: str) -> str:
    """Returns a username as it is stored. 422 if nothing of it is visible, or it is too long."""
    spelled = shown_name(username)
    if not spelled:
        raise words.username_missing()
    if not name_fits(username, USERNAME_LIMIT):
        raise words.username_too_long(USERNAME_LIMIT)
    return spelled


def insert(work: UnitOfWork, company_id: str, username: str, password_hash: str, role: Role) -> User:
    """Creates a person without a tag; the caller has checked the permission. 409 if the username is taken."""
    user = User(
        company_id=company_id,
        id=work.new_id(),
        username=_free_name(work.session, company_id, username, None),
        username_key=name_key(username),
        password_hash=password_hash,
        role=role,
        created_at=work.now(),
    )
    work.session.add(user)
    work.session.flush()
    return user


def to_edit(work: UnitOfWork, user_id: str) -> User:
    """Returns the person, locked as by `directory.person_to_change`. Raises 403 for a protected person."""
    user = person_to_change(work.session, work.caller, user_id)
    if user.protected_as is not None:
        raise protected_edit(user.protected_as)
    return user


def give_tag(work: UnitOfWork, user: User, tag: str, held_from: datetime) -> None:
    """Gives the person, whom `to_edit` returned, a further tag from exactly that instant on. Raises 409 if it belongs
    to another.
    """
    tags.give(work, user, tag, held_from, exact=True)


def change(
    work: UnitOfWork,
    user_id: str,
    *,
    company_id: str | None = None,
    username: str | None,
    tag: str | None,
    role: Role | None,
    tag_from: datetime | None,
    works_council: bool | None = None,
) -> User:
    """Changes the given fields; None leaves a field unchanged. A new tag replaces all held ones. A new role ends the
    sessions, and so does joining or leaving the works council.

    `company_id`, if given, must be the person's company: people cannot move between companies.
    """
    user = to_edit(work, user_id)
    if company_id is not None and spelled(company_id) != user.company_id:
        raise words.of_another_company()
    new_role = None if role == user.role else role
    if new_role is not None:
        _change_role(work, user, new_role)
    moved = _change_council(work, user, works_council)
    renamed = username is not None and _rename(work, user, username)
    if tag is not None:
        tag_start = tag_from and tags.read_moment(work, tag_from)
        change_tag(work, user, tags.read_tag(tag, tags.all_held(work.session, user.company_id, user.id)), tag_start)
    work.session.flush()
    if new_role is not None or renamed:  # after the tag, whose locks come before those of a plan
        work.emit(PEOPLE_CHANGED, company_id=user.company_id, user_ids=[user.id])
    if new_role is not None or moved:
        end_access(work, user.company_id, user_ids=[user.id])
    return user


def change_tag(work: UnitOfWork, user: User, tag: str, tag_from: datetime | None) -> None:
    """Replaces the person's tags by `tag` from `tag_from` or now on. 409 if it is another person's."""
    lock_rules(work.session, user.company_id)
    held_tags = tags.all_held(work.session, user.company_id, user.id)
    shown_before = held_tags[-1] if held_tags else None
    if tag == shown_before and tag_from is None:
        return
    tags.give(work, user, tag, tag_from)
    if tag != shown_before:
        tags.withdraw(work, user, set(held_tags) - {tag}, tag_from or work.now())
    work.audit(user.company_id, TAG, user.id, _tag_values(shown_before), _tag_values(tag, tag_from))


def delete(work: UnitOfWork, user_id: str) -> None:
    """Deletes the person: ends the login and the tags. The recorded times remain. Raises 404, 403, 409."""
    user = person_to_change(work.session, work.caller, user_id)
    if user.protected_as is not None:
        raise words.protected_delete()
    if user.id == work.caller.user_id:
        raise words.not_oneself()
    remove(work, user)


def remove(work: UnitOfWork, user: User) -> None:
    """Deletes a person whose row is locked: ends the login and the tags. The caller has checked the permission."""
    now = work.now()
    held_tags = [row.tag for row in open_holdings(work.session, user.company_id, user.id)]
    tags.withdraw(work, user, held_tags, now)
    user.deleted_at, user.password_hash = now, ""
    work.session.flush()
    old_values = {
        "username": ErasableText(user.username),
        "role": user.role,
        "tags": [ErasableText(tag) for tag in held_tags],
    }
    work.audit(user.company_id, DELETED, user.id, old_values=old_values)
    second_factor.remove(work.session, user.company_id, user.id)
    work.emit(PEOPLE_CHANGED, company_id=user.company_id, user_ids=[user.id])
    end_access(work, user.company_id, user_ids=[user.id])


def _free_name(session: Session, company_id: str, username: str, owner_id: str | None) -> str:
    spelled = read_name(username)
    namesake = by_username(session, company_id, name_key(username))
    if namesake is not None and namesake.id != owner_id:
        raise words.username_taken()
    return spelled


def _rename(work: UnitOfWork, user: User, username: str) -> bool:
    """Renames the person; returns False if the name is the same. Raises 409 for a taken name, 422 for an invalid
    one.
    """
    spelled = _free_name(work.session, user.company_id, username, user.id)
    if spelled == user.username:
        return False
    old_values, new_values = {"username": ErasableText(user.username)}, {"username": ErasableText(spelled)}
    work.audit(user.company_id, CHANGED, user.id, old_values, new_values)
    user.username, user.username_key = spelled, name_key(username)
    work.session.flush()
    return True


def _change_role(work: UnitOfWork, user: User, role: Role) -> None:
    if ADMIN in {role, user.role} and not is_founder(work.session, work.caller):
        raise words.founder_assigns()
    if role == ADMIN:
        _need_operator(work.session, user.company_id)
    if user.id == work.caller.user_id:
        raise words.not_oneself()
    work.audit(user.company_id, ROLE, user.id, {"role": user.role}, {"role": role})
    user.role = role


def _change_council(work: UnitOfWork, user: User, works_council: bool | None) -> bool:
    """Sets the membership in the works council, which ends with any role but an employee's. Returns whether it
    changed.
    """
    if works_council and user.role != USER:
        raise words.council_is_employed()
    was_member, is_member = user.works_council, user.works_council if works_council is None else works_council
    user.works_council = is_member and user.role == USER
    if user.works_council == was_member:
        return False
    work.audit(user.company_id, WORKS_COUNCIL, user.id, {"worksCouncil": was_member}, {"worksCouncil": not was_member})
    return True


def _audit_created(work: UnitOfWork, user: User, tag: str, tag_start: datetime | None) -> None:
    created_values = {"username": ErasableText(user.username), "role": user.role} | _tag_values(tag, tag_start)
    work.audit(user.company_id, CREATED, user.id, new_values=created_values)


def _tag_values(tag: str | None, tag_from: datetime | None = None) -> dict[str, object]:
    """Returns a tag's values for the audit log, with the instant that it counts from, if one was given."""
    values: dict[str, object] = {"tag": None if tag is None else ErasableText(tag)}
    return values if tag_from is None else values | {"tagFrom": format_instant(tag_from)}


def _need_operator(session: Session, company_id: str) -> None:
    if not is_operator(session, company_id):
        raise words.admins_at_operator_only()
