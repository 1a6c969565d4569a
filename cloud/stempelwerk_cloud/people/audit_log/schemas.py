"""JSON of the audit log."""

from typing import Any

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class AuditRow(Wire):
    """A decision. `actor` null: the installation's own command. An erased word is null in `before` and `after`."""

    id: str
    at: InstantField
    actor: str | None
    actor_name: str | None
    action: str
    subject: str | None
    subject_name: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    hash: str
