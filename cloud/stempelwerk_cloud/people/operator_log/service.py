"""Rows of the operator log with names and values from the companies' audit logs."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.audit_log import service as audit_log
from stempelwerk_cloud.people.audit_log.service import AuditRow
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.people.work import UnitOfWork


class OperatorLogRow(Wire):
    """A row of the operator log. `actor` null: a command on the server. `network`: the shortened address; empty:
    unknown.

    `subjectName`, `before` and `after` are null where the company's audit log has no such decision, or not any more.
    """

    id: str
    at: InstantField
    actor: str | None
    actor_name: str
    action: str
    company_id: str | None
    company_name: str | None
    subject: str | None
    subject_name: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    network: str


def describe_rows(work: UnitOfWork, rows: Sequence[Any]) -> list[OperatorLogRow]:
    """Returns the rows as they are answered. Values that a company's log has erased are null here too."""
    ids: dict[str, list[str]] = defaultdict(list)
    operator_id = companies.operator_id(work.platform)
    for row in rows:
        if row.entry is not None:
            # A company is made and closed in the operator's own log.
            for company_id in {row.company, operator_id} - {None}:
                ids[company_id].append(row.entry)
    entries: dict[str, AuditRow] = {}
    for company_id, entry_ids in ids.items():
        entries |= {entry.id: entry for entry in audit_log.entries_of(work, company_id, entry_ids)}
    return [_row(row, entries.get(row.entry or "")) for row in rows]


def _subject_name(row: Any) -> str | None:
    """Names the subject of an event that no audit log has; None if the decision is gone with its company."""
    if row.entry is not None:
        return None
    name: str | None = row.actor_name if row.subject == row.actor else row.subject
    return name


def _row(row: Any, entry: AuditRow | None) -> OperatorLogRow:
    return OperatorLogRow(
        id=row.id,
        at=row.at,
        actor=row.actor,
        actor_name=row.actor_name,
        action=row.action,
        company_id=row.company,
        company_name=row.company_name,
        subject=row.subject,
        subject_name=_subject_name(row) if entry is None else entry.subject_name,
        before=None if entry is None else entry.before,
        after=None if entry is None else entry.after,
        network=row.network,
    )
