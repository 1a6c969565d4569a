"""Use cases on entries: what wants a review, decisions with their derivation, and the rebuild.

Other steps of the staircase come in here, or by what they name themselves (`times.py` reads a person's times, and
`presence.py` the clocks' list of people). It is no door to `timekeeping/stamps`: those two are one room in two folders,
and stamps are placed and derived by `derivation`, `numbers`, `repository`, `roster` and `rows` themselves.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.facts import Correction, Void
from stempelwerk_cloud.domain.islands import reach_of, span_of
from stempelwerk_cloud.kit.db import to_ms
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.schemas import format_instant
from stempelwerk_cloud.kit.statements import Writing
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.timekeeping.corrections import service as corrections
from stempelwerk_cloud.timekeeping.entries import derivation, repository, roster
from stempelwerk_cloud.timekeeping.entries.tables import PersonNumber, TimeEntry
from stempelwerk_cloud.timekeeping.entries.times import is_running
from stempelwerk_cloud.timekeeping.tx import Tx
from stempelwerk_cloud.timekeeping.words import flag_words

MISSING_OUT = "missing_out"


class Reviewed(NamedTuple):
    """An entry with something to look at."""

    entry_id: str
    user_id: str
    username: str
    date: object
    flags: list[str]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild found: how many people it derived, and the entries and stamps that stood otherwise."""

    people: int
    entries: tuple[str, ...]
    stamps: tuple[str, ...]


def correct(
    session: Session, platform: Platform, company_id: str, user_id: str, correction: Correction, by: str | None = None
) -> None:
    """Writes down an approved correction and derives what it concerns."""
    tx = Tx(session, platform)
    before = roster.own(tx, company_id)
    corrections.add_correction(session, company_id, user_id, correction, by)
    became = {
        "userId": user_id,
        "date": correction.date.isoformat(),
        "start": format_instant(correction.new_start),
        "end": format_instant(correction.new_end),
        "breakMinutes": correction.break_minutes,
    }
    audit.append(session, platform, company_id, by, "correction.approved", correction.id, after=became)
    span = span_of(correction, before.rules)
    _decided(tx, company_id, user_id, to_ms(span.start), to_ms(span.end))


def void(
    session: Session, platform: Platform, company_id: str, user_id: str, deleted: Void, by: str | None = None
) -> None:
    """Writes down that an entry was deleted and derives what that concerns."""
    tx = Tx(session, platform)
    before = roster.own(tx, company_id)
    concerned = deleted.stamp_ids | deleted.spared
    named = [row.at_ms for row in derivation.stamps_of(tx, before, user_id) if row.id in concerned]
    corrections.add_void(session, company_id, user_id, deleted, by)
    was = {"userId": user_id, "start": format_instant(deleted.start), "end": format_instant(deleted.end)}
    audit.append(session, platform, company_id, by, "entry.deleted", deleted.id, before=was)
    span = reach_of(deleted, (), before.rules)
    _decided(tx, company_id, user_id, min([to_ms(span.start), *named]), max([to_ms(span.end), *named]))


def rebuild(session: Session, platform: Platform, company_id: str, *, write: bool = False) -> Rebuilt:
    """Derives everything of a company anew from its facts and compares it with what stands; writes only if told to."""
    tx = Tx(session, platform)
    own = roster.own(tx, company_id)
    people = repository.everybody(tx, company_id)
    difference = derivation.compare(tx, own, people)
    if write:
        writing = Writing()
        derivation.write(tx, writing, company_id, difference)
        writing.flush(tx.sql)
    differing = [*difference.fresh, *difference.changed, *difference.gone]
    return Rebuilt(
        len(people),
        tuple(sorted({row.id for row in differing})),
        tuple(sorted({one.id for one in difference.written})),
    )


def review(
    session: Session, company_id: str, now: datetime, limit: int, before: str | None
) -> tuple[list[Reviewed], str | None]:
    """Flagged entries, newest first; and the id to continue before, if there are more.

    An entry that nothing closed is one of them once it is too old to be running. Reads all entries of the company that
    are flagged or open: there is no index for them, because every stamp would have to keep it.
    """
    found = (
        select(
            TimeEntry.id, PersonNumber.user_id, TimeEntry.date, TimeEntry.flags, TimeEntry.start_at, TimeEntry.end_at
        )
        .join(
            PersonNumber,
            (PersonNumber.company_id == TimeEntry.company_id) & (PersonNumber.no == TimeEntry.person_no),
        )
        .where(TimeEntry.company_id == company_id, or_(TimeEntry.flags != 0, TimeEntry.end_at.is_(None)))
        .order_by(TimeEntry.id.desc())
    )
    if before is not None:
        found = found.where(TimeEntry.id < before)
    rules = companies.rules_of(session, company_id)
    names = users.usernames(session, company_id)
    rows: list[Reviewed] = []
    for row in session.execute(found):
        flags = flag_words(row.flags)
        if row.end_at is None and MISSING_OUT not in flags and not is_running(to_ms(row.start_at), rules, now):
            flags.append(MISSING_OUT)
        if not flags:
            continue
        if len(rows) == limit:
            return rows, rows[-1].entry_id
        rows.append(Reviewed(row.id, row.user_id, names.get(row.user_id, ""), row.date, flags))
    return rows, None


def _decided(tx: Tx, company_id: str, user_id: str, first_ms: int, last_ms: int) -> None:
    roster.bump(tx, company_id)
    derivation.refresh(tx, roster.own(tx, company_id), {user_id: (first_ms, last_ms)})
