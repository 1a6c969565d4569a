"""Bodies of the calls about exports."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stempelwerk_cloud.domain.payroll import Kind
from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, Wire
from stempelwerk_cloud.people.employment.service import Department

Format = Literal["xlsx", "csv", "pdf", "lodas", "lug"]
Difference = Literal["json", "csv"]

_Adviser = Annotated[str, StringConstraints(pattern=r"^[0-9]{4,7}$")]
_Client = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,5}$")]
WageType = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}$")]
AbsenceKey = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z]{1,4}$")]
_CostCentre = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,8}$")]
_Reason = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class WageTypes(Wire):
    """The company's own wage types, by what is paid; null: nothing is written of it."""

    hours: WageType | None = None
    night: WageType | None = None
    sunday: WageType | None = None
    holiday: WageType | None = None
    vacation: WageType | None = None
    sick: WageType | None = None
    public_holiday: WageType | None = None
    overtime: WageType | None = None
    night40: WageType | None = None
    holiday150: WageType | None = None


class Mapping(Wire):
    """Numbers at the tax adviser's, and what hours are called there.

    `absenceKeys`: by `vacation`, `sick` or the reason of a special absence; `costCentres`: by department. `night40` and
    `holiday150` without a wage type of their own are told as `night` and `holiday`.
    """

    adviser_number: _Adviser | None = None
    client_number: _Client | None = None
    wage_types: WageTypes = Field(default_factory=WageTypes)
    absence_keys: Annotated[dict[_Reason, AbsenceKey | None], Field(max_length=100)] = Field(default_factory=dict)
    cost_centres: Annotated[dict[Department, _CostCentre | None], Field(max_length=1000)] = Field(default_factory=dict)


class LockRow(Wire):
    """`lockedBy`: the name of who did, as long as there is one."""

    month: str
    locked_at: InstantField | None
    locked_by: str | None


class FindingRow(Wire):
    """`blocks`: whether payroll files are not made before it is settled."""

    code: str
    user_id: str | None
    date: DayField | None
    message: str
    blocks: bool


class ExportRow(Wire):
    """A file that was made. `changed`: the month stands otherwise by now; of a draft always false.

    `timesGone`: the month's times have gone because their time was over, so nothing is compared any more.
    """

    id: str
    month: str
    format: str
    created_at: InstantField
    sha256: str
    draft: bool
    changed: bool
    times_gone: bool


class DifferenceRow(Wire):
    """A changed figure. `before` and `after` are minutes of that day, of `work` net, or null. `at`: since when.

    `holiday` is the pay of a holiday, `holiday125` and `holiday150` are surcharges of work on one; `overtime` is dated
    the month's last day. Surcharges and overtime have rows if the exported mapping gives them a wage type.
    """

    user_id: str
    username: str
    date: DayField
    kind: Kind
    before: int | None
    after: int | None
    reason: Literal["correction", "deletion", "late_stamp", "leave", "absence", "other"]
    at: InstantField | None


class ExportWish(Wire):
    month: str
    format: Format


class JobRow(Wire):
    """A file that is being made: `done` of `of` people; `sha256` once it is there."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    done: int
    of: int
    month: str
    format: str
    sha256: str | None
