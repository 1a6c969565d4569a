"""Reading audit logs from other rooms."""

from collections.abc import Collection

from stempelwerk_cloud.people.audit_log import listing, queries
from stempelwerk_cloud.people.audit_log.listing import AuditRow
from stempelwerk_cloud.people.work import UnitOfWork


def entries_of(work: UnitOfWork, company_id: str, ids: Collection[str]) -> list[AuditRow]:
    """Returns these entries of a company's log with every known name, as the operator log shows them."""
    return listing.rows(work, company_id, queries.by_ids(work.session, company_id, ids), set())
