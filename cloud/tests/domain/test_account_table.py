"""Sixty months in all Bundesländer, with the expected figures of each.

The figures were computed apart from the program: days counted on the calendar's leaves, holidays by the formula for
Easter and by each land's law, minutes as decimals. They are recorded here unchanged.

A row: Bundesland ("-": not chosen), month, minutes a week, workdays (0 = Monday), first and last day of employment in
the month ("-": employed all of it), vacation ("h": half of that day), days of excused absence, net minutes worked,
minutes booked | target, credits for holidays, vacation and absence, balance.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain import account, holidays
from stempelwerk_cloud.domain.account import Facts, Terms
from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.domain.targets import WeeklyTargets

TABLE = """
-  2024-01  480 4        -  - 6-7h     1,21            1426    0 |  1920    0    0    0  -494
BE 2024-02 2402 01234    -  - -        -               9944  600 | 10088    0    0    0   456
BW 2024-03 2310 01234    -  - 22h      2,25,31         7950    0 |  9702  462  231  462  -597
BY 2024-04  480 4        8  - 16-17h   -               1568   90 |  1440    0    0    0   218
HB 2024-05 1999 01234    -  - 19h-25h  -               7005  -45 |  9195 1199 1599    0   563
HE 2024-06 2401 01234    -  - -        2,5,10          9324    0 |  9604    0    0  960   680
HH 2024-07 1000 0123456  - 23 8h-12    -               3240   90 |  3286    0  643    0   687
-  2024-08 2401 01234    -  - 6-9      18,21,22,23     7335    0 | 10564    0 1921 1441   133
NI 2024-09 2400 01234    -  - 5-9      -               9022   90 | 10080    0 1440    0   472
NW 2024-10  721 135      -  - -        -               3726    0 |  3365  240    0    0   601
RP 2024-11 2401 01234    -  - 9-14     7,10,21,22      5578  -45 | 10084  480 1921 1441  -709
SH 2024-12 2402 01234    -  - 8        -               9101    0 | 10569  961    0    0  -507
SL 2025-01 1999 01234    -  - 1-7      7,8,22,29       5981   90 |  9195  400 1599 1199    74
SN 2025-02 2401 01234   27  - -        -                887  -45 |   960    0    0    0  -118
-  2025-03 2401 01234    -  - 1h-6h    -               8365 -480 | 10084    0 1681    0  -518
TH 2025-04  480 4        -  - 18h-23   2,4,14,21,23     431  -45 |  1920  480    0  480  -574
BB 2025-05 1999 01234    -  6 4h-9     -                858  -45 |  1599  400  800    0   414
BE 2025-06 2402 01234    -  - -        3,8,25          7998  600 | 10088  480    0  961   -49
BW 2025-07  721 135      -  - 17       -               3310    0 |  3365    0  240    0   185
BY 2025-08 2310 01234    -  - 22h-23   -               9200  600 |  9702    0  231    0   329
HB 2025-09 2401 01234    -  - 1-5      6,19            7311    0 | 10564    0 2401  480  -372
-  2025-10  480 4        -  - -        -               2241  600 |  2400    0    0    0   441
HH 2025-11 1999 01234    -  - 19-22h   8,11,21         6955   90 |  7996    0 1199  400   648
MV 2025-12 2402 01234   24  - 10h-13h  -               2495 -480 |  2882  961    0    0    94
NI 2026-01 1800 0123     -  - 8h-9     -               7134  600 |  7650  450  225    0   759
NW 2026-02 2310 01234    -  - -        4,7,21,24       8690 -480 |  9240    0    0  924  -106
RP 2026-03 1950 01234    - 16 21h-26   -               3646    0 |  4290    0    0    0  -644
SH 2026-04  480 4        -  - 17-19    2,8,20           605   90 |  1920  480  480    0  -265
-  2026-05 2400 01234    -  - 13-19    -               7449    0 | 10080    0 2400    0  -231
SN 2026-06 2402 01234    -  - -        -               9981   90 | 10569    0    0    0  -498
ST 2026-07 2520 0123456  -  - 20-21    13             10706    0 | 11160    0  720  360   626
TH 2026-08 2402 01234    -  - 18h-23   -               8875  -45 | 10088    0 1681    0   423
BB 2026-09 1999 01234    -  - 16-20    2,3,6,26        6300    0 |  8796    0 1199  800  -497
BE 2026-10  480 4       29  - -        -               1111    0 |   480    0    0    0   631
BW 2026-11 2400 01234    -  - 2h-3h    -               9030    0 | 10080    0  480    0  -570
-  2026-12 2401 01234    -  - 1-7h     10,19,30        8572 -480 | 11045    0 2161  960   168
HB 2027-01  901 02       - 21 16-20    -               1753 -480 |  2703    0  901    0  -529
HE 2027-02 2310 01234    -  - -        8,19,20,21      8835    0 |  9240    0    0  924   519
HH 2027-03 2310 01234    -  - 20-23    -               9342    0 | 10626  924  924    0   564
MV 2027-04 2880 012345   -  - 10-12h   -              11406    0 | 12480    0  720    0  -354
NI 2027-05 2400 01234    -  - 2h       1,2,4,19        7552    0 | 10080  960    0  960  -608
NW 2027-06 1203 01234    -  - -        -               4650   90 |  5293    0    0    0  -553
-  2027-07 2520 0123456  -  - 5h-12    11,25,29        7570  -45 | 11160    0 2700  720  -215
SH 2027-08 1950 01234   28  - 12-13h   -                804    0 |   780    0    0    0    24
SL 2027-09 1999 01234    -  - 18       -               9293  600 |  8796    0    0    0  1097
SN 2027-10  901 02       -  - -        1,2,10,21,31    3082    0 |  3604    0    0    0  -522
ST 2027-11 1950 01234    -  2 15-20h   -                413  -45 |   780    0    0    0  -412
TH 2027-12 2402 01234    -  - 19-22    3,8,10,19       8287    0 | 11049    0 1441 1441   120
BB 2028-01 2400 23456    -  - 9h-16    -               7985    0 | 10560  480 2640    0   545
-  2028-02 1950 01234    -  - -        -               8177    0 |  8190    0    0    0   -13
BW 2028-03 2402 01234    -  - 18h      11             10918  600 | 11049    0    0    0   469
BY 2028-04 2400 012345   -  - 1h       -               8659  -45 | 10000  800  200    0  -386
HB 2028-05 1950 01234    -  - 21h-24h  2,4,10,13,19    5461    0 |  8970  780  975 1560  -194
HE 2028-06 1203 01234   19  - -        -               1853  600 |  2406    0    0    0    47
HH 2028-07  721 135      -  - 2-3      -               3253    0 |  3124    0    0    0   129
MV 2028-08 1999 01234    -  - 21h-27h  17              7518    0 |  9195    0 1799  400   522
-  2028-09 2402 01234    - 22 18h      -               7704  600 |  7686    0  240    0   858
NW 2028-10  480 4        -  - -        1,14,22,24      1657   90 |  1920    0    0    0  -173
RP 2028-11 1999 01234    -  - 13-16    -               6204    0 |  8796  400 1599    0  -593
SH 2028-12 2401 01234    -  - 18-19h   -               7762    0 | 10084  960  720    0  -642
"""
ROWS = [line for line in TABLE.splitlines() if line]
AFTERWARDS = date(2030, 1, 1)


def facts_of(line: str) -> tuple[Facts, date]:
    land, month, weekly, workdays, entry, leaving, leave, away, actual, booked = line.split("|", maxsplit=1)[0].split()
    first, last = month_bounds(month)
    vacation: dict[date, int] = {}
    for leave_text in [] if leave == "-" else leave.split(","):
        start, _, end = leave_text.partition("-")
        days = (first.replace(day=int(text.rstrip("h"))) for text in (start, end or start))
        vacation |= account.halves_of(*days, start_half=start.endswith("h"), end_half=end.endswith("h"))
    begun, leaving_day = (None if text == "-" else first.replace(day=int(text)) for text in (entry, leaving))
    terms = Terms(
        WeeklyTargets(((None, int(weekly)),)), ((date.min, frozenset(map(int, workdays))),), begun, leaving_day
    )
    facts = Facts(
        terms,
        entry_date=begun,
        first_entry=first,
        actual={begun or first: int(actual)},
        free={} if land == "-" else dict.fromkeys(dict(holidays.holidays_between(f"DE-{land}", first, last)), 2),
        absences={} if away == "-" else {first.replace(day=int(day)): 0 for day in away.split(",")},
        vacation=vacation,
        bookings=[(last, int(booked))],
    )
    return facts, first


def figures(line: str) -> list[int]:
    return [int(text) for text in line.split("|")[1].split()]


@pytest.mark.parametrize("line", ROWS, ids=lambda line: "-".join(line.split()[:2]))
def test_a_month_comes_to_what_was_worked_out(line: str) -> None:
    facts, first = facts_of(line)
    (month_account,) = account.months(facts, first, first, AFTERWARDS)
    worth = {credit.kind: credit.minutes for credit in month_account.credits}
    kinds = [worth.get(kind, 0) for kind in account.KINDS]
    assert [month_account.target, *kinds, month_account.balance] == figures(line)
    assert (month_account.target_to_date, month_account.balance_to_date, month_account.carried) == (
        month_account.target,
        month_account.balance,
        0,
    )


@pytest.mark.parametrize("line", ROWS, ids=lambda line: "-".join(line.split()[:2]))
def test_its_days_sum_up_to_it(line: str) -> None:
    facts, first = facts_of(line)
    days = account.days(facts, first, first)
    target, *kinds, _ = figures(line)
    assert sum(day.target for day in days) == target
    for kind, minutes in zip(account.KINDS, kinds, strict=True):
        assert sum(credit.minutes for day in days for credit in day.credits if credit.kind == kind) == minutes


@given(st.permutations(ROWS))
def test_the_months_follow_on_each_other_in_any_order_of_facts(rows: list[str]) -> None:
    """Sixty months of one person with one contract: what was worked and booked is carried on."""
    terms = Terms(WeeklyTargets(((None, 2400),)))
    facts_by_month = [facts_of(line)[0] for line in rows]
    facts = Facts(
        terms,
        entry_date=date(2024, 1, 1),
        opening_minutes=75,
        actual={day: minutes for month_facts in facts_by_month for day, minutes in month_facts.actual.items()},
        bookings=[booking for month_facts in facts_by_month for booking in month_facts.bookings],
    )
    months = account.months(facts, date(2024, 1, 1), date(2028, 12, 1), AFTERWARDS)
    worked = sum(int(line.split()[8]) + int(line.split()[9]) for line in ROWS)
    assert len(months) == 60
    assert months[0].carried == 75
    assert months[-1].carried + months[-1].balance == 75 + worked - 480 * WEEKDAYS


WEEKDAYS = 1305
"""Mondays to Fridays from 2024 to 2028."""
