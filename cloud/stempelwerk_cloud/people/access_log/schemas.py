"""JSON of the access log."""

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.access.service import looks


class Looked(Wire):
    """Whose times were looked at. `username` null: nobody who is known any more."""

    user_id: str
    username: str | None


class AccessRow(Wire):
    """That `actor` (an id) looked, for the first time within a clock hour. No `subjects`: at the whole company's."""

    id: str
    at: InstantField
    actor: str
    actor_name: str | None
    what: looks.LookKind
    subjects: list[Looked]
