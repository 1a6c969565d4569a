"""The answer about an installation."""

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import DayField, Wire


class SaidRow(Wire):
    """One statement of the operator about itself; `sample`: it is not set yet; the text is an obvious placeholder."""

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
    """`inquiries`: whether the public forms send anything. `complete`: whether nothing of the operator is a sample."""

    origin: str
    today: DayField
    today_text: str
    inquiries: bool
    complete: bool
    operator: OperatorRow
