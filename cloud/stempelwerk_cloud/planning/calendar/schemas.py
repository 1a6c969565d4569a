"""JSON answers of the endpoints for calendar addresses."""

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class AddressRow(Wire):
    """A new calendar address. It is returned only in this answer, because only a hash of it is stored."""

    url: str


class AddressState(Wire):
    """Whether the caller has an address, and since when. The address itself is not stored."""

    active: bool
    created_at: InstantField | None
