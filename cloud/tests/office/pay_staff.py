"""Twelve employees in Thüringen with times, leave and absences, and the changes of an administrator after the lock.

The months lie before and after the first day of the present rules. May has the dearest holiday; the nights of
September end in October, and those of October reach over the change of clocks into November.
"""

from copy import deepcopy
from datetime import date, datetime, timedelta
from typing import Final

from cloud.tests.office.pay_oracle import DAY, Absence, Company, Employee, FreeDay, Leave, Work

MONTHS: Final = ("2026-05", "2026-09", "2026-10")
RULES_FROM: Final = date(2026, 10, 1)
PUBLIC: Final = ("05-01", "05-14", "05-25", "09-20", "10-03", "10-31")
"""The public holidays of Thüringen from May to October 2026."""
FREE_DAYS: Final = {
    "09-15": ("Stadtfest", FreeDay(2, is_legal=True)),
    "09-23": ("Erntefest", FreeDay(1, is_legal=True)),
    "09-30": ("Inventur", FreeDay(1, is_legal=False)),
    "10-14": ("Stadtrecht", FreeDay(2, is_legal=True)),
    "10-20": ("Kirmes", FreeDay(1, is_legal=True)),
    "10-28": ("Ausflug", FreeDay(1, is_legal=False)),
    "10-30": ("Brückentag", FreeDay(2, is_legal=False)),
}


def on(monthday: str) -> date:
    return date.fromisoformat(f"2026-{monthday}")


def work(*spans: str, pause: int | None = None, is_settled: bool = True) -> list[Work]:
    """Parses `09-01 08:00-16:30`; an end before the start lies on the next day."""
    times_worked = []
    for span in spans:
        day, times = span.split()
        begin, end = (datetime.fromisoformat(f"2026-{day} {time}") for time in times.split("-"))
        times_worked.append(Work(begin, end if begin < end else end + timedelta(days=1), pause, is_settled))
    return times_worked


def away(first: str, last: str, absence: Absence) -> dict[date, Absence]:
    days = (on(last) - on(first)).days + 1
    return {on(first) + number * DAY: absence for number in range(days)}


def leave(first: str, last: str, *, is_short_first: bool = False, is_short_last: bool = False) -> Leave:
    return Leave(on(first), on(last), is_short_first, is_short_last)


ILL, ILL_WITHOUT_NOTE = Absence("sick"), Absence("sick", has_note=False)
ELTERNZEIT = Absence("special", is_credited=False, reason="Elternzeit")
UNPAID = Absence("special", is_credited=False, reason="unbezahlt")
SCHOOL = Absence("special", reason="Berufsschule")
OWN_TIME = Absence("special", is_credited=False, reason="Sonderurlaub")

COMPANY: Final = Company(
    {on(day): FreeDay(2, is_legal=True) for day in PUBLIC} | {on(day): free for day, (_, free) in FREE_DAYS.items()},
    RULES_FROM,
)
STAMPED: Final = "anna"
"""Her times are stamps of a clock, with seconds; all others are corrections."""


def staff() -> dict[str, Employee]:
    """Returns the employees before the lock, by name."""
    return {employee.name: employee for employee in deepcopy(_STAFF)}


