"""Stamps that arrive after their company was purged: they are counted and not stored. Clocks get the usual answer."""

import uuid
from collections import Counter
from collections.abc import Iterable

from sqlalchemy import delete, select

from stempelwerk_cloud.fleet.devices.queries import devices_by_assignment
from stempelwerk_cloud.kit.database.statements import Statement, as_rows
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.placing.placement import Timed
from stempelwerk_cloud.timekeeping.ledger.placing.taps import read_content
from stempelwerk_cloud.timekeeping.ledger.tables import Stamp, StampClaim, UnassignedStamp
from stempelwerk_cloud.timekeeping.tx import Tx

_BURIED = Statement("SELECT b.id::text FROM @rows(w: id uuid) @lookup(b: buried_assignments WHERE b.id = w.id)")
_COUNT = Statement(
    "UPDATE buried_assignments SET late = late + r.more FROM @rows(r: id uuid, more int)"
    " WHERE buried_assignments.id = r.id"
)


def drop_buried(tx: Tx, unassigned: Iterable[Timed]) -> list[Timed]:
    """Returns the claims that name no assignment of a purged company; counts the others."""
    claims = list(unassigned)
    named_ids = sorted(
        {
            assignment
            for timed_claim in claims
            if (assignment := timed_claim.claim.tap.assignment) is not None and _is_id(assignment)
        }
    )
    if not named_ids:
        return claims
    buried = {id_ for (id_,) in tx.sql.rows(_BURIED, {"w": as_rows([{"id": id_} for id_ in named_ids])})}
    late = Counter(
        timed_claim.claim.tap.assignment for timed_claim in claims if timed_claim.claim.tap.assignment in buried
    )
    if late:
        tx.sql.do(_COUNT, {"r": as_rows([{"id": id_, "more": count} for id_, count in sorted(late.items())])})
    return [timed_claim for timed_claim in claims if timed_claim.claim.tap.assignment not in buried]


def _is_id(text: str) -> bool:
    """Whether the text is an id. Clocks may send any text; one that is no id was never an assignment."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def company_purged(work: UnitOfWork, company_id: str) -> None:
    """Deletes the unassigned stamps that clocks delivered for the company, and the claims to its stamps.

    The caller has locked the devices.
    """
    buried = devices_by_assignment(work.session, company_id)
    theirs = select(UnassignedStamp).where(UnassignedStamp.device_no.in_(set(buried.values())))
    for row in work.session.scalars(theirs):
        if read_content(row.content).assignment in buried:
            work.session.delete(row)
    stamps = select(Stamp.id).where(Stamp.company_id == company_id)
    work.session.execute(delete(StampClaim).where(StampClaim.id.in_(stamps)))
    work.session.flush()
