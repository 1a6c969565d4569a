"""The answer about an installation."""

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import DayField, Wire


class SaidRow(Wire):
    """One detail about the operator. `sample`: it is not set; the text is an obvious placeholder."""

    text: str
    sample: bool


class OperatorRow(Wire):
    """The operator of the service, as the law requires it (§ 5 DDG, Art. 13 DSGVO)."""

    name: SaidRow
    represented: SaidRow
    street: SaidRow
    city: SaidRow
    country: SaidRow
    email: SaidRow
    phone: SaidRow
    phone_uri: SaidRow
    register_entry: SaidRow = Field(alias="register")
    vat_id: SaidRow
    host: SaidRow
    authority: SaidRow
    privacy_email: SaidRow


class SiteRow(Wire):
    """The installation's public details. `inquiries`: whether the public forms work; `complete`: whether all of the
    operator's details are set.
    """

    origin: str
    today: DayField
    today_text: str
    inquiries: bool
    complete: bool
    operator: OperatorRow
