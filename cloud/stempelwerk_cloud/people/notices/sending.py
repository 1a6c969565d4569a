"""Notices of new messages by push and mail, sent a minute later: one for all messages of that minute, and not if all
are read.

A notice does not contain the message. Notices are tasks of the outbox (`kit/outbox`).
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.outbox import PermanentFailure, RetryLater
from stempelwerk_cloud.kit.outward import NoTarget, target_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import Sealed
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.directory.callers import Role
from stempelwerk_cloud.people.directory.companies import find_company
from stempelwerk_cloud.people.directory.people import find_person
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.notices import queries, words
from stempelwerk_cloud.people.notices.push.pushing import PUSHING, Gone
from stempelwerk_cloud.people.notices.tables import Channel, kind_of
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

GATHERED = timedelta(minutes=1)
"""Messages within this time after the first one share its notice."""
SUSPENDED_AFTER = timedelta(days=1)
PUSH, MAIL, MOVED = "notices.push", "notices.mail", "notices.moved"


def on_message(work: UnitOfWork, *, company_id: str, user_ids: Collection[str], type_: str) -> None:
    """Plans the notices of a message for the recipients who want notices of its type: to each of their browsers, and by
    mail.
    """
    wanting: dict[str, set[str]] = {"push": set(), "mail": set()}
    for user_id, role, channel, kind in queries.choices_of(work.session, company_id, user_ids):
        if kind == kind_of(work.platform.message_types[type_], cast("Role", role)):
            wanting[channel].add(user_id)
    due = work.now() + GATHERED
    if wanting["push"]:
        for subscription in queries.subscriptions_of(work.session, company_id, sorted(wanting["push"])):
            if subscription.suspended_at is None or subscription.suspended_at < subscription.created_at:
                payload = {"subscriptionId": subscription.id}
                lane = _concurrency_key(work.platform, subscription.endpoint)
                outbox.add(
                    work.session,
                    work.platform,
                    company_id,
                    PUSH,
                    payload,
                    due,
                    coalesce_key=subscription.id,
                    concurrency_key=lane,
                )
    if work.platform.mailer is not None:
        for user_id in sorted(wanting["mail"]):
            outbox.add(work.session, work.platform, company_id, MAIL, {"userId": user_id}, due, coalesce_key=user_id)


def push(platform: Platform, company_id: str, payload: Mapping[str, Any], _id: str) -> None:
    """Sends a push to one browser. Removes a subscription that its push service no longer knows; suspends one that the
    push service has not accepted for a day. An outbox task.
    """
    subscription_id = payload["subscriptionId"]
    with platform.database.read(of_company(company_id)) as session:
        subscription = queries.subscription(session, company_id, subscription_id)
        if (
            subscription is None
            or _reader(session, company_id, subscription.user_id, "push", platform.clock.now()) is None
        ):
            return
        sealed, was_failing = subscription.endpoint, subscription.failing_since is not None
    try:
        _wake(platform, sealed)
    except Gone:
        with platform.database.write(of_company(company_id)) as session:
            queries.remove_subscriptions(session, company_id, [subscription_id])
    except (RetryLater, PermanentFailure) as wrong:
        if _record_failure(platform, company_id, subscription_id) and isinstance(wrong, RetryLater):
            raise PermanentFailure("the push service has not answered for a day") from wrong
        raise
    else:
        if was_failing:
            with platform.database.write(of_company(company_id)) as session:
                current = queries.subscription(session, company_id, subscription_id)
                if current is not None:
                    current.failing_since = current.suspended_at = None


def _wake(platform: Platform, sealed: bytes) -> None:
    try:
        endpoint = platform.vault.decrypt(sealed)
    except Sealed:
        raise PermanentFailure("the subscription is not readable: the key file is another one") from None
    PUSHING.of(platform).send(endpoint, platform.clock.now())


def _record_failure(platform: Platform, company_id: str, subscription_id: str) -> bool:
    """Records a failed push. After a day of failures suspends the subscription, with one message to its person. Returns
    whether it is suspended.
    """
    with unit_of_work(platform, of_company(company_id)) as work:
        now, subscription = work.now(), queries.subscription(work.session, company_id, subscription_id)
        if subscription is None:
            return True
        if subscription.suspended_at is not None:
            subscription.suspended_at = now
            return True
        subscription.failing_since = subscription.failing_since or now
        if now - subscription.failing_since < SUSPENDED_AFTER:
            return False
        subscription.suspended_at = now
        messages.send(work, company_id, [subscription.user_id], "notices", words.NOT_REACHED, words.NAME_IT_AGAIN)
        return True


def _concurrency_key(platform: Platform, sealed: bytes) -> str | None:
    """Returns a key of the push service's host: pushes to one host run one after the other, across people. None if the
    address is unreadable.
    """
    try:
        host = target_of(platform.vault.decrypt(sealed)).host
    except (Sealed, NoTarget):
        return None
    return platform.vault.fingerprint(host.encode()).hex()


def mail(platform: Platform, company_id: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """Mails a notice to one person, if they have a linked address. An outbox task."""
    user_id = payload["userId"]
    with platform.database.read(of_company(company_id)) as session:
        reader = _reader(session, company_id, user_id, "mail", platform.clock.now())
        address = second_factor.address_of(session, company_id, user_id)
    if reader is None or address is None or platform.mailer is None:
        return
    letter = words.letter(reader.username, platform.settings.public_url)
    try:
        platform.mailer.send(address, words.SUBJECT, letter.text, letter.html, id=id)
    except MailFailed as error:
        raise RetryLater(reason=f"mail: {error}") from error


def end_older_subscriptions(platform: Platform, company_id: str, payload: Mapping[str, Any], _id: str) -> None:
    """Ends older subscriptions, in any company, of a browser that is now subscribed here. An outbox task."""
    with platform.database.write(SYSTEM) as session:
        subscription = queries.subscription(session, company_id, payload["subscriptionId"])
        if subscription is not None:
            queries.remove_older(session, subscription)


def _reader(session: Session, company_id: str, user_id: str, channel: Channel, now: datetime) -> User | None:
    """Returns the person if a notice is still due: they can log in, want it, and have an unread message."""
    company = find_company(session, company_id)
    person = find_person(session, company_id, user_id)
    if company is None or company.closed_at is not None or person is None:
        return None
    if person.is_locked or person.has_left(now):
        return None
    if not any(chosen_channel == channel for chosen_channel, _ in queries.find_choices(session, company_id, user_id)):
        return None
    return person if messages.unread_counts(session, company_id, [user_id])[user_id] else None
