"""Decisions about people's time (corrections and voids) as facts: storing them, and reading them for derivations.

The room `corrections` decides whether a decision may be made. A caller that stores one here must derive the entries
that it concerns; `timekeeping/ledger/deriving/deciding.py` does both in one step.
"""

import json
from dataclasses import dataclass

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.timekeeping.ledger.tables import CorrectionRow, VoidRow


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions about one person's time. Voids are deleted entries."""

    corrections: tuple[Correction, ...] = ()
    voids: tuple[Void, ...] = ()


def decided_people(session: Session, company_id: str) -> frozenset[str]:
    """Returns the ids of the people about whose time there are decisions."""
    corrected = select(CorrectionRow.user_id).where(CorrectionRow.company_id == company_id)
    voided = select(VoidRow.user_id).where(VoidRow.company_id == company_id)
    return frozenset(session.scalars(union(corrected, voided)))


def decisions_of(session: Session, company_id: str, user_id: str) -> Decisions:
    """Returns all decisions about one person's time."""
    corrections = session.scalars(
        select(CorrectionRow).where(CorrectionRow.company_id == company_id, CorrectionRow.user_id == user_id)
    )
    voids = session.scalars(select(VoidRow).where(VoidRow.company_id == company_id, VoidRow.user_id == user_id))
    return Decisions(tuple(map(_correction, corrections)), tuple(map(_void, voids)))


def add_correction(
    session: Session, company_id: str, user_id: str, correction: Correction, actor_id: str | None = None
) -> None:
    session.add(
        CorrectionRow(
            company_id=company_id,
            id=correction.id,
            user_id=user_id,
            date=correction.date,
            new_start=correction.new_start,
            new_end=correction.new_end,
            break_minutes=correction.break_minutes,
            requested_at=correction.requested_at,
            decided_at=correction.decided_at,
            decided_by=actor_id,
            shift=correction.shift,
            shift_at=correction.shift_at,
            shift_until=correction.shift_until,
        )
    )
    session.flush()


def add_void(session: Session, company_id: str, user_id: str, void: Void, actor_id: str | None = None) -> None:
    session.add(
        VoidRow(
            company_id=company_id,
            id=void.id,
            user_id=user_id,
            start_at=void.start,
            end_at=void.end,
            stamp_ids=json.dumps(sorted(void.stamp_ids)),
            spared=json.dumps(sorted(void.spared)),
            decided_at=void.decided_at,
            decided_by=actor_id,
        )
    )
    session.flush()


def _correction(row: CorrectionRow) -> Correction:
    return Correction(
        id=row.id,
        date=row.date,
        new_start=row.new_start,
        new_end=row.new_end,
        break_minutes=row.break_minutes,
        requested_at=row.requested_at,
        decided_at=row.decided_at,
        shift=row.shift,
        shift_at=row.shift_at,
        shift_until=row.shift_until,
    )


def _void(row: VoidRow) -> Void:
    return Void(
        id=row.id,
        start=row.start_at,
        end=row.end_at,
        decided_at=row.decided_at,
        stamp_ids=frozenset(json.loads(row.stamp_ids)),
        spared=frozenset(json.loads(row.spared)),
    )
