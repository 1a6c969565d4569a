"""Files for DATEV: LODAS, and Lohn und Gehalt. Windows-1252, CRLF, decimal comma.

`paid` lists everything that payroll pays. Both files, and the check before them, are made from it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from operator import attrgetter
from typing import Final, NamedTuple

from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.days import UNPAID_REASONS
from stempelwerk_cloud.domain.payroll import day_lines, decimal, hundredths, spread
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.office.exports import schemas, words
from stempelwerk_cloud.office.exports.month.content import SUPPLEMENTS
from stempelwerk_cloud.office.exports.month.months import Month, PersonMonth
from stempelwerk_cloud.office.exports.month.paying import INSTEAD


class Program(NamedTuple):
    """A payroll program. `takes_absence_keys`: its file also has absence keys, and not only hours with a wage type.

    `remedy`: the German sentence about an absence that its file lacks.
    """

    takes_absence_keys: bool
    remedy: str


LODAS: Final = Program(takes_absence_keys=False, remedy=words.ANOTHER_WAY)
LUG: Final = Program(takes_absence_keys=True, remedy=words.ENTER_KEY)
MUST: Final = ("hours", "vacation", "sick")
"""The kinds that block the file if they occur without a wage type or absence key."""
_KEYS: Final = {"hours": "hours", "public_holiday": "publicHoliday", "vacation": "vacation", "sick": "sick"}
"""The kinds that have an absence key of their own, with its name in the mapping."""
_HOURS: Final = "1"


class Paid(NamedTuple):
    """Minutes of a day that may be paid as `kind` (`schemas.WageTypes`, or `special`), and the halves of a day off.

    `of_month`: a sum of the month, dated its last day. `is_idle`: a day of illness without owed work.
    """

    kind: str
    date: date
    minutes: int
    halves: int = 0
    reason: str | None = None
    of_month: bool = False
    is_idle: bool = False
    is_unpaid: bool = False


class Unnamed(NamedTuple):
    """A paid special absence without a wage type or absence key: its reason, first day and number of days."""

    user_id: str
    reason: str | None
    date: date
    days: int


class _Account(NamedTuple):
    """The absence key, wage type and cost centre of a line of Lohn und Gehalt."""

    key: str
    wage_type: str
    centre: str

    @property
    def rounded_with(self) -> tuple[str, str]:
        """The key of lines that are rounded together: those of one wage type and cost centre, as in LODAS."""
        return self.wage_type or f"key {self.key}", self.centre


def paid(person: PersonMonth, last: date) -> Iterator[Paid]:
    """Yields supplements and overtime of all people, and hours and credits of hourly people.

    Absences of people with a monthly wage are days without minutes, because the wage pays them.
    """
    for entry in filter(attrgetter("counts"), person.worked):
        if _is_hourly(person, entry.date):
            yield Paid("hours", entry.date, entry.net)
    for off in person.off:
        kind = "public_holiday" if off.kind == "holiday" else off.kind
        is_hourly = _is_hourly(person, off.date)
        if is_hourly or off.kind != "holiday":
            is_unpaid = off.kind == "special" and off.reason in UNPAID_REASONS and not off.minutes
            minutes = off.minutes if is_hourly else 0
            yield Paid(kind, off.date, minutes, off.halves, off.reason, is_unpaid=is_unpaid)
    yield from (Paid("sick", day, 0, is_idle=True) for day in person.idle_sick)
    yield from (Paid(kind, day, minutes) for day, kind, minutes in person.supplements if kind in SUPPLEMENTS)
    if person.overtime:
        yield Paid("overtime", last, person.overtime, of_month=True)


def wage_type(mapping: schemas.Mapping, kind: str) -> str | None:
    mapped: str | None = getattr(mapping.wage_types, kind, None)
    return mapped if mapped is not None or kind not in INSTEAD else wage_type(mapping, INSTEAD[kind])


def absence_key(mapping: schemas.Mapping, item: Paid) -> str | None:
    """Returns the key of the kind, or of a special absence's reason. Unpaid days without one get the key `unpaid`."""
    keys = mapping.absence_keys
    if item.kind != "special":
        return keys.get(_KEYS.get(item.kind, ""))
    key = keys.get(item.reason or "special")
    return keys.get("unpaid") if key is None and item.is_unpaid else key


def unmapped(month: Month, mapping: schemas.Mapping, program: Program) -> list[str]:
    """Returns those of `MUST` and public holidays that occur and have neither a wage type nor an absence key."""
    kinds = {item.kind for _, item in _unnamed(month, mapping, program)}
    return [kind for kind in (*MUST, "public_holiday") if kind in kinds]


