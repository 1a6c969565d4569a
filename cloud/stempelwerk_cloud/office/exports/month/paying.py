"""The kinds of pay that differences of an export show, by the mapping that was exported."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from stempelwerk_cloud.domain.payroll import Kind

_BESIDE: Final[Mapping[str, Kind]] = {
    "night": "night",
    "night40": "night40",
    "sunday": "sunday",
    "holiday": "holiday125",
    "holiday150": "holiday150",
    "overtime": "overtime",
}
"""Surcharges and overtime by the names of their wage types."""
INSTEAD: Final = {"night40": "night", "holiday150": "holiday"}
"""Surcharges without a wage type of their own are paid as these."""


class PaidKinds(NamedTuple):
    """Kinds of a difference by their names in a month: of days off, and of surcharges and overtime.

    Hours, vacation, illness and other absences always have rows: no payroll file is made while they occur without a
    name, and every table and timesheet shows them. Holiday pay has no rows if the mapping names wage types and leaves
    it out.
    """

    off: Mapping[str, Kind]
    beside: Mapping[str, Kind]

    @property
    def has_surcharges(self) -> bool:
        return any(kind != "overtime" for kind in self.beside)


@lru_cache(maxsize=1_000)
def paid_kinds(mapping: str) -> PaidKinds:
    """Returns the kinds that a stored mapping pays: JSON of `schemas.Mapping` of any release."""
    stored = msgspec.json.decode(mapping)
    mapped = {kind for kind, wage_type in stored["wageTypes"].items() if wage_type}
    off: dict[str, Kind] = {"vacation": "vacation", "sick": "sick", "special": "absence"}
    if not mapped or "publicHoliday" in mapped or stored["absenceKeys"].get("publicHoliday"):
        off["holiday"] = "holiday"
    wage_types = {kind: kind if kind in mapped else INSTEAD.get(kind, kind) for kind in _BESIDE}
    return PaidKinds(off, {kind: _BESIDE[wage_type] for kind, wage_type in wage_types.items() if wage_type in mapped})
