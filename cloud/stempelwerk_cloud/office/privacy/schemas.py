"""Bodies of the calls about a company's consent."""

from pydantic import Field, StrictBool

from stempelwerk_cloud.kit.http.schemas import InstantField, SentInstant, Wire


class ConsentRow(Wire):
    """`accepted_at`, `accepted_by` (a username): null until somebody has agreed to this version."""

    accepted: bool
    version: str
    accepted_at: InstantField | None
    accepted_by: str | None


class Consenting(Wire):
    """`accepted_at` is taken and not believed: the server's own time is kept."""

    accepted: StrictBool
    version: str = Field(max_length=20)
    accepted_at: SentInstant | None = None
