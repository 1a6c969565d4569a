"""Bodies of the calls about a company's consent."""

from pydantic import Field, StrictBool

from stempelwerk_cloud.kit.http.schemas import InstantField, SentInstant, Wire


class ConsentRow(Wire):
    """`accepted_at`, `accepted_by` (a username): null before the company has agreed to this version."""

    accepted: bool
    version: str
    accepted_at: InstantField | None
    accepted_by: str | None


class Consenting(Wire):
    """`accepted_at` is accepted but ignored: the server's own time is stored."""

    accepted: StrictBool
    version: str = Field(max_length=20)
    accepted_at: SentInstant | None = None
