"""Finds an entry and its person by the entry's id.

No index leads from the id to the entry, because every Kommen would have to update it. The id is that of a stamp or a
correction, which leads to a person, and so to their entries.
"""

import uuid
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database.statements import Sql, Statement

_OF_THEM = (
    "SELECT p.company_id::text, p.user_id::text, e.id::text, e.start_at, e.end_at, e.device_no FROM ({people}) AS w"
    " JOIN person_numbers p ON p.company_id = w.company_id AND p.user_id = w.user_id"
    " JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no AND e.id = :id::uuid"
    " WHERE :company::uuid IS NULL OR p.company_id = :company::uuid"
)
_BY_FACT = Statement(
    _OF_THEM.format(
        people="SELECT t.company_id, h.user_id FROM receipts r JOIN tag_numbers t ON t.no = r.tag_no"
        " JOIN tag_holdings h ON h.company_id = t.company_id AND h.tag = t.tag WHERE r.id = :id::uuid"
        " UNION SELECT c.company_id, c.user_id FROM corrections c WHERE c.id = :id::uuid"
    )
)
# Ids of entries that a deletion cut off from a correction's entry are ids of no fact (`timeline._clip`).
_BY_DELETION = Statement(
    _OF_THEM.format(
        people="SELECT DISTINCT v.company_id, v.user_id FROM voids v"
        " WHERE :company::uuid IS NULL OR v.company_id = :company::uuid"
    )
)
_CUT_OFF = 5
"""The UUID version of the ids of entries that a deletion has cut off from a correction's entry."""


class EntryPlace(NamedTuple):
    """An entry's company, person and times. `device_no`: the clock of its first stamp."""

    company_id: str
    user_id: str
    id: str
    start: datetime | None
    end: datetime | None
    device_no: int | None

    @property
    def known_at(self) -> datetime:
        """The start, or the end if the start is missing."""
        instant = self.start or self.end
        assert instant is not None
        return instant


def find_entry(session: Session, entry_id: str, company_id: str | None) -> EntryPlace | None:
    """Returns the current entry with this id, or None. `company_id` None: in any company, for system administrators and
    clocks.
    """
    statements = [_BY_FACT, _BY_DELETION] if uuid.UUID(entry_id).version == _CUT_OFF else [_BY_FACT]
    for statement in statements:
        for row in Sql(session).rows(statement, {"id": entry_id, "company": company_id}):
            found_in, user_id, found_id, start, end, device_no = row
            return EntryPlace(found_in, user_id, found_id, _instant(start), _instant(end), device_no)
    return None


def _instant(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)
