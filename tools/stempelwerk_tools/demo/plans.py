"""The plans and requests of the demo's joinery: hours, roster, leave, hand-overs, corrections, sick leave.

All of it goes through the web API, under the session of the person who would do it: the administrator sets what the
company sets, employees make their own requests. Dates are relative to the day on which the demo is made, so that there
is always something ahead and something to decide.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from PIL import Image, ImageDraw
from stempelwerk_cloud.domain import holidays
from stempelwerk_cloud.domain.calendar import months_after

from stempelwerk_tools.demo import story
from stempelwerk_tools.demo.crew import MONTHS, Crew
from stempelwerk_tools.demo.people import EMPLOYEE, REGION, Pattern, Person

_TWELVE = Crew()
MONTHS_AHEAD = 2
"""Months after the present one: the range of "Meine Termine". The roster begins with the history."""
OFF_EVERY = 4
"""One in this number of colleagues has the day off, so that a hand-over finds a taker."""
_MOST_ITEMS = 1000
_UNNUMBERED = 2
"""The number of people without a personnel number."""
_OPEN_MONTHS = 2
_UNDECIDED = timedelta(days=6)
_ILLNESS_MONTHS = 11
"""No illness is reported further back than this."""
_WHY = ("Familienfeier", "Umzug", None, "Kur mit meiner Mutter", "Hausbau")
_POLICY = {"mode": "uniform", "uniformDays": 30, "perUser": {}, "carryUntil": "03-31"}
_BETWEEN_THE_YEARS = (12, 28), (12, 30)
_DAY = timedelta(days=1)
_FULL, _PART = 37 * 60 + 30, 20 * 60
_WORKED = {Pattern.DAY: 2430, Pattern.PLAIN: 2430, Pattern.HALF: 1410, Pattern.NIGHT: 1800}
"""The weekly minutes that a person of this pattern really works."""
_NIGHT = ("22:00", "06:00")
_HOURS = {Pattern.DAY: ("07:00", "16:00"), Pattern.PLAIN: ("07:00", "15:45"), Pattern.HALF: ("08:00", "12:30")}


class Calls(Protocol):
    """The calls of the web API under one person's session; each returns the JSON of a successful answer."""

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any: ...

    def upload(self, path: str, name: str, content: bytes) -> Any: ...


As = Callable[[str], Calls]
"""The calls of an employee, by name."""


def make(
    company: Calls, as_employee: As, company_id: str, ids: Mapping[str, str], now: datetime, crew: Crew = _TWELVE
) -> None:
    """Makes all plans and requests. `ids`: the people's ids by name; `company` makes the calls of the company's
    administrator.
    """
    today = story.today_of(now)
    company_path = f"/api/companies/{company_id}"
    _set_hours(company, company_path, ids, now, crew)
    _give_leave(company, ids, now, crew)
    _plan_roster(company, company_path, ids, now, crew)
    _report_ill(company, ids, now, crew)
    _settle(company, company_path, ids, now, crew)
    jan, anna, svenja = (as_employee(name) for name in ("Jan Petersen", EMPLOYEE.name, "Svenja Albers"))
    _hand_over(jan, anna, svenja, ids, _saturdays(today))
    _ask_for_leave(company, anna, ids, today)
    _correct(anna, ids[EMPLOYEE.name], now, crew)
    _be_ill(company, anna, ids, now, crew)
    for number, person in enumerate(crew.asking):
        _ask_too(as_employee(person.name), ids[person.name], number, now, crew)
    _close(company, company_path, ids, today, crew)
    _end_the_year(company, company_path, ids, today)


