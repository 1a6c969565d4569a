"""People's days: as recorded, for the requested people, and with as many statements for many."""

from datetime import date

from stempelwerk_cloud.domain.days import AbsentDay, Booked, LeaveDay, Off, PersonDay, PersonDays
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.domain.surcharges import Surcharges
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.facts.tables import Absence, Booking, Duty, VacationRequest
from stempelwerk_cloud.planning.vacation.accounts.policy import OWN
from stempelwerk_cloud.timekeeping.times.reading.values import of_company
from stempelwerk_cloud.timekeeping.times.reading.worked import minutes_by_month
from structlog.contextvars import bound_contextvars

from cloud.tests.office.people import employ, on_leave, set_company, set_weekly, worked
from cloud.tests.planning.illness import decide, hand_in, missed, reported
from cloud.tests.planning.leaving import approve, falls_ill
from cloud.tests.planning.leaving import create_request as ask
from cloud.tests.planning.rosters import add_duty
from cloud.tests.world import Firm, Somebody, World

THURSDAY, FRIDAY, SATURDAY = date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 21)
HOUR = 60 * 840
"""In parts of a minute."""


def days_of(person: Somebody, first: date = date.min, last: date = date.max) -> PersonDays:
    with person.world.platform.database.read(SYSTEM) as session:
        return days.load(session, person.company_id, [person.id], first, last).people[person.id]


def test_a_day_says_all_that_was_written_down_about_it(firm: Firm, platform: Platform) -> None:
    set_weekly(firm, 2400)
    add_duty(firm.anna, "2026-11-20", 420, 930)
    on_leave(firm.anna, "2026-11-20", "2026-11-23", start_half=True)
    falls_ill(firm.anna, FRIDAY, FRIDAY)
    person = days_of(firm.anna)
    assert person.on(FRIDAY) == PersonDay(
        FRIDAY,
        employed=True,
        workday=True,
        target=8 * HOUR,
        holiday=None,
        leave=[LeaveDay("vacation", "approved", 1)],
        absence=AbsentDay("sick", "open", noted=True),
        duty=Planned(FRIDAY, 420, 930),
    )
    assert person.on(THURSDAY) == PersonDay(THURSDAY, True, True, 8 * HOUR, None, (), None, None)
    assert person.on(SATURDAY)[1:5] == (True, False, 0, None)
    assert person.returned == {FRIDAY}
    assert person.vacation_by_year()["approved"] == {2026: 2}


def test_holidays_employment_and_weekdays_of_a_day_are_those_that_held_on_it(firm: Firm) -> None:
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-BY"', date(2026, 6, 1))
    employ(firm.anna, entry_date="2026-05-04", exit_date="2026-06-30")
    employ(firm.anna, date(2026, 6, 1), workdays=[0, 3])
    person = days_of(firm.anna)
    corpus_christi, ascension = date(2026, 6, 4), date(2026, 5, 14)
    assert person.on(corpus_christi)[1:5] == (True, True, 20 * HOUR, Off("Fronleichnam", 2, legal=True))
    assert person.on(ascension)[1:5] == (True, True, 8 * HOUR, None)
    assert not person.on(date(2026, 5, 1)).employed
    assert person.on(date(2026, 7, 2))[1:4] == (False, True, 0)
    assert [person.costs(day) for day in (ascension, corpus_christi, date(2026, 6, 2), date(2026, 6, 1))] == [
        2,
        0,
        0,
        2,
    ]


def test_of_a_person_comes_what_touches_the_days_asked_for(firm: Firm, world: World) -> None:
    other_firm = world.firm("Andere")
    ask(other_firm.anna, "2026-12-07", kind="wish")
    ask(firm.anna, "2026-12-07", "2026-12-09", kind="wish")
    approve(firm.boss, ask(firm.ben, "2026-12-09", kind="wish"))
    eight, nine = date(2026, 12, 8), date(2026, 12, 9)
    waits = [LeaveDay("wish", "pending", 2)]
    assert days_of(firm.anna, eight, eight).leave == {eight: waits}
    assert days_of(firm.anna, eight, date(2026, 12, 31)).leave == {eight: waits, nine: waits}
    assert days_of(firm.anna, date(2026, 12, 10)).leave == {}
    assert days_of(firm.ben).leave == {nine: [LeaveDay("wish", "approved", 2)]}
    with world.platform.database.read(SYSTEM) as session:
        foreign = days.load(session, other_firm.id, [firm.anna.id], date.min, date.max).people
    assert foreign[firm.anna.id].leave == {}


def test_what_was_declined_is_no_leave_and_no_absence(firm: Firm) -> None:
    on_leave(firm.anna, "2026-12-07", "2026-12-08", status="declined")
    falls_ill(firm.anna, FRIDAY, FRIDAY, status="declined")
    person = days_of(firm.anna)
    assert (person.leave, person.absences) == ({}, {})


