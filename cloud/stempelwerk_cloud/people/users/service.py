"""Use cases of people: who they are, which tags they hold, who may change them. What other rooms call."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import PEOPLE_CHANGED
from stempelwerk_cloud.kit.http.path_body_check import spelled
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.service import end_access, second_factor
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, Caller, Role
from stempelwerk_cloud.people.directory.tables import USERNAME_LIMIT, User
from stempelwerk_cloud.people.users import actions, problems, tags

read_tag, read_moment = tags.read_tag, tags.read_moment


@dataclass(frozen=True, slots=True)
class Shown:
    """A person, the word that stands in their tag field, and the second factor that they have."""

    user: User
    tag: str | None
    factor: second_factor.Kind | None


def visible_users(session: Session, caller: Caller) -> list[Shown]:
    """The people of the company that the call is about. System administrators are shown to founders and themselves."""
    company_id = caller.subject_company_id
    held = {row.user_id: row.tag for row in directory.open_holdings(session, company_id)}
    factors = second_factor.kinds(session, company_id)
    return [
        Shown(user, user.protected_as or held.get(user.id), factors.get(user.id))
        for user in directory.visible_people(session, caller, company_id)
    ]


def shown(session: Session, user: User) -> Shown:
    tag = user.protected_as or tags.current(session, user.company_id, user.id)
    return Shown(user, tag, second_factor.kinds(session, user.company_id, user_id=user.id).get(user.id))


def create(
    session: Session,
    platform: Platform,
    caller: Caller,
    *,
    company_id: str,
    username: str,
    password_hash: str,
    tag: str,
    role: Role,
    tag_from: datetime | None,
) -> User:
    """A new person with a tag. 403 by role, 404 another company, 409 a username or tag that is taken, 422 malformed."""
    caller.must_reach(company_id)
    directory.keep_open(session, company_id)
    directory.lock_rules(session, company_id)  # before the name, for which a renaming waits that owns the rules
    if role == ADMIN:
        if not directory.is_founder(session, caller):
            raise problems.founder_creates()
        _need_operator(session, company_id)
    spelled, begins = tags.read_tag(tag), tag_from and tags.read_moment(platform, tag_from)
    user = insert(session, platform, company_id, username, password_hash, role)
    tags.give(session, platform, user, spelled, begins)
    made = {"username": ErasableText(user.username), "role": role} | _tag_said(spelled, begins)
    audit.append(session, platform, company_id, caller.user_id, actions.CREATED, user.id, after=made)
    platform.signals.emit(session, PEOPLE_CHANGED, company_id=company_id, user_ids=[user.id])
    return user


def insert(
    session: Session, platform: Platform, company_id: str, username: str, password_hash: str, role: Role
) -> User:
    """A new person without a tag; who may do that is the caller's business. 409 if the username is taken."""
    user = User(
        company_id=company_id,
        id=platform.ids.new(),
        username=_free_name(session, company_id, username, None),
        username_key=directory.name_key(username),
        password_hash=password_hash,
        role=role,
        created_at=platform.clock.now(),
    )
    session.add(user)
    session.flush()
    return user


def to_edit(session: Session, caller: Caller, user_id: str) -> User:
    """The person as `directory.person_to_change`, unless they are protected (403)."""
    user = directory.person_to_change(session, caller, user_id)
    if user.protected_as is not None:
        raise directory.protected_edit(user.protected_as)
    return user


def give_tag(session: Session, platform: Platform, user: User, tag: str, since: datetime) -> None:
    """Gives the person (`to_edit`) a further tag from exactly that instant on. 409 if it is another's."""
    tags.give(session, platform, user, tag, since, exact=True)


def change(
    session: Session,
    platform: Platform,
    caller: Caller,
    user_id: str,
    *,
    company_id: str | None = None,
    username: str | None,
    tag: str | None,
    role: Role | None,
    tag_from: datetime | None,
) -> User:
    """What is None stays. A new role ends the person's sessions; a new tag replaces what they held.

    `company_id`, if given, must be the company whose the person is: nobody moves from one to another.
    """
    user = to_edit(session, caller, user_id)
    if company_id is not None and spelled(company_id) != user.company_id:
        raise problems.of_another_company()
    new_role = None if role == user.role else role
    if new_role is not None:
        _change_role(session, platform, caller, user, new_role)
    if username is not None:
        _rename(session, platform, caller, user, username)
    if tag is not None:
        begins = tag_from and tags.read_moment(platform, tag_from)
        change_tag(session, platform, user, tags.read_tag(tag), begins, caller.user_id)
    session.flush()
    if new_role is not None:
        end_access(session, platform, user.company_id, user_ids=[user.id])
    return user


