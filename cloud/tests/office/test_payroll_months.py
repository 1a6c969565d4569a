"""Any month in both DATEV files: two readers find the hours and days that the contract pays."""

import zlib
from collections import Counter, defaultdict
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import days, month_bounds
from stempelwerk_cloud.office.exports.files import datev
from stempelwerk_cloud.office.exports.files.formats import FORMATS
from stempelwerk_cloud.office.exports.month.months import Month, Off, PersonMonth, Term, Worked, unpacked
from stempelwerk_cloud.office.exports.schemas import Format, Mapping

from cloud.tests.office.exporting import LugLine, hours, read_lodas, read_lug

MONTHS = ("2026-02", "2026-05", "2028-02")
DEPARTMENTS = (None, "Werkstatt", "Büro")
CENTRES = {"Werkstatt": "10", "Büro": "Verwalt9"}
REASONS = ("Berufsschule", "unbezahlt", "Elternzeit", "Umzug")
SURCHARGES = ("night", "night40", "sunday", "holiday", "holiday150")
TYPES = ("hours", *SURCHARGES, "vacation", "sick", "publicHoliday", "overtime")
KEYS = ("hours", "publicHoliday", "vacation", "sick", "unpaid", *REASONS)


def _mappings() -> st.SearchStrategy[Mapping]:
    """Few numbers and keys, so that kinds often share one."""
    types = st.fixed_dictionaries({name: st.sampled_from([None, "101", "0202", "9"]) for name in TYPES})
    keys = st.fixed_dictionaries({name: st.sampled_from([None, "K", "ÜÄ", "1"]) for name in KEYS})
    numbers = {"adviserNumber": "28547", "clientNumber": "90909", "costCentres": CENTRES}
    return st.builds(
        lambda wages, absences: Mapping.model_validate(numbers | {"wageTypes": wages, "absenceKeys": absences}),
        types,
        keys,
    )


@st.composite
def _people(draw: st.DrawFn, number: int, month: str) -> PersonMonth:
    first, last = month_bounds(month)
    day = st.sampled_from(list(days(first, last)))
    term = st.builds(Term, day, st.sampled_from(DEPARTMENTS), st.sampled_from(["hourly", "monthly"]))
    later = draw(st.lists(term, max_size=2, unique_by=lambda term: term.since))
    terms = {first: draw(term)} | {term.since: term for term in later if term.since > first}
    raw = st.tuples(day, st.integers(0, 1440), st.integers(0, 60), st.booleans())
    worked = [
        Worked(str(index), on, None, None, net + pause, pause, "clock", (), False, ("uncertain_time",) * is_open)
        for index, (on, net, pause, is_open) in enumerate(draw(st.lists(raw, max_size=8)))
    ]
    kinds = st.sampled_from(["vacation", "sick", "holiday", "special"])
    off = st.tuples(day, kinds, st.integers(0, 600), st.integers(1, 2), st.sampled_from(REASONS))
    days_off = [
        Off(on, kind, minutes, halves, reason if kind == "special" else None)  # type: ignore[arg-type]
        for on, kind, minutes, halves, reason in draw(st.lists(off, max_size=6, unique_by=lambda row: row[0]))
    ]
    beside = st.tuples(day, st.sampled_from([*SURCHARGES, "act_night"]), st.integers(1, 600))
    dates_off = {day_off.date for day_off in days_off}
    idle = [day_ for day_ in draw(st.lists(day, max_size=8, unique=True)) if day_ not in dates_off]
    return PersonMonth(
        f"person {number}",
        f"person {number}",
        tuple(Term(valid_from, term.department, term.pay_type) for valid_from, term in sorted(terms.items())),
        tuple(worked),
        tuple(days_off),
        tuple(draw(st.lists(beside, max_size=5))),
        0,
        draw(st.sampled_from([0, 1, 1440, 2565, 60_000])),
        None,
        tuple(sorted(idle)),
    )


@st.composite
def _months(draw: st.DrawFn) -> Month:
    month = draw(st.sampled_from(MONTHS))
    return Month(
        month, "Firma", tuple(draw(_people(number, month)) for number in range(1, draw(st.integers(0, 2)) + 1))
    )


def _wage_type(mapping: Mapping, name: str) -> str | None:
    types = mapping.wage_types.model_dump(by_alias=True)
    return types[name] or types.get({"night40": "night", "holiday150": "holiday"}.get(name, ""))


def _key(mapping: Mapping, off: Off) -> str | None:
    keys = mapping.absence_keys
    if off.kind == "holiday":
        return keys["publicHoliday"]
    if off.kind != "special" or off.reason is None:
        return keys[off.kind]
    key = keys[off.reason]
    return key or (keys["unpaid"] if off.reason in {"unbezahlt", "Elternzeit"} and off.minutes == 0 else None)


def _owed(person: PersonMonth, month: Month) -> list[tuple[date, str, int]]:
    """Minutes by day and wage type's name, as the contract has them."""
    owed = [(day, kind, minutes) for day, kind, minutes in person.supplements if kind != "act_night"]
    owed += [(month.last, "overtime", person.overtime)]
    for day, kind, minutes in [
        *((entry.date, "hours", entry.net) for entry in person.worked if not entry.open),
        *((off.date, "publicHoliday" if off.kind == "holiday" else off.kind, off.minutes) for off in person.off),
    ]:
        if person.on(day).pay_type == "hourly":
            owed.append((day, kind, minutes))
    return owed


def _centre(person: PersonMonth, day: date) -> str:
    return CENTRES.get(person.on(day).department or "", "")