def test_an_absence_tells_of_its_note_and_its_decision(firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    hand_in(firm.anna, first["id"])
    decide(firm.boss, second["id"], "excuse")
    reported(firm.ben, "2026-11-21")
    missed(firm, firm.ben, THURSDAY)
    assert days_of(firm.anna).absences == {
        FRIDAY: AbsentDay("sick", "open", noted=True),
        SATURDAY: AbsentDay("sick", "excused", noted=True),
    }
    assert days_of(firm.ben).absences == {
        THURSDAY: AbsentDay("missing", "open", noted=False),
        SATURDAY: AbsentDay("sick", "open", noted=False),
    }


def test_bookings_come_oldest_first_up_to_the_last_day(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/bookings"
    booking_ids = {}
    for day, amount in {
        "2026-11-30": {"minutes": 5},
        "2026-11-21": {"vacationDays": 1.5},
        "2026-12-01": {"minutes": 7},
    }.items():
        answer = firm.boss.post(path, json={"date": day, "reason": "Inventur", **amount})
        booking_ids[day] = answer.json()["id"]
    assert days_of(firm.anna, last=date(2026, 11, 30)).booked == [
        Booked(booking_ids["2026-11-21"], SATURDAY, 0, 3, "Inventur"),
        Booked(booking_ids["2026-11-30"], date(2026, 11, 30), 5, 0, "Inventur"),
    ]
    assert days_of(firm.ben).booked == ()


def test_what_is_not_asked_for_is_not_read(firm: Firm, platform: Platform) -> None:
    add_duty(firm.anna, "2026-11-20")
    falls_ill(firm.anna, FRIDAY, FRIDAY)
    with platform.database.read(SYSTEM) as session:
        some = days.load(session, firm.id, [firm.anna.id], date.min, date.max, ("duties",))
    day = some.people[firm.anna.id].on(FRIDAY)
    assert (day.duty, day.absence) == (Planned(FRIDAY, None, None), None)


def test_a_month_of_two_hundred_is_read_by_a_dozen_statements(firm: Firm, platform: Platform, asked: list[str]) -> None:
    set_weekly(firm, 2400)
    people = [firm.anna.id, firm.ben.id, *(firm.world.user(firm.id, f"person {number}").id for number in range(198))]
    with platform.database.write(SYSTEM) as session:
        for number, user_id in enumerate(people):
            owner_ids = {"company_id": firm.id, "user_id": user_id}
            day, now = date(2026, 11, 1 + number % 28), platform.clock.now()
            session.add(Duty(**owner_ids, id=platform.ids.new(), date=day, created_at=now, changed_at=now))
            leave = {"kind": "vacation", "status": "approved", "start_date": day, "end_date": day}
            session.add(VacationRequest(**owner_ids, id=platform.ids.new(), created_at=now, **leave))
            ill = {"kind": "missing", "status": "open", "report_id": platform.ids.new()}
            session.add(Absence(**owner_ids, id=platform.ids.new(), date=day, created_at=now, **ill))
            session.add(Booking(**owner_ids, id=platform.ids.new(), date=day, minutes=5, reason="-", made_at=now))
    first, last = date(2026, 11, 1), date(2026, 11, 30)
    statement_counts = []
    for some in (people[:2], people):
        with platform.database.read(SYSTEM) as session, bound_contextvars(request_id="direct"):
            asked.clear()
            everybody = {user.id for user in people_in(session, firm.id)}
            loaded = days.load(session, firm.id, everybody & set(some), first, last, names=[OWN])
            some_worked = list(of_company(session, firm.id, first, last, platform.clock.now()))
            days.surcharges_of(session, firm.id, loaded, first, last, platform.clock.now())
            statement_counts.append(len(asked))
        assert {user_id: len(person.duties) for user_id, person in loaded.people.items()} == dict.fromkeys(some, 1)
        assert all(person.leave and person.absences and person.booked for person in loaded.people.values())
    assert some_worked == []
    assert statement_counts[0] == statement_counts[1] <= 12


def test_surcharges_are_those_of_entries_as_their_breaks_are_deducted(firm: Firm, platform: Platform) -> None:
    set_company(firm, "holiday_region", '"DE-BY"')
    worked(firm.anna, "2026-11-05", "14:00", "23:00")
    worked(firm.anna, "2026-10-31", "18:00", "23:50")
    worked(firm.anna, "2026-11-01", "00:20", "05:00")
    worked(firm.ben, "2026-11-01", "08:00", "12:00")
    first, last = date(2026, 11, 1), date(2026, 11, 30)
    with platform.database.read(SYSTEM) as session:
        some = days.load(session, firm.id, [], first, last, ())
        surcharge_days = days.surcharges_of(session, firm.id, some, first, last, platform.clock.now())
        net = minutes_by_month(session, firm.id, dict.fromkeys((firm.anna.id, firm.ben.id), first), last)
    # 630 minutes with 30 of break taken have a deduction of 15, the last ones.
    all_saints = Surcharges(265, night=45, night40=220, holiday=265, act_night=265)
    by_day = {date(2026, 11, 1): all_saints, date(2026, 11, 5): Surcharges(510, night=150)}
    assert surcharge_days == {firm.anna.id: by_day, firm.ben.id: {date(2026, 11, 1): Surcharges(240, holiday=240)}}
    assert {user_id: sum(sums.net for sums in own_days.values()) for user_id, own_days in surcharge_days.items()} == {
        user_id: months[first] for user_id, months in net.items()
    }
