"""Telling people things, and what they have read of it: what other rooms call."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.events import FIGURES_CHANGED, MESSAGE_SENT, MESSAGES_READ
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.messages import repository
from stempelwerk_cloud.people.messages.tables import TITLE_LIMIT, Message
from stempelwerk_cloud.people.work import Work

__all__ = [
    "RETENTION",
    "count_as_told",
    "hears",
    "mark_all_read",
    "mark_read",
    "page",
    "send",
    "send_about",
    "send_or_extend",
    "tell",
    "to_administrators",
    "topic",
    "unread_counts",
]

RETENTION = timedelta(days=2 * 366)
"""Two years, leap days included."""
EMPLOYEES = "30/10 minutes"
"""How often an employee may tell the same recipient something."""
DECIDERS = "120/minute"
"""How often somebody who decides may tell people of it."""


def send(
    work: Work,
    company_id: str,
    user_ids: Iterable[str],
    type_: str,
    title: str,
    body: str,
    payload: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """Puts a message into each of these inboxes, in this transaction; its id by person. Titles and bodies are German.

    `type_` is one that a room declares (`MessageType`), else ValueError; pages colour by it and by the payload's
    `status` ("accepted", "approved", "declined"). A title that is too long for a line is cut. 429 for who tells too
    much (`count_as_told`).
    """
    if type_ not in work.platform.message_types:
        raise ValueError(f"there is no type of message {type_}")
    recipients = sorted(set(user_ids))
    if not recipients:
        return {}
    count_as_told(work, company_id, recipients)
    now = work.now()
    ids = {user_id: work.new_id() for user_id in recipients}
    for user_id in recipients:
        work.session.add(
            Message(
                company_id=company_id,
                id=ids[user_id],
                user_id=user_id,
                type=type_,
                title=title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1] + "…",
                body=body,
                payload=json.dumps(dict(payload or {}), ensure_ascii=False),
                created_at=now,
            )
        )
    work.session.flush()
    tell(work, company_id, recipients)
    work.emit(MESSAGE_SENT, company_id=company_id, user_ids=recipients, type_=type_)
    return ids


def to_administrators(
    work: Work,
    company_id: str,
    title: str,
    body: str,
    payload: Mapping[str, Any],
    *,
    type_: str = "request",
    about: str | None = None,
    but: Collection[str | None] = (),
) -> None:
    """Tells the company's administrators, but for these: as `send`, or as `send_about` where a thing is named."""
    recipients = [user_id for user_id in directory.administrators_of(work.session, company_id) if user_id not in but]
    if about is None:
        send(work, company_id, recipients, type_, title, body, payload)
    else:
        send_about(work, company_id, recipients, type_, title, body, payload, about=about)


def count_as_told(work: Work, company_id: str, recipients: Iterable[str]) -> None:
    """Counts what the caller tells people, also where no message says so: once in a transaction, so that a bulk call is
    one. 429.

    An employee may tell the same recipient so much, all administrators counting as one; who decides tells many.
    """
    caller = work.asked_by
    if caller is None:
        return
    counted_names: set[str] = work.session.info.setdefault("counted_as_told", set())
    if caller.role == USER:
        recipient_ids = set(recipients)
        administrators = repository.administrators_among(work.session, company_id, recipient_ids)
        names, limit = (recipient_ids - administrators) | ({"administrators"} if administrators else set()), EMPLOYEES
    else:
        names, limit = {"anybody"}, DECIDERS
    for name in sorted(names - counted_names):
        work.platform.rates.spend_on(limit, f"user {caller.user_id}", f"tells {name}")
    counted_names |= names