def _rounded(minutes: int) -> Decimal:
    return (Decimal(minutes) / 60).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _files(month: Month, mapping: Mapping) -> tuple[list[dict[str, str]], list[LugLine]]:
    numbers: dict[str, str | None] = {person.user_id: f"00{person.user_id[-1]}" for person in month.people}
    read = read_lug(datev.lug(month, numbers, mapping))
    assert read.month == f"{month.month[5:]}/{month.month[:4]}"
    return read_lodas(datev.lodas(month, numbers, mapping))[1], read.lines


@given(_months(), _mappings())
def test_both_files_pay_the_hours_of_the_month_by_wage_type_and_cost_centre(month: Month, mapping: Mapping) -> None:
    owed: Counter[tuple[str, str, str]] = Counter()
    for person in month.people:
        for day, name, minutes in _owed(person, month):
            if name != "special" and (type_ := _wage_type(mapping, name)):
                owed[person.user_id[-1], type_, _centre(person, day)] += minutes
    bookings, lines = _files(month, mapping)
    expected = {key: _rounded(minutes) for key, minutes in owed.items() if minutes}
    assert {
        (booking["pnr"], booking["la_eigene"], booking["kostenstelle"]): hours(booking["bs_wert_butab"])
        for booking in bookings
    } == expected
    assert len(bookings) == len(expected)
    booked: defaultdict[tuple[str, str, str], Decimal] = defaultdict(Decimal)
    for line in lines:
        if line.wage_type:
            booked[line.number, line.wage_type, line.centre] += line.hours or 0
    assert booked == expected


@given(_months(), _mappings())
def test_hours_of_a_day_are_on_that_day_and_only_overtime_moves(month: Month, mapping: Mapping) -> None:
    _, lines = _files(month, mapping)
    overtime = _wage_type(mapping, "overtime")
    for person in month.people:
        owed: Counter[tuple[int, str]] = Counter()
        totals: Counter[tuple[int, str]] = Counter()
        for day, name, minutes in _owed(person, month):
            type_ = None if name == "special" else _wage_type(mapping, name)
            if name != "overtime" and type_ and type_ != overtime:
                owed[day.day, type_] += minutes
        for line in lines:
            if line.number == person.user_id[-1] and line.wage_type not in {"", overtime}:
                totals[line.day, line.wage_type] += int((line.hours or 0) * 100)
        assert totals.keys() == {key for key, minutes in owed.items() if minutes}
        # A kind is rounded together with its cost centre: at most three of them, a hundredth each, and pieces of a day.
        assert all(abs(totals[key] - minutes / Decimal("0.6")) <= 20 for key, minutes in owed.items())


@given(_months(), _mappings())
def test_days_off_have_their_key_and_a_monthly_person_no_hours_with_it(month: Month, mapping: Mapping) -> None:
    _, lines = _files(month, mapping)
    for person in month.people:
        person_lines = [line for line in lines if line.number == person.user_id[-1]]
        halves: Counter[tuple[int, str]] = Counter()
        keys: set[tuple[int, str | None]] = set()
        for off in person.off:
            is_hourly = person.on(off.date).pay_type == "hourly"
            if (key := _key(mapping, off)) and (is_hourly or off.kind != "holiday"):
                halves[off.date.day, key] += off.halves
                keys.add((off.date.day, key))
        totals: Counter[tuple[int, str]] = Counter()
        for line in person_lines:
            if line.days:
                totals[line.day, line.key] += int(line.days * 2)
        assert totals == halves
        keys |= {(day.day, mapping.absence_keys["sick"]) for day in person.idle_sick if mapping.absence_keys["sick"]}
        keys |= {
            (entry.date.day, mapping.absence_keys["hours"])
            for entry in person.worked
            if not entry.open and entry.net and person.on(entry.date).pay_type == "hourly"
        }
        assert {(line.day, line.key) for line in person_lines if line.key} == {key for key in keys if key[1]}
        monthly = {day.day for day in days(month.first, month.last) if person.on(day).pay_type == "monthly"}
        assert not [
            line for line in person_lines if line.key and line.day in monthly and (line.hours or line.wage_type)
        ]


@given(_months(), _mappings())
def test_what_the_check_calls_named_is_in_the_file_and_nothing_else(month: Month, mapping: Mapping) -> None:
    read: dict[str, Any] = dict(zip(("lodas", "lug"), _files(month, mapping), strict=True))
    for program in ("lodas", "lug"):
        names = {
            name
            for person in month.people
            for _, name, minutes in _owed(person, month)
            if minutes and name in {"hours", "vacation", "sick", "publicHoliday"}
            if not _wage_type(mapping, name) and not (program == "lug" and mapping.absence_keys[name])
        }
        unmapped = datev.unmapped(month, mapping, FORMATS[program].program)
        assert {"publicHoliday" if kind == "public_holiday" else kind for kind in unmapped} == names
        if not month.people:
            assert not read[program]


def test_the_table_of_formats_has_every_format_of_the_calls() -> None:
    assert list(FORMATS) == list(get_args(Format))


def test_a_month_that_an_older_version_kept_can_still_be_read() -> None:
    person = PersonMonth("person 1", "Anna", (Term(date(2026, 5, 1), None, "hourly"),), (), (), (), 0, 0, None)
    older = msgspec.to_builtins(Month("2026-05", "Firma", (person,)))
    del older["people"][0]["idle_sick"], older["people"][0]["worked_on_leave"]
    packed_month = zlib.compress(msgspec.json.encode(older))
    assert unpacked(packed_month).people == (person,)