def _set_hours(company: Calls, company_path: str, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    valid_from = story.first_day(now, crew.months)
    company.call("PUT", f"{company_path}/settings", {"holidayRegion": REGION, "validFrom": valid_from.isoformat()})
    opening = {str(day): {"open": "06:30", "close": "17:00"} if day < 5 else None for day in range(7)}
    config = {"mode": "perEmployee", "uniformWeeklyTargetMinutes": _FULL, "openingHours": opening}
    company.call("PUT", f"{company_path}/working-hours-config", config)
    items = [{"userId": ids[person.name], "weeklyTargetMinutes": _week(person, crew)} for person in crew.people]
    company.call("PUT", f"{company_path}/employee-weekly-targets", {"items": items})
    company.call("PUT", f"{company_path}/vacation-policy", _POLICY)
    company.call("PUT", f"{company_path}/compensation-config", {"mode": "uniform", "defaultHourlyCents": 1850})
    for person in crew.employees:
        entry, exit_date = story.employment_of(person, now, crew.months)
        employment = {
            "entryDate": entry.isoformat(),
            "openingVacationDays": 4 if person is EMPLOYEE else 0,
            "department": person.department,
        } | ({"exitDate": exit_date.isoformat()} if exit_date else {})
        company.call("PUT", f"/api/users/{ids[person.name]}/employment", employment)
    booking = {"date": valid_from.isoformat(), "minutes": 510, "reason": "Überstunden aus der alten Zeiterfassung"}
    company.call("POST", f"/api/users/{ids[EMPLOYEE.name]}/bookings", booking)


def _week(person: Person, crew: Crew) -> int:
    """Returns the weekly target in minutes.

    In the small demo of some months it is below the hours worked, so that overtime can be seen. With years or hundreds
    of people that overtime would look like an error, so there the target is the hours worked.
    """
    if crew.months <= MONTHS and not person.careful:
        return _PART if person.pattern is Pattern.HALF else _FULL
    return _WORKED[person.pattern]


def _give_leave(company: Calls, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    """Enters approved leave for the weeks without stamps."""
    for person in crew.employees:
        for start in story.leaves_of(person, now, crew.months):
            end = start + (story.LEAVE_DAYS - 1) * _DAY
            if not _is_employed(person, start, now, crew) or not _is_employed(person, end, now, crew):
                continue
            body = {
                "kind": "vacation",
                "startDate": start.isoformat(),
                "endDate": end.isoformat(),
                "reason": "Sommerurlaub",
                "userId": ids[person.name],
                "overAllowance": True,  # an entry in December earns two and a half days for that year
            }
            company.call("POST", "/api/vacation-requests", body)


def _is_employed(person: Person, day: date, now: datetime, crew: Crew) -> bool:
    entry, exit_date = story.employment_of(person, now, crew.months)
    return entry <= day <= (exit_date or day)


def _plan_roster(company: Calls, company_path: str, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    """Plans all months of the history and those ahead; some duties with their times, some without; three Saturdays.

    Public holidays have no duties. The last month is not published yet.
    """
    items = [
        {"date": day.isoformat(), "userId": ids[person.name]} | _times(person, day) for person, day in duties(now, crew)
    ]
    today = story.today_of(now)
    for saturday, name in zip(_saturdays(today), ("Jan Petersen", EMPLOYEE.name, "Svenja Albers"), strict=True):
        items.append({"date": saturday.isoformat(), "userId": ids[name], "start": "08:00", "end": "12:00"})
    for start in range(0, len(items), _MOST_ITEMS):
        company.call("POST", f"{company_path}/schedule/bulk", {"add": items[start : start + _MOST_ITEMS], "remove": []})
    published_until = months_after(today.replace(day=1), MONTHS_AHEAD) - _DAY
    company.call(
        "POST", f"{company_path}/schedule/publish", {"from": today.isoformat(), "to": published_until.isoformat()}
    )


def duties(now: datetime, crew: Crew = _TWELVE) -> Iterator[tuple[Person, date]]:
    """Yields each person with each day of their duties, without the three Saturdays. Pure."""
    today = story.today_of(now)
    first, last = story.first_day(now, crew.months), months_after(today.replace(day=1), MONTHS_AHEAD + 1) - _DAY
    off = {day for day, _ in holidays.holidays_between(REGION, first, last)}
    for index, person in enumerate(employee for employee in crew.employees if employee.role == "user"):
        away = story.absences_of(person, now, crew.months) | off
        day, exit_date = story.employment_of(person, now, crew.months)
        while day <= min(exit_date or last, last):
            free = day > today and (index + day.toordinal()) % OFF_EVERY == 0
            if day.weekday() < (4 if person.pattern is Pattern.NIGHT else 5) and day not in away and not free:
                yield person, day
            day += _DAY


def _times(person: Person, day: date) -> dict[str, str]:
    if day.weekday() == 4:  # Friday's staff agree on their times themselves
        return {}
    start, end = _NIGHT if person.pattern is Pattern.NIGHT else _HOURS[person.pattern]
    return {"start": start, "end": end}


def _hand_over(jan: Calls, anna: Calls, svenja: Calls, ids: Mapping[str, str], saturdays: list[date]) -> None:
    """Makes three swap requests: Jan's to Anna and Anna's to Svenja are unanswered, Svenja's to Jan is accepted."""
    first, second, third = (day.isoformat() for day in saturdays)
    names = ("Jan Petersen", EMPLOYEE.name, "Svenja Albers")
    for asks, day, of, recipient in ((jan, first, 0, 1), (anna, second, 1, 2), (svenja, third, 2, 0)):
        asks.call(
            "POST", "/api/schedule/swap-request", {"date": day, "from": ids[names[of]], "to": ids[names[recipient]]}
        )
    for waiting in jan.call("GET", "/api/schedule/swap-requests"):
        jan.call("POST", f"/api/schedule/swap-requests/{waiting['id']}/accept", {})


def _ask_for_leave(company: Calls, anna: Calls, ids: Mapping[str, str], today: date) -> None:
    """Makes one open request, one wish, one declined and one approved request."""
    free = _monday(months_after(today.replace(day=1), MONTHS_AHEAD + 1)) + 7 * _DAY
    wishes = [
        ("vacation", free, free + 4 * _DAY, "Besuch bei meiner Schwester", None),
        ("wish", free + 10 * _DAY, free + 10 * _DAY, "Elternabend", None),
        ("vacation", free + 21 * _DAY, free + 25 * _DAY, None, "decline"),
        ("vacation", free + 35 * _DAY, free + 38 * _DAY, "Skifahren", "approve"),
    ]
    for kind, first, last, reason, decision in wishes:
        body = {"kind": kind, "startDate": first.isoformat(), "endDate": last.isoformat(), "reason": reason}
        created_request = anna.call("POST", "/api/vacation-requests", body)
        if decision is not None:
            comment = "Da ist schon die halbe Werkstatt weg." if decision == "decline" else None
            company.call("POST", f"/api/vacation-requests/{created_request['id']}/{decision}", {"comment": comment})


def _correct(caller: Calls, user_id: str, now: datetime, crew: Crew) -> None:
    """Requests a correction of the last evening that the employee forgot to stamp; it is still undecided."""
    first = story.first_day(now, min(crew.months, MONTHS))
    days = f"from={first.isoformat()}&to={story.today_of(now).isoformat()}"
    entries = caller.call("GET", f"/api/users/{user_id}/times?{days}")
    forgotten = [entry for entry in entries if "missing_out" in entry["flags"]]
    for entry in forgotten[-1:]:
        body = {"date": entry["date"], "newStart": entry["start"], "newEnd": "16:05", "entryId": entry["id"]}
        caller.call("POST", "/api/time-corrections", body | {"reason": "Der Chip lag noch in der anderen Jacke."})


def _be_ill(company: Calls, anna: Calls, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    """Reports Anna ill in her leave, with a note, so that those days come back, and Mia ill today, undecided."""
    today = story.today_of(now)
    start = story.leaves_of(EMPLOYEE, now, crew.months)[-1] + _DAY
    report = {"startDate": start.isoformat(), "endDate": (start + _DAY).isoformat()}
    days = anna.call("POST", "/api/absences", report)
    anna.upload(f"/api/absences/{days[0]['id']}/upload-sick-note", "krankmeldung.png", _note())
    company.call("POST", f"/api/absences/{days[0]['id']}/excuse", {"wholeReport": True})
    ill = {"startDate": today.isoformat(), "endDate": (today + _DAY).isoformat(), "userId": ids["Mia Lorenz"]}
    company.call("POST", "/api/absences", ill)


def _ask_too(caller: Calls, user_id: str, number: int, now: datetime, crew: Crew) -> None:
    """Makes the pending requests of a larger crew: some leave each, and the forgotten evenings."""
    start = _monday(story.today_of(now)) + (4 + number) * 7 * _DAY
    end = start + (2 + number % 3) * _DAY  # no three days are all holidays
    body = {"kind": "vacation", "startDate": start.isoformat(), "endDate": end.isoformat()}
    caller.call("POST", "/api/vacation-requests", body | {"reason": _WHY[number % len(_WHY)]})
    _correct(caller, user_id, now, crew)


def _report_ill(company: Calls, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    """Reports the other illnesses; those of the last days are undecided."""
    today = story.today_of(now)
    for person in crew.employees:
        for start, length in story.illnesses_of(person, now, crew.months):
            if start < months_after(today, -_ILLNESS_MONTHS):
                continue
            report = {"startDate": start.isoformat(), "endDate": (start + (length - 1) * _DAY).isoformat()}
            days = company.call("POST", "/api/absences", report | {"userId": ids[person.name]})
            if start < today - _UNDECIDED:
                company.call("POST", f"/api/absences/{days[0]['id']}/excuse", {"wholeReport": True, "certified": True})


def _settle(company: Calls, company_path: str, ids: Mapping[str, str], now: datetime, crew: Crew) -> None:
    """Corrects what people forgot to stamp long ago. In a history longer than usual, closes all months but the last
    two.
    """
    first = story.first_day(now, crew.months)
    for person in crew.people:
        user_id, last = ids[person.name], story.unsettled_from(person, now, crew.months) - _DAY
        days = f"from={first.isoformat()}&to={last.isoformat()}"
        for entry in company.call("GET", f"/api/users/{user_id}/times?{days}") if last > first else ():
            if {"missing_in", "missing_out"}.isdisjoint(entry["flags"]):
                continue
            start, end = _HOURS[person.pattern]
            body = {"userId": user_id, "date": entry["date"], "entryId": entry["id"], "reason": "Nachgetragen"}
            times = {"newStart": entry["start"] or start, "newEnd": entry["end"] or end}
            company.call("POST", "/api/time-corrections", body | times)
    if crew.months <= MONTHS:
        return
    today = story.today_of(now)
    for months in range(crew.months, _OPEN_MONTHS, -1):
        company.call("PUT", f"{company_path}/months/{months_after(today.replace(day=1), -months).isoformat()[:7]}/lock")


def _close(company: Calls, company_path: str, ids: Mapping[str, str], today: date, crew: Crew) -> None:
    """Enters all personnel numbers but two; closes the month before last, with a correction made after that."""
    wages = {"hours": "100", "night": "120", "sunday": "130", "holiday": "140", "vacation": "200", "sick": "300"}
    mapping = {"adviserNumber": "28547", "clientNumber": "90909", "wageTypes": wages}
    company.call("PUT", f"{company_path}/payroll-mapping", mapping)
    for number, person in enumerate(crew.employees, start=1):
        if number > _UNNUMBERED:
            employment = {"personnelNumber": f"{1000 + number}"}
            company.call("PUT", f"/api/users/{ids[person.name]}/employment", employment)
    first = months_after(today.replace(day=1), -2)
    month = first.isoformat()[:7]
    company.call("PUT", f"{company_path}/months/{month}/lock")
    company.call("POST", f"{company_path}/exports", {"month": month, "format": "xlsx"})
    jan = ids["Jan Petersen"]
    last = months_after(first, 1) - _DAY
    entries = company.call("GET", f"/api/users/{jan}/times?from={first.isoformat()}&to={last.isoformat()}")
    day = next(entry for entry in entries if entry["start"] and entry["end"])
    body = {"userId": jan, "date": day["date"], "newStart": day["start"], "newEnd": "18:15"}
    company.call("POST", "/api/time-corrections", body | {"reason": "Auslieferung, vom Kunden bestätigt"})


def _end_the_year(company: Calls, company_path: str, ids: Mapping[str, str], today: date) -> None:
    """Closes some days between the years; one person has the notice that vacation lapses, the others do not."""
    first, last = (date(today.year, *day) for day in _BETWEEN_THE_YEARS)
    if first <= today:
        first, last = (date(today.year + 1, *day) for day in _BETWEEN_THE_YEARS)
    days = {"startDate": first.isoformat(), "endDate": last.isoformat()}
    company.call("POST", f"{company_path}/closures", days | {"name": "Zwischen den Jahren"})
    notice = {"year": today.year, "userIds": [ids["Jan Petersen"]]}
    company.call("POST", f"{company_path}/vacation-notices", notice)


def _note() -> bytes:
    """Returns a picture of a sick note, like a photo of one."""
    picture = Image.new("RGB", (620, 877), "#f7f5f0")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((40, 40, 580, 837), outline="#8a8178", width=2)
    for row, words in enumerate(("Arbeitsunfähigkeits-", "bescheinigung", "", "Muster aus der Demo")):
        pen.text((80, 90 + 40 * row), words, fill="#1c1917", font_size=30)
    content = io.BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()


def _saturdays(today: date) -> list[date]:
    """Returns the three Saturdays after this week that are no public holidays."""
    saturdays = [_monday(today) + (7 * week + 5) * _DAY for week in range(1, 6)]
    off = {day for day, _ in holidays.holidays_between(REGION, saturdays[0], saturdays[-1])}
    return [day for day in saturdays if day not in off][:3]


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY
