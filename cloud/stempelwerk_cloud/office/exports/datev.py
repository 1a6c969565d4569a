"""What DATEV takes: LODAS, and Lohn und Gehalt. Windows-1252, CRLF, decimal comma.

What is paid, and what that is called, is said once (`paid`): the check before the file goes by the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from stempelwerk_cloud.domain.payroll import decimal, hundredths, spread
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.office.exports import schemas
from stempelwerk_cloud.office.exports.content import SUPPLEMENTS
from stempelwerk_cloud.office.exports.months import Month, PersonMonth

Program = Literal["lodas", "lug"]
_INSTEAD: Final = {"night40": "night", "holiday150": "holiday"}
MUST: Final = ("hours", "vacation", "sick")
"""What must have a name if it occurs."""
_HOURS: Final = "1"


class Paid(NamedTuple):
    """Minutes of a day that may be paid as `kind` (`schemas.WageTypes`, or `special`), and halves of a day off."""

    kind: str
    date: date
    minutes: int
    halves: int = 0
    reason: str | None = None


def paid(person: PersonMonth, last: date) -> Iterator[Paid]:
    """Worked hours of who is paid by them; beside these supplements, overtime, and what was off."""
    for entry in filter(attrgetter("counts"), person.worked):
        if person.on(entry.date).pay_type == "hourly":
            yield Paid("hours", entry.date, entry.net)
    for off in person.off:
        kind = "public_holiday" if off.kind == "holiday" else off.kind
        yield Paid(kind, off.date, off.minutes, off.halves, off.reason)
    yield from (Paid(kind, day, minutes) for day, kind, minutes in person.supplements if kind in SUPPLEMENTS)
    if person.overtime:
        yield Paid("overtime", last, person.overtime)


def wage_type(mapping: schemas.Mapping, kind: str) -> str | None:
    found: str | None = getattr(mapping.wage_types, kind, None)
    return found if found is not None or kind not in _INSTEAD else wage_type(mapping, _INSTEAD[kind])


def absence_key(mapping: schemas.Mapping, one: Paid) -> str | None:
    return mapping.absence_keys.get(one.reason if one.kind == "special" and one.reason else one.kind)


def unmapped(month: Month, mapping: schemas.Mapping, program: Program) -> list[str]:
    """The kinds that occur and have no name, in the order of `MUST`."""
    occurring = {
        one.kind
        for person in month.people
        for one in paid(person, month.last)
        if one.kind in MUST and one.minutes and not _named(mapping, one, program)
    }
    return [kind for kind in MUST if kind in occurring]


def lodas(month: Month, numbers: Mapping[str, str | None], mapping: schemas.Mapping) -> bytes:
    """Hours of the month by person, wage type and cost centre."""
    lines = [
        "[Allgemein]",
        "Ziel=LODAS",
        "Version_SST=1.0",
        f"BeraterNr={mapping.adviser_number}",
        f"MandantenNr={mapping.client_number}",
        "Datumsformat=TT.MM.JJJJ",
        "Feldtrennzeichen=;",
        "Zahlenkomma=,",
        "[Satzbeschreibung]",
        "1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;"
        "kostenstelle#bwd;",
        "[Bewegungsdaten]",
    ]
    first = german.day_in_table(month.first)
    for person in month.people:
        sums: defaultdict[tuple[str, str], int] = defaultdict(int)
        for one in paid(person, month.last):
            type_ = wage_type(mapping, one.kind)
            if type_ is not None:
                sums[type_, _centre(mapping, person, one.date)] += one.minutes
        for (type_, centre), minutes in sorted(sums.items()):
            if minutes:
                value = decimal(hundredths(minutes))
                lines.append(f"1;{first};{value};{_HOURS};{type_};{_number(numbers, person)};{centre};")
    return _encoded(lines)


def lug(month: Month, numbers: Mapping[str, str | None], mapping: schemas.Mapping) -> bytes:
    """Day by day, in eleven fields; hours of a person and kind sum up to those of the month."""
    lines = []
    for person in month.people:
        days: defaultdict[tuple[str, str, str], list[Paid]] = defaultdict(list)
        for one in _by_day(paid(person, month.last)):
            key, type_ = absence_key(mapping, one) or "", wage_type(mapping, one.kind) or ""
            if key or type_:
                days[key, type_, _centre(mapping, person, one.date)].append(one)
        told = [
            (one.date, key, type_, hours, one.halves, centre)
            for (key, type_, centre), found in days.items()
            for one, hours in zip(found, spread(one.minutes for one in found), strict=True)
        ]
        for day, key, type_, hours, halves, centre in sorted(told):
            fields = [_number(numbers, person), german.day_in_table(day), key, type_]
            fields += [decimal(hours) if hours else "", decimal(halves * 50) if key and halves else ""]
            lines.append(";".join([*fields, "", "", "", centre, ""]))
    return _encoded(lines)


def _by_day(found: Iterable[Paid]) -> Sequence[Paid]:
    """One of each kind and day."""
    days: dict[tuple[date, str, str], Paid] = {}
    for one in found:
        key = one.date, one.kind, one.reason or ""
        known = days.get(key)
        days[key] = one if known is None else known._replace(minutes=known.minutes + one.minutes)
    return [days[key] for key in sorted(days)]


def _named(mapping: schemas.Mapping, one: Paid, program: Program) -> bool:
    return wage_type(mapping, one.kind) is not None or (program == "lug" and absence_key(mapping, one) is not None)


def _centre(mapping: schemas.Mapping, person: PersonMonth, day: date) -> str:
    return mapping.cost_centres.get(person.on(day).department or "") or ""


def _number(numbers: Mapping[str, str | None], person: PersonMonth) -> str:
    return str(int(numbers[person.user_id] or 0))


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode("cp1252")