_STAFF: Final = [
    Employee(
        STAMPED,
        26,
        work=[
            *work("09-01 08:00:40-16:29:20", "09-02 08:00-14:10", "09-03 08:00-17:30", "09-04 07:00-17:00"),
            *work("09-07 08:00-12:00", "09-07 12:20-16:45", "09-08 08:00-12:00", "09-08 12:10-15:00"),
            *work("09-15 09:00-12:00", "09-16 06:13:50-12:34:10"),
            *work("09-17 20:00-02:00", is_settled=False),
            *work("10-01 08:00-16:30", "10-02 07:31-18:02", "10-14 08:00-11:00", "10-30 08:00-12:00"),
            *work("10-31 21:00-05:00", is_settled=False),
        ],
    ),
    # Monday to Wednesday, in days of 373 1/3 minutes.
    Employee(
        "ben",
        27,
        weekly=1120,
        workdays=(0, 1, 2),
        work=[
            *work("09-01 08:00-14:13", "09-02 08:00-14:13", "09-07 08:00-12:07", "09-08 08:00-14:00"),
            *work("09-15 08:00-11:00", "09-16 08:00-14:20"),
            *work("10-05 08:00-14:20", "10-06 08:00-14:20", "10-07 08:00-14:20", "10-26 08:00-12:00"),
            *work("10-14 08:00-09:40", "10-28 08:00-10:00"),
        ],
        leave=[
            leave("09-21", "09-23", is_short_last=True),
            leave("10-19", "10-21", is_short_first=True),
        ],
        absences=away("10-27", "10-27", ILL),
    ),
    # Paid by the month, two hours a day, and so with overtime.
    Employee(
        "carla",
        28,
        weekly=600,
        pay_types=((date.min, "monthly"),),
        work=[
            *work("05-04 08:00-16:30", "09-01 08:00-17:00", "09-02 08:00-17:00", "09-03 08:00-17:00"),
            *work("09-04 08:00-17:00", "09-15 08:00-16:30", "09-16 08:00-17:00"),
            *work("10-01 08:00-18:45", "10-02 08:00-18:45", "10-03 10:00-14:00", "10-04 20:00-23:30"),
            *work("10-14 08:00-09:00", "10-15 08:00-16:30", "10-16 08:00-16:30"),
        ],
        leave=[leave("09-24", "09-25"), leave("10-13", "10-14")],
        absences=away("09-09", "09-10", ILL) | away("10-21", "10-22", ILL),
    ),
    # Paid by the hour, from a holiday on by the month, and from another holiday on by the hour again.
    Employee(
        "dora",
        29,
        pay_types=((date.min, "hourly"), (on("09-15"), "monthly"), (on("10-14"), "hourly")),
        work=[
            *work("09-14 08:00-16:30", "09-14 22:00-06:00", "09-15 22:00-23:00", "09-16 08:00-16:30"),
            *work("10-01 08:00-16:30", "10-20 08:00-13:00", "10-14 08:00-10:00"),
        ],
        leave=[leave("09-11", "09-11"), leave("09-18", "09-18"), leave("10-26", "10-26")],
        absences=away("09-28", "09-28", ILL) | away("10-12", "10-15", ILL),
    ),
    Employee(
        "emil",
        30,
        work=[
            *work("05-01 22:00-06:00", "05-02 22:00-02:00", "09-02 22:00-06:00", "09-05 22:00-06:00"),
            *work("09-06 22:00-06:00", "09-08 00:00-05:00", "09-09 22:00-06:00", "09-14 22:00-06:00"),
            *work("09-15 22:00-06:00", "09-19 21:00-00:30", "09-20 01:15-06:00", "09-30 22:00-06:00"),
            *work("10-02 22:00-06:00", "10-03 22:00-06:00", "10-13 22:00-06:00", "10-14 18:00-23:00"),
            *work("10-24 22:00-06:00", "10-31 22:00-06:00"),
        ],
    ),
    # Tuesday to Saturday; on holidays three hours, eight hours and others.
    Employee(
        "frida",
        31,
        workdays=(1, 2, 3, 4, 5),
        work=[
            *work("05-01 08:00-16:30", "09-12 08:00-14:00", "09-15 08:00-16:30", "09-20 10:00-14:00"),
            *work("09-23 08:00-14:00", "10-03 09:00-12:00", "10-14 10:00-12:30", "10-17 08:00-13:00"),
            *work("10-30 08:00-16:30", "10-31 08:00-16:30"),
            *work("10-23 08:00-17:00", pause=60),
        ],
    ),
    Employee(
        "georg",
        32,
        work=[
            *work("09-10 08:00-12:07", "09-17 09:00-11:00", "09-18 08:00-16:30"),
            *work("10-08 13:00-16:00", "10-20 08:00-09:40", "10-22 08:00-18:00", "10-29 08:00-16:30"),
        ],
        leave=[
            leave("09-10", "09-10", is_short_first=True),
            leave("09-14", "09-17"),
            leave("09-24", "09-25"),
            leave("10-08", "10-08", is_short_last=True),
            leave("10-13", "10-15"),
            leave("10-20", "10-20"),
            leave("10-22", "10-22"),
            leave("10-26", "10-27"),
            leave("10-28", "10-28", is_short_last=True),
        ],
    ),
    # Reports from Thursday to Friday and from Saturday to Tuesday, a holiday; illness in vacation with a note, without.
    Employee(
        "hanna",
        33,
        work=[
            *work("09-01 08:00-16:30", "09-17 08:00-11:00", "09-18 08:00-16:30"),
            *work("10-01 08:00-16:30", "10-09 08:00-10:00"),
        ],
        leave=[leave("09-21", "09-25"), leave("10-30", "10-30")],
        absences=away("09-10", "09-11", ILL)
        | away("09-12", "09-15", ILL)
        | away("09-17", "09-17", ILL)
        | away("09-22", "09-22", ILL)
        | away("09-24", "09-24", ILL_WITHOUT_NOTE)
        | away("10-08", "10-14", ILL)
        | away("10-28", "10-28", ILL)
        | away("10-30", "11-02", ILL),
    ),
    Employee(
        "ida",
        34,
        work=[
            *work("09-01 08:00-16:30", "09-02 08:00-16:30", "09-22 08:00-12:00"),
            *work("10-06 08:00-12:00", "10-14 08:00-10:00", "10-17 20:00-02:00"),
        ],
        leave=[leave("10-12", "10-13")],
        absences=away("09-16", "10-31", ELTERNZEIT),
    ),
    Employee(
        "jonas",
        35,
        work=[
            *work("09-01 08:00-16:30", "09-03 08:00-10:00", "09-22 08:00-16:30"),
            *work("10-01 08:00-16:30", "10-05 08:00-10:00", "10-19 08:00-16:30"),
        ],
        absences=away("09-03", "09-04", UNPAID)
        | away("09-08", "09-08", SCHOOL)
        | away("09-10", "09-10", OWN_TIME)
        | away("09-15", "09-15", UNPAID)
        | away("10-05", "10-06", UNPAID)
        | away("10-09", "10-09", SCHOOL)
        | away("10-13", "10-13", OWN_TIME)
        | away("10-14", "10-14", UNPAID),
    ),
    # Came and left within the months.
    Employee(
        "klara",
        36,
        weekly=600,
        entry=on("09-14"),
        leaving=on("10-23"),
        work=[
            *work("09-14 08:00-16:30", "09-16 08:00-16:30", "09-17 08:00-19:00", "09-21 08:00-16:30"),
            *work("10-01 08:00-16:30", "10-02 08:00-16:30", "10-05 08:00-16:30", "10-14 08:00-09:00"),
            *work("10-15 08:00-16:30", "10-16 08:00-16:30"),
        ],
        leave=[leave("10-21", "10-26")],
    ),
    # Neither an entry date nor a stamp.
    Employee("lukas", 37, entry=None),
]


