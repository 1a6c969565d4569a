"""Use cases of messages in people's inboxes (sending, extending, listing, marking as read), for calls and for other
rooms.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.events import FIGURES_CHANGED, MESSAGE_SENT, MESSAGES_READ
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.people import administrators_of, lock_people
from stempelwerk_cloud.people.messages import queries
from stempelwerk_cloud.people.messages.tables import TITLE_LIMIT, Message
from stempelwerk_cloud.people.work import UnitOfWork

__all__ = [
    "RETENTION",
    "count_messages",
    "hears",
    "mark_all_read",
    "mark_read",
    "page",
    "publish_update",
    "send",
    "send_about",
    "send_or_extend",
    "to_administrators",
    "topic",
    "unread_counts",
]

RETENTION = timedelta(days=2 * 366)
"""How long messages are stored: two years, leap days included."""
EMPLOYEES = "30/10 minutes"
"""The rate limit of an employee's notifications to one recipient."""
DECIDERS = "120/minute"
"""The rate limit of all notifications by a deciding person (an administrator)."""


def send(
    work: UnitOfWork,
    company_id: str,
    user_ids: Iterable[str],
    type_: str,
    title: str,
    body: str,
    payload: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """Sends a message to each of these inboxes, in this transaction; returns the message's id by person. Title and body
    are German.

    `type_` must be declared by a room (`MessageType`), else ValueError is raised. Pages choose the colour by it and by
    the payload's `status` ("accepted", "approved", "declined"). A title that is too long is cut. Raises 429 for a
    caller who sends too much (`count_messages`).
    """
    if type_ not in work.platform.message_types:
        raise ValueError(f"there is no type of message {type_}")
    recipients = sorted(set(user_ids))
    if not recipients:
        return {}
    count_messages(work, company_id, recipients)
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
    publish_update(work, company_id, recipients)
    work.emit(MESSAGE_SENT, company_id=company_id, user_ids=recipients, type_=type_)
    return ids


def to_administrators(
    work: UnitOfWork,
    company_id: str,
    title: str,
    body: str,
    payload: Mapping[str, Any],
    *,
    type_: str = "request",
    key_member: str | None = None,
    but: Collection[str | None] = (),
) -> None:
    """Notifies the company's administrators, except those in `but`: as `send` does, or as `send_about` if `key_member`
    is given.
    """
    recipients = [user_id for user_id in administrators_of(work.session, company_id) if user_id not in but]
    if key_member is None:
        send(work, company_id, recipients, type_, title, body, payload)
    else:
        send_about(work, company_id, recipients, type_, title, body, payload, key_member=key_member)


_COUNTED_LIMITS: Slot[Session, set[str]] = Slot(lambda _: set())
"""The names of the limits against which the transaction has counted."""


def count_messages(work: UnitOfWork, company_id: str, recipients: Iterable[str]) -> None:
    """Counts the caller's notifications against the rate limit, also those that send no message. Raises 429.

    Each transaction counts once per limit, so that a bulk call is one notification. An employee has a limit per
    recipient, where all administrators count as one; a deciding person has one limit in total.
    """
    caller = work.asked_by
    if caller is None:
        return
    counted_names = _COUNTED_LIMITS.of(work.session)
    if caller.role == USER:
        recipient_ids = set(recipients)
        administrators = recipient_ids.intersection(administrators_of(work.session, company_id))
        names, limit = (recipient_ids - administrators) | ({"administrators"} if administrators else set()), EMPLOYEES
    else:
        names, limit = {"anybody"}, DECIDERS
    for name in sorted(names - counted_names):
        work.platform.rates.spend_on(limit, f"user {caller.user_id}", f"tells {name}")
    counted_names |= names


def send_or_extend(
    work: UnitOfWork,
    company_id: str,
    values_by_user: Mapping[str, Iterable[str]],
    type_: str,
    title: str,
    body: str,
    member: str,
    texts_by_user: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Sends each of these people a message that collects values: an unread one of this type is extended instead of
    sending another.

    `values_by_user`: the values for the payload's `member`, such as days; an unread message gets those it lacks.
    `texts_by_user`: a text after the body, or after the existing text. The caller holds a lock under which no other
    transaction extends messages of that type of the company.
    """
    unread_by_user = _find_unread(work, company_id, values_by_user, type_)
    for user_id, values in sorted(values_by_user.items()):
        message = unread_by_user.get(user_id)
        old_payload = json.loads(message.payload) if message else {}
        payload = old_payload | {member: sorted({*old_payload.get(member, ()), *values})}
        text = texts_by_user.get(user_id, "")
        if message is None or not _rewrite(work, message, payload, body=_append_text(message.body, text)):
            send(work, company_id, [user_id], type_, title, _append_text(body, text), {member: sorted(set(values))})


def send_about(
    work: UnitOfWork,
    company_id: str,
    user_ids: Iterable[str],
    type_: str,
    title: str,
    body: str,
    payload: Mapping[str, Any],
    *,
    key_member: str,
) -> None:
    """Notifies these people of news about a subject, such as a request: an unread message about it is extended instead
    of sending another.

    `key_member`: the payload's member that identifies the subject. An extended message has the new title, the new body
    after its own, and the merged payloads. The caller holds a lock under which no other transaction notifies of that
    subject.
    """
    recipients = sorted(set(user_ids))
    count_messages(work, company_id, recipients)
    unread_by_user = _find_unread(
        work, company_id, recipients, type_, f'"{key_member}": {json.dumps(payload[key_member], ensure_ascii=False)}'
    )
    for user_id in recipients:
        message = unread_by_user.get(user_id)
        if message is None or not _rewrite(
            work,
            message,
            json.loads(message.payload) | dict(payload),
            title=title,
            body=_append_text(message.body, body),
        ):
            send(work, company_id, [user_id], type_, title, body, payload)


def _append_text(old_body: str, addition: str) -> str:
    """Appends a text on a line of its own, unless the body ends with it already."""
    return old_body if old_body.endswith(addition) else f"{old_body}\n{addition}"


def _find_unread(
    work: UnitOfWork, company_id: str, user_ids: Iterable[str], type_: str, says: str = ""
) -> dict[str, Message]:
    """Returns each person's newest unread message of a type whose payload (JSON) contains the text `says`."""
    recipients = sorted(user_ids)
    if not recipients:
        return {}
    unread = select(Message).where(
        Message.company_id == company_id,
        Message.user_id.in_(recipients),
        Message.type == type_,
        Message.read_at.is_(None),
        Message.payload.contains(says, autoescape=True),
    )
    return {message.user_id: message for message in work.session.scalars(unread.order_by(Message.id))}


def _rewrite(work: UnitOfWork, message: Message, payload: Mapping[str, Any], **texts: str) -> bool:
    """Changes an unread message and updates its recipient's pages. Returns False if it was read in the meantime."""
    still_unread = (
        update(Message)
        .where(Message.company_id == message.company_id, Message.id == message.id, Message.read_at.is_(None))
        .values(payload=json.dumps(payload, ensure_ascii=False), **texts)
        .returning(Message.id)
    )
    if work.session.scalar(still_unread) is None:
        return False
    publish_update(work, message.company_id, [message.user_id])
    return True


def page(work: UnitOfWork, limit: int, before_id: str | None) -> tuple[list[Message], str | None]:
    """Returns the caller's unread messages, newest first, and the id to continue before, if any. Raises NoSuchRow."""
    caller = work.caller
    unread = queries.unread(work.session, caller.company_id, caller.user_id, PageRequest(limit, before_id))
    page_messages = unread[:limit]
    return page_messages, page_messages[-1].id if len(unread) > limit else None


def mark_read(work: UnitOfWork, message_id: str) -> None:
    """Marks the caller's message as read; repeating it is allowed. 403 for a colleague's, 404 for an unknown one."""
    caller = work.caller
    owner = queries.owner_of(work.session, caller.company_id, message_id)
    if owner is None:
        raise not_found()
    if owner != caller.user_id:
        raise forbidden()
    mark_all_read(work, [message_id])


def mark_all_read(work: UnitOfWork, message_ids: Collection[str]) -> None:
    """Marks these messages as read by the caller. Skips unknown ids and other people's messages."""
    caller = work.caller
    # Serialized by the person, so that two pages that mark the same messages do not deadlock.
    lock_people(work.session, caller.company_id, [caller.user_id])
    if queries.mark_read(work.session, caller.company_id, caller.user_id, message_ids, work.now()):
        publish_update(work, caller.company_id, [caller.user_id])
        work.emit(MESSAGES_READ, company_id=caller.company_id, message_ids=message_ids, user_id=caller.user_id)


def unread_counts(session: Session, company_id: str, user_ids: Collection[str]) -> dict[str, int]:
    """Returns how many unread messages each of these people has."""
    return dict.fromkeys(user_ids, 0) | queries.unread_counts(session, company_id, user_ids)


def topic(company_id: str, user_id: str) -> str:
    """Returns the live topic of a person's inbox, and of requests that wait for the person's answer."""
    return f"messages:{company_id}:{user_id}"


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the live topics of this room for a subscriber: their own inbox."""
    return [topic(hearer.company_id, hearer.user_id)]


def publish_update(work: UnitOfWork, company_id: str, user_ids: Iterable[str]) -> None:
    """Notifies open pages and clocks of a change in these inboxes, or in the requests that wait for these people."""
    recipients = sorted(set(user_ids))
    topics = [topic(company_id, user_id) for user_id in recipients]
    work.platform.live.publish(work.session, topics, {"type": "messages_update"})
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=recipients)