def unnamed_absences(month: Month, mapping: schemas.Mapping, program: Program) -> list[Unnamed]:
    """Returns the paid special absences that the file lacks, by person and reason."""
    dates_by_reason: defaultdict[tuple[str, str | None], set[date]] = defaultdict(set)
    for person, item in _unnamed(month, mapping, program):
        if item.kind == "special":
            dates_by_reason[person.user_id, item.reason].add(item.date)
    return [Unnamed(*key, min(dates), len(dates)) for key, dates in dates_by_reason.items()]


def _unnamed(month: Month, mapping: schemas.Mapping, program: Program) -> Iterator[tuple[PersonMonth, Paid]]:
    for person in month.people:
        for item in paid(person, month.last):
            has_key = program.takes_absence_keys and absence_key(mapping, item) is not None
            if item.minutes and not has_key and wage_type(mapping, item.kind) is None:
                yield person, item


def lodas(month: Month, numbers: Mapping[str, str | None], mapping: schemas.Mapping) -> bytes:
    """Returns the LODAS file: hours of the month by person, wage type and cost centre. The format has no days."""
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
        for item in paid(person, month.last):
            type_ = wage_type(mapping, item.kind)
            if type_ is not None:
                sums[type_, _centre(mapping, person, item.date)] += item.minutes
        for (type_, centre), minutes in sorted(sums.items()):
            if minutes:
                value = decimal(hundredths(minutes))
                lines.append(f"1;{first};{value};{_HOURS};{type_};{_number(numbers, person)};{centre};")
    return _encoded(lines)


def lug(month: Month, numbers: Mapping[str, str | None], mapping: schemas.Mapping) -> bytes:
    """Returns the file for Lohn und Gehalt: a head line, and then hours and days off by day, in eleven fields.

    Hours of a person, wage type and cost centre sum up to those of `lodas`.
    """
    head = f"{mapping.adviser_number};{mapping.client_number};{month.first:%m/%Y}"
    return _encoded([head, *(line for person in month.people for line in _lines(month, numbers, mapping, person))])


def _lines(
    month: Month, numbers: Mapping[str, str | None], mapping: schemas.Mapping, person: PersonMonth
) -> Iterator[str]:
    hours: defaultdict[_Account, Counter[date]] = defaultdict(Counter)
    month_sums: Counter[_Account] = Counter()
    halves: Counter[tuple[date, _Account]] = Counter()
    idle: set[tuple[date, _Account]] = set()
    for account, item, amount in _booked(month, mapping, person):
        if item.of_month:
            month_sums[account] += amount
        elif amount:
            hours[account][item.date] += amount
        if account.key and item.halves:
            halves[item.date, account] += item.halves
        if account.key and item.is_idle:
            idle.add((item.date, account))
    dates = list(days(month.first, month.last))
    lines = [
        (day, account, decimal(amount))
        for account in hours.keys() | month_sums.keys()
        for day, amount in day_lines(hours[account], month_sums[account], dates)
    ]
    with_hours = {(day, account) for day, account, _ in lines}
    lines += [(day, account, "") for day, account in (halves.keys() | idle) - with_hours]
    number = _number(numbers, person)
    for day, account, value in sorted(lines):
        # Only the first line of a day has its days.
        off = halves.pop((day, account), 0)
        fields = (number, str(day.day), account.key, account.wage_type, value, decimal(off * 50) if off else "")
        yield ";".join([*fields, "", "", "", account.centre, ""])


def _booked(month: Month, mapping: schemas.Mapping, person: PersonMonth) -> Iterator[tuple[_Account, Paid, int]]:
    """Yields the payments that have a wage type or absence key, with hundredths of an hour. Their rounded days sum up
    to the month.
    """
    together: defaultdict[tuple[str, str], list[tuple[_Account, Paid]]] = defaultdict(list)
    for item in paid(person, month.last):
        # A wage type needs a value.
        type_ = (wage_type(mapping, item.kind) if item.minutes else None) or ""
        account = _Account(absence_key(mapping, item) or "", type_, _centre(mapping, person, item.date))
        if account.key or account.wage_type:
            together[account.rounded_with].append((account, item))
    for items in together.values():
        items.sort(key=lambda pair: (pair[1].of_month, pair[1].date, pair[0]))
        amounts = spread(item.minutes for _, item in items)
        yield from ((account, item, amount) for (account, item), amount in zip(items, amounts, strict=True))


def _is_hourly(person: PersonMonth, day: date) -> bool:
    return person.on(day).pay_type == "hourly"


def _centre(mapping: schemas.Mapping, person: PersonMonth, day: date) -> str:
    return mapping.cost_centres.get(person.on(day).department or "") or ""


def _number(numbers: Mapping[str, str | None], person: PersonMonth) -> str:
    return str(int(numbers[person.user_id] or 0))


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode("cp1252")
