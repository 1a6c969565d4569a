"""Use cases of notices: what people choose to be notified of, and the browsers that receive push for them."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from stempelwerk_cloud.kit import mail, outbox
from stempelwerk_cloud.kit.http.problems import Problem, forbidden, not_found
from stempelwerk_cloud.kit.outward import NoTarget, NotPublic, target_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import second_factor, sessions
from stempelwerk_cloud.people.directory.people import find_person, lock_people
from stempelwerk_cloud.people.notices import queries, sending, words
from stempelwerk_cloud.people.notices.push.pushing import PUSHING
from stempelwerk_cloud.people.notices.tables import CHANNELS, KINDS, Channel, Kind, PushSubscription
from stempelwerk_cloud.people.work import UnitOfWork

SUBSCRIPTIONS = 20
"""The most subscribed browsers of a person; a new one replaces the one that was registered longest ago."""
RESOLVER_S = 2.0


@dataclass(frozen=True, slots=True)
class Notices:
    """A person's choices by channel and kind, and what is available to them. `mail_address`: a hint of the linked
    address.
    """

    push: Mapping[Kind, bool]
    mail: Mapping[Kind, bool]
    public_key: str
    mail_address: str | None
    mail_available: bool
    subscriptions: Sequence[PushSubscription]
    push_available: bool = True


def notices_of_caller(work: UnitOfWork) -> Notices:
    """Returns the caller's choices. The linked address is only hinted at, so that only its owner recognises it."""
    caller, platform = work.caller, work.platform
    choices = queries.find_choices(work.session, caller.company_id, caller.user_id)
    push, mailed = ({kind: (channel, kind) in choices for kind in KINDS} for channel in CHANNELS)
    address = second_factor.address_of(work.session, caller.company_id, caller.user_id)
    return Notices(
        push=push,
        mail=mailed,
        public_key=PUSHING.of(platform).key.public,
        mail_address=None if address is None else mail.hint(address),
        mail_available=platform.mailer is not None,
        subscriptions=queries.subscriptions_of(work.session, caller.company_id, [caller.user_id]),
    )


def choose(work: UnitOfWork, choices: Mapping[Channel, Mapping[Kind, bool]]) -> Notices:
    """Changes these choices; others stay. Raises 409 for mail without a linked address."""
    caller = work.caller
    lock_people(work.session, caller.company_id, [caller.user_id])
    by_mail = any(choices.get("mail", {}).values())
    if by_mail and second_factor.address_of(work.session, caller.company_id, caller.user_id) is None:
        raise words.no_address()
    for channel, kinds in choices.items():
        for kind, on in kinds.items():
            queries.choose(work.session, caller.company_id, caller.user_id, channel, kind, is_wanted=on)
    work.session.flush()
    return notices_of_caller(work)


async def must_be_public(platform: Platform, endpoint: str) -> None:
    """Raises 422 if the endpoint is not an https address of a public host, as every push service has.

    A name that cannot be resolved just now is accepted: each push checks its address again.
    """
    names, outward = platform.bulkheads.names, PUSHING.of(platform).outward
    try:
        host = target_of(endpoint).host
    except NoTarget:
        raise words.not_public() from None
    try:
        with names.permit():
            await asyncio.wait_for(names.run(outward.addresses, host), RESOLVER_S)
    except NotPublic:
        raise words.not_public() from None
    # and TimeoutError; or other calls occupy the places with unanswered lookups
    except (OSError, UnicodeError, Problem):
        return


def subscribe(work: UnitOfWork, endpoint: str) -> str:
    """Subscribes the browser to push for the caller until this session ends. Returns the subscription's id.

    A browser that was subscribed before, for any person, now takes push only for the caller.
    """
    caller, session, platform = work.caller, work.session, work.platform
    lock_people(session, caller.company_id, [caller.user_id])
    # Before the subscriptions: who ends the session waits for this, and then finds what was named by it.
    sessions.recheck_session(session, caller)
    new_subscription = PushSubscription(
        company_id=caller.company_id,
        id=work.new_id(),
        user_id=caller.user_id,
        session_id=caller.session_id,
        mark=platform.vault.fingerprint(endpoint.encode()),
        endpoint=platform.vault.encrypt(endpoint),
        created_at=work.now(),
    )
    subscription_id, is_new = queries.put_subscription(session, new_subscription)
    if is_new:
        payload = {"subscriptionId": subscription_id}
        outbox.add(session, platform, caller.company_id, sending.MOVED, payload)
    own_subscriptions = queries.subscriptions_of(session, caller.company_id, [caller.user_id])
    if len(own_subscriptions) > SUBSCRIPTIONS:
        queries.remove_subscriptions(
            session, caller.company_id, [subscription.id for subscription in own_subscriptions[SUBSCRIPTIONS:]]
        )
    return subscription_id


def unsubscribe(work: UnitOfWork, subscription_id: str) -> None:
    """Ends the browser's subscription. 403 for a colleague's, 404 for an unknown one."""
    caller = work.caller
    sessions.recheck_session(work.session, caller)  # before the subscription, as in `subscribe`
    subscription = queries.subscription(work.session, caller.company_id, subscription_id)
    if subscription is None:
        raise not_found()
    if subscription.user_id != caller.user_id:
        raise forbidden()
    queries.remove_own(work.session, caller.company_id, caller.user_id, subscription_id)


def on_sessions_ended(work: UnitOfWork, *, sessions: Collection[tuple[str, str]]) -> None:
    """Ends the push subscriptions that were made in these sessions."""
    queries.end_by_sessions(work.session, sessions)


def on_access_ended(work: UnitOfWork, *, company_id: str, user_ids: Collection[str] | None) -> None:
    """Ends all push subscriptions of these people, or of the company, also those whose session had already expired."""
    queries.end_by_people(work.session, company_id, user_ids)


def on_people_changed(work: UnitOfWork, *, company_id: str, user_ids: Collection[str]) -> None:
    """Deletes the choices of deleted people."""
    deleted_ids = [user_id for user_id in user_ids if find_person(work.session, company_id, user_id) is None]
    if deleted_ids:
        queries.forget_choices(work.session, company_id, deleted_ids)
