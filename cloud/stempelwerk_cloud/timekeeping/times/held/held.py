"""Resolution of held stamps by administrators. Each resolution is stored as a further fact about the stamp.

Company administrators assign a tag to a person, or book or discard a stamp. The system administrator releases stamps
that no company can claim. Resolved stamps are placed and derived again in the same transaction.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import SQLColumnExpression, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms, local, local_day, ms_of
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes.assignments import Adoption, find_locked
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.intake import queries
from stempelwerk_cloud.timekeeping.ledger.placing import reprocessing
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import Period
from stempelwerk_cloud.timekeeping.ledger.placing.placement import period_of, timed
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged
from stempelwerk_cloud.timekeeping.ledger.tables import Receipt, Release, Resolution, Stamp, Stream, TagNumber
from stempelwerk_cloud.timekeeping.status_bits import REVOKED_TAG, UNKNOWN_TAG, state_of
from stempelwerk_cloud.timekeeping.times.held import waiting, words
from stempelwerk_cloud.timekeeping.tx import Tx

TAG_GIVEN = Action("stamps.tag_given")
RESOLVED = Action("stamps.resolved")
RELEASED = Action("stamps.released")


def give_tag(work: UnitOfWork, tag: str, user_id: str, valid_from: datetime) -> int:
    """Assigns the tag to the person from that instant on; returns how many held stamps with this tag become booked.

    404 if the caller does not see the person in this company. 403, 409 and 422 as for any change of a tag; the change
    may not book stamps on days whose times have been purged.
    """
    session, company_id = work.session, work.caller.subject_company_id
    user = users.to_edit(work, user_id)
    if user.company_id != company_id:
        raise not_found()
    name, begins_at = users.read_stamped_tag(tag, "tag"), users.read_moment(work, valid_from, "from")
    waiting_before = waiting.waiting_with_tag(session, company_id, name)
    users.give_tag(work, user, name, begins_at)
    session.expire_all()
    booked = len(waiting_before - waiting.waiting_with_tag(session, company_id, name))
    audit_values = {"tag": ErasableText(name), "from": format_instant(begins_at), "booked": booked}
    work.audit(company_id, TAG_GIVEN, user_id, new_values=audit_values)
    return booked


def resolve(work: UnitOfWork, stamp_id: str, action: str, taken_at: datetime | None) -> str:
    """Books a held stamp, at its own time or at `taken_at`, or discards it; returns its new state.

    404 for an unknown stamp. 409 if it is not held, if its tag has no holder, or if it would be booked on a day whose
    times have been purged. 422 for a future time, or one that is impossible for this stamp.
    """
    session, company_id = work.session, work.caller.subject_company_id
    work.company(company_id)
    device_no = _waiting(session, company_id, stamp_id).device_no
    devices.lock(session, device_no)
    tx = Tx(session, work.platform)
    reprocessing.take_locks(tx, [device_no], [stamp_id])
    waiting_stamp = _waiting(session, company_id, stamp_id)  # again, now that no other transaction can decide
    if action == "book" and waiting_stamp.status & (UNKNOWN_TAG | REVOKED_TAG):
        raise words.tag_first()
    now = work.now()
    if taken_at is not None and taken_at > now:
        raise words.taken_in_future()
    present = queries.stored_under(tx, [(waiting_stamp.tag_no, stamp_id)])
    device = reprocessing.facts_for(tx, waiting_stamp.device_no, [stamp.claim for stamp in present])
    if taken_at is not None:
        _check_taken(session, company_id, taken_at, now, period_of(timed(tx, device, present[0].claim), device))
    if action == "book":
        booked_at = taken_at or from_ms(present[0].where.at)
        ensure_not_purged(session, company_id, local_day(booked_at, zone_of(session, company_id, booked_at)))
    session.add(
        Resolution(
            company_id=company_id,
            id=work.new_id(),
            stamp_id=stamp_id,
            action=action,
            taken_at=taken_at if action == "book" else None,
            decided_at=now,
            decided_by=work.actor_id,
        )
    )
    session.flush()
    decided = {"action": action} if taken_at is None else {"action": action, "takenAt": format_instant(taken_at)}
    work.audit(company_id, RESOLVED, stamp_id, new_values=decided)
    changes: reprocessing.Changes = {}
    reprocessing.place_again(tx, device, present, [], changes)
    statuses = reprocessing.derive(tx, changes)
    if stamp_id in statuses:
        return state_of(statuses[stamp_id])
    return state_of(queries.stored_under(tx, [(waiting_stamp.tag_no, stamp_id)])[0].status)


def release(work: UnitOfWork, device_id: str, starts_at: datetime, ends_at: datetime, company_id: str) -> int:
    """Gives a company the stamps of a device and period (both ends included) that no assignment claims, also those that
    arrive later.

    Returns how many stamps found a place by it. 409 if the period was released to another company. Stamps that a
    back-dated assignment brought stay where they are.
    """
    if starts_at > ends_at:
        raise words.period_reversed()
    session = work.session
    work.company(company_id)
    device = find_locked(session, device_id)
    if _released_to_another(session, device.no, company_id, starts_at, ends_at, Release.unnamed_only.is_(False)):
        raise words.release_overlaps()
    _add_release(work, device.no, company_id, starts_at, ends_at)
    tx = Tx(session, work.platform)
    reprocessing.take_locks(tx, [device.no])
    placed_count = place_unassigned(tx, device.no)
    period = {"from": format_instant(starts_at), "to": format_instant(ends_at), "released": placed_count}
    work.audit(company_id, RELEASED, device.id, new_values=period)
    return placed_count


def adopt(work: UnitOfWork, adoption: Adoption) -> None:
    """Releases to a company the stamps that its new clock has taken since an instant without naming an assignment.

    The caller holds the device's lock, and places the stamps afterwards. A repetition, or an earlier beginning, extends
    the existing release. 409 if another company got such stamps of that time by a release.
    """
    session, device_no, company_id, now = work.session, adoption.device_no, adoption.company_id, work.now()
    if _released_to_another(session, device_no, company_id, adoption.starts_at, now, Release.unnamed_only):
        raise words.adoption_overlaps()
    overlapping = _overlapping(device_no, adoption.starts_at, now)
    own_release = session.scalars(
        select(Release)
        .where(*overlapping, Release.company_id == company_id, Release.unnamed_only)
        .order_by(Release.starts_at, Release.id)
    ).first()
    if own_release is None:
        _add_release(work, device_no, company_id, adoption.starts_at, now, unnamed_only=True)
    else:
        own_release.starts_at, own_release.ends_at = (
            min(own_release.starts_at, adoption.starts_at),
            max(own_release.ends_at, now),
        )
        session.flush()
    _ensure_no_company_loses(work, adoption, session.scalars(select(Release.company_id).where(*overlapping)).all())


def _ensure_no_company_loses(work: UnitOfWork, adoption: Adoption, company_ids: Collection[str]) -> None:
    """Raises 409 if placing again would move a stamp of one of these companies to the adopting company."""
    tx = Tx(work.session, work.platform)
    for company_id in sorted({*company_ids} - {adoption.company_id}):
        # a stamp may be booked at another time
        present = queries.all_of_device(tx, company_id, adoption.device_no, 0)
        unnamed = [stamp.claim for stamp in present if stamp.claim.tap.assignment is None]
        device = reprocessing.facts_for(tx, adoption.device_no, unnamed)
        if any(timed(tx, device, claim).company_id == adoption.company_id for claim in unnamed):
            raise words.adoption_overlaps()


def place_unassigned(tx: Tx, device_no: int) -> int:
    """Places the unassigned stamps of a device after a change of its assignments or releases; returns how many found a
    company.
    """
    unassigned = queries.unassigned_of(tx, device_no)
    changes: reprocessing.Changes = {}
    reprocessing.place_again(tx, reprocessing.facts_for(tx, device_no, unassigned), [], unassigned, changes)
    reprocessing.derive(tx, changes)
    return len(unassigned) - len(queries.unassigned_of(tx, device_no))


def take_back(tx: Tx, device_no: int, company_id: str, since_at: datetime) -> None:
    """Places a company's stamps of a device from an instant on again, because the device's assignment to it
    has ended.
    """
    present: Sequence[queries.StoredStamp] = queries.all_of_device(tx, company_id, device_no, ms_of(since_at))
    changes: reprocessing.Changes = {}
    device = reprocessing.facts_for(tx, device_no, [stamp.claim for stamp in present])
    reprocessing.place_again(tx, device, present, [], changes)
    reprocessing.derive(tx, changes)


def _released_to_another(
    session: Session,
    device_no: int,
    company_id: str,
    starts_at: datetime,
    ends_at: datetime,
    *conditions: SQLColumnExpression[bool],
) -> bool:
    """Whether a release that meets the conditions gives stamps of the device in this period to another company."""
    overlapping = _overlapping(device_no, starts_at, ends_at)
    other_releases = select(Release.id).where(*overlapping, Release.company_id != company_id, *conditions)
    return session.scalar(other_releases.limit(1)) is not None


def _overlapping(device_no: int, starts_at: datetime, ends_at: datetime) -> tuple[SQLColumnExpression[bool], ...]:
    """Returns the conditions for the releases of a device that hold for a part of the period."""
    return Release.device_no == device_no, Release.starts_at <= ends_at, Release.ends_at >= starts_at


def _add_release(
    work: UnitOfWork,
    device_no: int,
    company_id: str,
    starts_at: datetime,
    ends_at: datetime,
    *,
    unnamed_only: bool = False,
) -> None:
    work.session.add(
        Release(
            company_id=company_id,
            id=work.new_id(),
            device_no=device_no,
            starts_at=starts_at,
            ends_at=ends_at,
            unnamed_only=unnamed_only,
            released_at=work.now(),
            released_by=work.actor_id,
        )
    )
    work.session.flush()


class _Waiting(NamedTuple):
    """The columns of a held stamp that a decision needs."""

    tag_no: int
    status: int
    device_no: int


def _waiting(session: Session, company_id: str, stamp_id: str) -> _Waiting:
    """Returns the company's held stamp. 409 if it is no longer held, 404 if it is not the company's."""
    row = session.execute(
        select(Stamp.tag_no, Stamp.status, Stream.device_no)
        .join(Stream, Stream.no == Stamp.stream_no)
        .where(Stamp.company_id == company_id, Stamp.waits, Stamp.id == stamp_id)
    ).first()
    if row is None:
        raise words.not_held() if _is_of_company(session, company_id, stamp_id) else not_found()
    return _Waiting(*row)


def _check_taken(session: Session, company_id: str, taken_at: datetime, now: datetime, period: Period) -> None:
    """Raises 422 if `taken_at` is outside the period that is possible for the stamp."""
    if not period.first_ms <= ms_of(taken_at) <= period.last_ms:
        zone = zone_of(session, company_id, now)
        raise words.taken_outside(*(local(from_ms(bound_ms), zone) for bound_ms in period))


def _is_of_company(session: Session, company_id: str, stamp_id: str) -> bool:
    receipt_id = session.scalar(
        select(Receipt.id)
        .join(TagNumber, TagNumber.no == Receipt.tag_no)
        .where(Receipt.id == stamp_id, TagNumber.company_id == company_id)
    )
    return receipt_id is not None
