"""Bodies of the calls about calendar addresses."""

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class AddressRow(Wire):
    """A new address, whole: it is shown this once."""

    url: str


class AddressState(Wire):
    """Whether the caller has an address, and since when. The address itself is not stored."""

    active: bool
    created_at: InstantField | None
