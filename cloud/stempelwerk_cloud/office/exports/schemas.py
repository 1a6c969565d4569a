"""JSON bodies and answers of the endpoints for exports."""

import json
import re
from functools import reduce
from operator import getitem
from typing import Annotated, Any, Final, Literal, LiteralString, cast

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, ValidationError, WithJsonSchema

from stempelwerk_cloud.domain.payroll import Kind
from stempelwerk_cloud.kit.http.problems import malformed, sentence_error
from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, Wire
from stempelwerk_cloud.kit.invisible import normalize_key
from stempelwerk_cloud.people.employment.schemas import Department

Format = Literal["xlsx", "csv", "pdf", "lodas", "lug"]
Difference = Literal["json", "csv"]


def _require_pattern(pattern: str, sentence: LiteralString) -> tuple[Any, ...]:
    """Returns the annotations of a `str` with this pattern; `sentence` is the error for any other text."""
    accepted = re.compile(pattern)

    def check(text: str) -> str:
        normal = normalize_key(text)
        if accepted.fullmatch(normal) is None:
            raise sentence_error(sentence)
        return normal

    return AfterValidator(check), WithJsonSchema({"type": "string", "pattern": f"^{pattern}$"})


_NOT_ZERO: Final = "(?!0+$)"
_LETTERS: Final = "0-9A-Za-zÄÖÜäöüß"
_ADVISER: Final = _require_pattern(
    f"{_NOT_ZERO}[0-9]{{4,7}}", "Die Beraternummer hat 4 bis 7 Ziffern und besteht nicht nur aus Nullen."
)
_CLIENT: Final = _require_pattern(
    f"{_NOT_ZERO}[0-9]{{1,5}}", "Die Mandantennummer hat 1 bis 5 Ziffern und besteht nicht nur aus Nullen."
)
_WAGE_TYPE: Final = _require_pattern(
    f"{_NOT_ZERO}[0-9]{{1,4}}", "Eine Lohnart hat 1 bis 4 Ziffern und besteht nicht nur aus Nullen."
)
_KEY: Final = _require_pattern(
    f"[{_LETTERS}]{{1,2}}", "Ein Ausfallschlüssel hat ein oder zwei Buchstaben oder Ziffern."
)
_CENTRE: Final = _require_pattern(
    f"[{_LETTERS}]{{1,8}}", "Eine Kostenstelle hat höchstens acht Buchstaben oder Ziffern."
)
_Adviser = Annotated[str, *_ADVISER]
_Client = Annotated[str, *_CLIENT]
WageType = Annotated[str, *_WAGE_TYPE]
AbsenceKey = Annotated[str, *_KEY]
_CostCentre = Annotated[str, *_CENTRE]
_Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
_AbsenceKeys = Annotated[dict[_Reason, AbsenceKey | None], Field(max_length=100)]
_CostCentres = Annotated[dict[Department, _CostCentre | None], Field(max_length=1000)]


class _Known(Wire):
    # Only the documented spelling: an unknown name would be ignored, and the caller would believe that it is stored.
    model_config = ConfigDict(extra="forbid", populate_by_name=False)


class WageTypes(_Known):
    """The company's own wage types by kind of pay; null: the kind is not exported."""

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


class Mapping(_Known):
    """The company's numbers at the tax adviser's, and its wage types.

    `absenceKeys`: by `hours`, `publicHoliday`, `vacation`, `sick`, `unpaid` or the reason of a special absence;
    `costCentres`: by department. `night40` and `holiday150` without a wage type of their own are reported as `night`
    and `holiday`.
    """

    adviser_number: _Adviser | None = None
    client_number: _Client | None = None
    wage_types: WageTypes = Field(default_factory=WageTypes)
    absence_keys: _AbsenceKeys = Field(default_factory=dict)
    cost_centres: _CostCentres = Field(default_factory=dict)


class MappingChange(_Known):
    """A change of any values of `Mapping`. Other values stay, also within the maps; null removes a value."""

    adviser_number: _Adviser | None = None
    client_number: _Client | None = None
    wage_types: WageTypes | None = None
    absence_keys: _AbsenceKeys | None = None
    cost_centres: _CostCentres | None = None


def merged(mapping: Mapping, change: MappingChange) -> Mapping:
    """Returns the mapping after the change. 422 if one of its maps becomes too large."""
    values = mapping.model_dump(by_alias=True)
    for name, value in change.model_dump(by_alias=True, exclude_unset=True).items():
        if isinstance(values[name], dict):
            values[name] = {} if value is None else values[name] | value
        else:
            values[name] = value
    for name in ("absenceKeys", "costCentres"):
        values[name] = {key: value for key, value in values[name].items() if value is not None}
    try:
        return Mapping.model_validate(values)
    except ValidationError as error:
        raise malformed(cast(Any, error.errors())) from None


def parse_mapping(text: str) -> Mapping:
    """Returns a stored mapping, without values that an older version accepted and this one refuses."""
    values = json.loads(text)
    try:
        return Mapping.model_validate(values)
    except ValidationError as error:
        for refusal in error.errors():
            *path, name = (part for part in refusal["loc"] if part != "[key]")
            reduce(getitem, path, values).pop(name, None)
        return Mapping.model_validate(values)


class LockRow(Wire):
    """The lock of a month; null for an open month. `lockedBy`: the username of the author, while the person exists."""

    month: str
    locked_at: InstantField | None
    locked_by: str | None


class FindingRow(Wire):
    """A finding about a file. `blocks`: whether it blocks the file. CSV, XLSX and PDF are never blocked."""

    code: str
    user_id: str | None
    date: DayField | None
    message: str
    blocks: bool


class ExportRow(Wire):
    """A file that was made. `changed`: the month has changed since; always false for a draft.

    `timesGone`: the month's times are purged, so nothing is compared any more.
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
    """A changed figure. `before` and `after` are minutes of that day (`work`: net), or null. `at`: when it changed.

    `holiday` is the pay of a holiday, `holiday125` and `holiday150` are surcharges for work on one; `overtime` is dated
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
    """A file that is being made: `done` of `of` people are finished. `sha256`: once the file is finished."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    done: int
    of: int
    month: str
    format: str
    sha256: str | None