def send_or_extend(
    work: Work,
    company_id: str,
    values_by_user: Mapping[str, Iterable[str]],
    type_: str,
    title: str,
    body: str,
    member: str,
    texts_by_user: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Tells each of these people something that adds up: while they have not read such a message, they get no other.

    `told`: by person, what the payload's `member` is to hold, such as days; a message that lies unread gets what it
    does not hold yet. `more`: by person, what it says after the body, or after what it says already.
    Who calls it has a lock by which nobody else extends messages of that type of the company.
    """
    lying = _lying(work, company_id, values_by_user, type_)
    for user_id, values in sorted(values_by_user.items()):
        message = lying.get(user_id)
        old_payload = json.loads(message.payload) if message else {}
        payload = old_payload | {member: sorted({*old_payload.get(member, ()), *values})}
        text = texts_by_user.get(user_id, "")
        if message is None or not _rewritten(work, message, payload, body=_joined(message.body, text)):
            send(work, company_id, [user_id], type_, title, _joined(body, text), {member: sorted(set(values))})


def send_about(
    work: Work,
    company_id: str,
    user_ids: Iterable[str],
    type_: str,
    title: str,
    body: str,
    payload: Mapping[str, Any],
    *,
    about: str,
) -> None:
    """Tells these people what is new of a thing: who has an unread message of it reads it there, and gets no other.

    `about`: the payload's member that says which thing. The message has this title then, and this body after its own;
    its payload has all that either said. Who calls it has a lock by which nobody else tells of that thing.
    """
    recipients = sorted(set(user_ids))
    count_as_told(work, company_id, recipients)
    lying = _lying(work, company_id, recipients, type_, f'"{about}": {json.dumps(payload[about], ensure_ascii=False)}')
    for user_id in recipients:
        message = lying.get(user_id)
        if message is None or not _rewritten(
            work,
            message,
            json.loads(message.payload) | dict(payload),
            title=title,
            body=_joined(message.body, body),
        ):
            send(work, company_id, [user_id], type_, title, body, payload)


def _joined(old_body: str, addition: str) -> str:
    """On a line of its own; said twice, it is no more."""
    return old_body if old_body.endswith(addition) else f"{old_body}\n{addition}"


def _lying(work: Work, company_id: str, user_ids: Iterable[str], type_: str, says: str = "") -> dict[str, Message]:
    """By person, the newest unread message of a type whose payload has these letters."""
    unread = select(Message).where(
        Message.company_id == company_id,
        Message.user_id.in_(sorted(user_ids)),
        Message.type == type_,
        Message.read_at.is_(None),
        Message.payload.contains(says, autoescape=True),
    )
    return {message.user_id: message for message in work.session.scalars(unread.order_by(Message.id))}


def _rewritten(work: Work, message: Message, payload: Mapping[str, Any], **texts: str) -> bool:
    """Says it in the message, and tells its person's pages; False if they have read it meanwhile."""
    still_unread = (
        update(Message)
        .where(Message.company_id == message.company_id, Message.id == message.id, Message.read_at.is_(None))
        .values(payload=json.dumps(payload, ensure_ascii=False), **texts)
        .returning(Message.id)
    )
    if work.session.scalar(still_unread) is None:
        return False
    tell(work, message.company_id, [message.user_id])
    return True


def page(work: Work, limit: int, before_id: str | None) -> tuple[list[Message], str | None]:
    """The caller's unread messages, newest first; and the id to go on before, if there are more. Raises NoSuchRow."""
    caller = work.caller
    unread = repository.unread(work.session, caller.company_id, caller.user_id, Wanted(limit, before_id))
    page_messages = unread[:limit]
    return page_messages, page_messages[-1].id if len(unread) > limit else None


def mark_read(work: Work, message_id: str) -> None:
    """The caller has read it; again, if they had before. 403 for a colleague's, 404 for one that is not there."""
    caller = work.caller
    owner = repository.owner_of(work.session, caller.company_id, message_id)
    if owner is None:
        raise not_found()
    if owner != caller.user_id:
        raise forbidden()
    mark_all_read(work, [message_id])


def mark_all_read(work: Work, message_ids: Collection[str]) -> None:
    """The caller has read these. What is not there, and what is not theirs, is passed over."""
    caller = work.caller
    # One after the other, so that two pages that read the same do not wait in a circle.
    directory.lock_people(work.session, caller.company_id, [caller.user_id])
    if repository.mark_read(work.session, caller.company_id, caller.user_id, message_ids, work.now()):
        tell(work, caller.company_id, [caller.user_id])
        work.emit(MESSAGES_READ, company_id=caller.company_id, message_ids=message_ids, user_id=caller.user_id)


def unread_counts(session: Session, company_id: str, user_ids: Collection[str]) -> dict[str, int]:
    """How many unread messages each of these people has."""
    return dict.fromkeys(user_ids, 0) | repository.unread_counts(session, company_id, user_ids)


def topic(company_id: str, user_id: str) -> str:
    """The live topic of a person's inbox, and of what waits for their answer."""
    return f"messages:{company_id}:{user_id}"


def hears(hearer: Hearer, _modules: Collection[str]) -> list[str]:
    """Everybody hears of their own inbox."""
    return [topic(hearer.company_id, hearer.user_id)]


def tell(work: Work, company_id: str, user_ids: Iterable[str]) -> None:
    """Tells pages and clocks that there is something else in these inboxes, or something else to answer."""
    recipients = sorted(set(user_ids))
    topics = [topic(company_id, user_id) for user_id in recipients]
    work.platform.live.publish(work.session, topics, {"type": "messages_update"})
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=recipients)