def move(employee: Employee, old: str, new: str) -> None:
    """Puts other work in the place of some."""
    employee.work.remove(*work(old))
    employee.work += work(new)


MOVED: Final = (
    ("emil", "09-09 22:00-06:00", "09-09 14:00-22:00"),
    ("emil", "10-13 22:00-06:00", "10-13 12:00-20:00"),
    ("frida", "09-23 08:00-14:00", "09-23 08:00-12:00"),
    ("frida", "10-14 10:00-12:30", "10-14 10:00-15:00"),
)
ADDED: Final = (
    ("carla", "05-01 10:00-12:00"),
    ("frida", "09-27 10:00-14:00"),
    ("klara", "09-18 08:00-12:30"),
    ("klara", "10-08 08:00-12:30"),
    ("emil", "10-18 20:00-03:00"),
)
LATE_ILLNESS: Final = (("hanna", "09-28", "09-29"), ("hanna", "10-21", "10-22"))
CANCELLED_LEAVE: Final = (("georg", "09-24"), ("georg", "10-26"))
CANCELLED_SCHOOL: Final = (("jonas", "10-09"),)
LATE_SCHOOL: Final = (("jonas", "09-29"),)


def changed() -> dict[str, Employee]:
    """Returns the same employees after all changes."""
    employees = staff()
    for name, old, new in MOVED:
        move(employees[name], old, new)
    for name, span in ADDED:
        employees[name].work += work(span)
    employees[STAMPED].work = [span._replace(is_settled=True) for span in employees[STAMPED].work]
    for name, first, last in LATE_ILLNESS:
        employees[name].absences |= away(first, last, ILL_WITHOUT_NOTE)
    for name, day in CANCELLED_LEAVE:
        employees[name].leave = [row for row in employees[name].leave if row.first != on(day)]
    for name, day in CANCELLED_SCHOOL:
        del employees[name].absences[on(day)]
    for name, day in LATE_SCHOOL:
        employees[name].absences[on(day)] = SCHOOL
    return employees
