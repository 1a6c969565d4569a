"""Tag holdings: a tag belongs to one person of the company at a time, and its history is stored.

The first holder in the company holds a tag from the beginning of time, unless held stamps with that tag wait: then an
administrator reviews them before they are booked. Every other change counts from now, or from the given moment.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.tags import find_damage, find_unreadable, normalise
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import TAGS_CHANGED
from stempelwerk_cloud.people.directory.companies import lock_rules
from stempelwerk_cloud.people.directory.people import holdings_of_tag, open_holdings, tags_ever_held
from stempelwerk_cloud.people.directory.tables import PROTECTIONS, TagHolding, User
from stempelwerk_cloud.people.users import words
from stempelwerk_cloud.people.work import UnitOfWork

CLOCKS_DIFFER = timedelta(minutes=1)
"""How far a browser's clock may be ahead of the service's clock."""
PEOPLE_PER_EVENT = 50
"""The most people in one signal `tags_changed`: its handler looks at all of them for each tag."""


def read_tag(text: str, held_tags: Collection[str] = ()) -> str:
    """Returns a tag that a person typed or imported, normalised.

    Raises 422 as `read_stamped_tag` does; also for a number that a spreadsheet has damaged, and for a tag that no clock
    accepts, unless it is in `held_tags`.
    """
    damage = find_damage(text)
    if damage is not None:
        raise words.tag_damaged(damage)
    tag = read_stamped_tag(text, "tagId")
    unreadable = find_unreadable(tag)
    if unreadable is not None and tag not in held_tags:
        raise words.tag_unreadable(unreadable)
    return tag


def read_stamped_tag(text: str, member: str) -> str:
    """Returns a tag that a clock has read, normalised. Raises 422 (of `member`) if it is empty, no tag, or reserved."""
    if not text.strip():
        raise words.tag_missing(member)
    try:
        tag = normalise(text)
    except ValueError:
        raise words.tag_malformed(member) from None
    if tag in PROTECTIONS:
        raise words.tag_reserved(member, tag)
    return tag


def read_moment(work: UnitOfWork, moment: datetime, member: str = "tagFrom") -> datetime:
    """Returns the moment from which a tag counts, as a person entered it. 422 (of `member`) if it is in the future.

    Clocks and pages get the current holdings, so no holding begins later.
    """
    now = work.now()
    if moment > now + CLOCKS_DIFFER:
        raise words.tag_from_in_future(member)
    return min(moment, now)


def give(work: UnitOfWork, user: User, tag: str, tag_from: datetime | None, *, exact: bool = False) -> None:
    """Gives `tag` to the person, who may hold others; emits `tags_changed`. Call it before locking people.

    The first holder holds it from the beginning of time, unless `exact` is set or held stamps with it wait; others hold
    it from `tag_from` or now. Raises 409 if another person holds it, or held it at that time. If the person holds the
    tag already, a `tag_from` moves the beginning of the period; with `exact` only to an earlier instant.
    """
    lock_rules(work.session, user.company_id)
    history = [row for row in holdings_of_tag(work.session, user.company_id, tag) if not _empty(row)]
    open_holding = next((row for row in history if row.held_until is None), None)
    if open_holding is not None and open_holding.user_id != user.id:
        raise words.tag_taken()
    if open_holding is not None and (tag_from is None or (exact and _holds_at(open_holding, tag_from))):
        return
    held_from = _start(work, user, tag, tag_from, first=not history and not exact)
    other_holdings = [row for row in history if row is not open_holding]
    if any(held_from is None or row.held_until is None or row.held_until > held_from for row in other_holdings):
        raise words.tag_held_then()
    if open_holding is None:
        work.session.add(
            TagHolding(company_id=user.company_id, id=work.new_id(), user_id=user.id, tag=tag, held_from=held_from)
        )
    else:
        open_holding.held_from = held_from
    work.session.flush()
    _emit_tags_changed(work, user.company_id, [user.id], [tag])


def give_first(work: UnitOfWork, company_id: str, user_tags: Sequence[tuple[User, str]]) -> None:
    """Gives new people one free tag each, with the rules of `give`."""
    known_tags = tags_ever_held(work.session, company_id, [tag for _, tag in user_tags])
    for user, tag in user_tags:
        held_from = _start(work, user, tag, None, first=tag not in known_tags)
        work.session.add(
            TagHolding(company_id=company_id, id=work.new_id(), user_id=user.id, tag=tag, held_from=held_from)
        )
    work.session.flush()
    for start in range(0, len(user_tags), PEOPLE_PER_EVENT):
        some = user_tags[start : start + PEOPLE_PER_EVENT]
        _emit_tags_changed(work, company_id, [user.id for user, _ in some], [tag for _, tag in some])


def withdraw(work: UnitOfWork, user: User, tags: Collection[str], held_until: datetime) -> None:
    """Ends the person's holdings of these tags at `held_until`; emits `tags_changed`."""
    lock_rules(work.session, user.company_id)
    ended = [row for row in open_holdings(work.session, user.company_id, user.id) if row.tag in tags]
    for row in ended:
        row.held_until = held_until if row.held_from is None else max(held_until, row.held_from)
    work.session.flush()
    if ended:
        _emit_tags_changed(work, user.company_id, [user.id], [row.tag for row in ended])


def current(session: Session, company_id: str, user_id: str) -> str | None:
    """Returns the tag that the person was given last and still holds."""
    held_tags = all_held(session, company_id, user_id)
    return held_tags[-1] if held_tags else None


def all_held(session: Session, company_id: str, user_id: str) -> list[str]:
    """Returns the tags that the person holds, the newest last."""
    return [row.tag for row in open_holdings(session, company_id, user_id)]


def _start(work: UnitOfWork, user: User, tag: str, tag_from: datetime | None, *, first: bool) -> datetime | None:
    if first and not ports.TAG_WAITING.of(work.platform)(work.session, user.company_id, tag):
        return None
    return tag_from or work.now()


def _holds_at(row: TagHolding, instant: datetime) -> bool:
    return (row.held_from is None or row.held_from <= instant) and (row.held_until is None or instant < row.held_until)


def _empty(row: TagHolding) -> bool:
    return row.held_from is not None and row.held_until is not None and row.held_until <= row.held_from


def _emit_tags_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str], tags: Collection[str]) -> None:
    work.emit(TAGS_CHANGED, company_id=company_id, user_ids=list(user_ids), tags=list(tags))
