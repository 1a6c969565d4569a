"""JSON of the access log."""

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.access.service import looks


class Looked(Wire):
    """A person whose times were read. `username` null: the person is no longer known."""

    user_id: str
    username: str | None


class AccessRow(Wire):
    """An entry of the access log: the first read by `actor` (an id) within a clock hour. Without `subjects`: of the
    whole company's times.
    """

    id: str
    at: InstantField
    actor: str
    actor_name: str | None
    what: looks.LookKind
    subjects: list[Looked]