def change_tag(
    session: Session, platform: Platform, user: User, tag: str, tag_from: datetime | None, by: str | None = None
) -> None:
    """The person's tag is `tag` from `tag_from` or now on; it replaces what they held. 409 if it is another's."""
    directory.lock_rules(session, user.company_id)
    held = {row.tag for row in directory.open_holdings(session, user.company_id, user.id)}
    shown_before = tags.current(session, user.company_id, user.id)
    if tag == shown_before and tag_from is None:
        return
    tags.give(session, platform, user, tag, tag_from)
    if tag != shown_before:
        tags.withdraw(session, platform, user, held - {tag}, tag_from or platform.clock.now())
    was, became = _tag_said(shown_before), _tag_said(tag, tag_from)
    audit.append(session, platform, user.company_id, by, actions.TAG, user.id, was, became)


def delete(session: Session, platform: Platform, caller: Caller, user_id: str) -> None:
    """Ends login and tags; the times remain."""
    user = directory.person_to_change(session, caller, user_id)
    if user.protected_as is not None:
        raise problems.protected_delete()
    if user.id == caller.user_id:
        raise problems.not_oneself()
    remove(session, platform, user, by=caller.user_id)


def remove(session: Session, platform: Platform, user: User, by: str | None) -> None:
    """Ends login and tags of somebody who is locked for that; who may do it is the caller's business."""
    now = platform.clock.now()
    held = [row.tag for row in directory.open_holdings(session, user.company_id, user.id)]
    tags.withdraw(session, platform, user, held, now)
    user.deleted_at = now
    session.flush()
    gone = {"username": ErasableText(user.username), "role": user.role, "tags": [ErasableText(tag) for tag in held]}
    audit.append(session, platform, user.company_id, by, actions.DELETED, user.id, before=gone)
    second_factor.remove(session, user.company_id, user.id)
    platform.signals.emit(session, PEOPLE_CHANGED, company_id=user.company_id, user_ids=[user.id])
    end_access(session, platform, user.company_id, user_ids=[user.id])


def _free_name(session: Session, company_id: str, username: str, owner_id: str | None) -> str:
    spelled = directory.shown_name(username)
    if not spelled:
        raise problems.username_missing()
    if not directory.name_fits(username, USERNAME_LIMIT):
        raise problems.username_too_long(USERNAME_LIMIT)
    other = directory.by_username(session, company_id, directory.name_key(username))
    if other is not None and other.id != owner_id:
        raise problems.username_taken()
    return spelled


def _rename(session: Session, platform: Platform, caller: Caller, user: User, username: str) -> None:
    spelled = _free_name(session, user.company_id, username, user.id)
    if spelled == user.username:
        return
    was, became = {"username": ErasableText(user.username)}, {"username": ErasableText(spelled)}
    audit.append(session, platform, user.company_id, caller.user_id, actions.CHANGED, user.id, was, became)
    user.username, user.username_key = spelled, directory.name_key(username)
    session.flush()
    platform.signals.emit(session, PEOPLE_CHANGED, company_id=user.company_id, user_ids=[user.id])


def _change_role(session: Session, platform: Platform, caller: Caller, user: User, role: Role) -> None:
    if ADMIN in {role, user.role} and not directory.is_founder(session, caller):
        raise problems.founder_assigns()
    if role == ADMIN:
        _need_operator(session, user.company_id)
    if user.id == caller.user_id:
        raise problems.not_oneself()
    was, became = {"role": user.role}, {"role": role}
    audit.append(session, platform, user.company_id, caller.user_id, actions.ROLE, user.id, was, became)
    user.role = role


def _tag_said(tag: str | None, tag_from: datetime | None = None) -> dict[str, object]:
    """A tag as the log keeps it, and from when it was said to hold."""
    said: dict[str, object] = {"tag": None if tag is None else ErasableText(tag)}
    return said if tag_from is None else said | {"tagFrom": format_instant(tag_from)}


def _need_operator(session: Session, company_id: str) -> None:
    if not directory.is_operator(session, company_id):
        raise problems.admins_at_operator_only()
