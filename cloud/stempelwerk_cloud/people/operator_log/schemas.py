"""JSON of the operator log."""

from typing import Any

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


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
