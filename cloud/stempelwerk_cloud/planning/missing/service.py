"""The search for missed duties (decision 17): each night for the day before, once the company's clocks have delivered.

A clock that is silent, or still has stamps to send, delays a day by 72 hours at most. Days are searched in order, each
in one transaction that also records the progress. So several processes may search at once, and a repetition finds
nothing new. A stamp with an unassigned tag belongs to no entry, and so excuses no absence.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, day_start, local_day
from stempelwerk_cloud.domain.no_shows import Came, Rostered, days_to_look_at, no_shows, over_at
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import feature_keys, find_company, open_companies, zone_of
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.directory.tables import Company
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.missing import tables
from stempelwerk_cloud.planning.schedule import service as schedule
from stempelwerk_cloud.timekeeping.times.reading import values

WAITED_FOR_CLOCKS = timedelta(hours=72)
FIRST_LOOK_BACK = 4
"""The search begins this many days before today in a new company: the longest delay by a clock, and one more."""
MODULE = "absences"

log = structlog.get_logger(__name__)


def sweep(platform: Platform) -> None:
    """Searches the due days of every company. A company that fails is logged, and tried again at the next run."""
    devices.write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        company_ids = [company.id for company in open_companies(session) if not company.is_operator]
    for company_id in company_ids:
        try:
            sweep_company(platform, company_id)
        except Exception as error:
            log.error("job_failed", job="find_missing", company_id=company_id, exc_info=error)


def sweep_company(platform: Platform, company_id: str) -> None:
    """Searches the company's due days, one after the other."""
    while _is_due(platform, company_id):
        with unit_of_work(platform, of_company(company_id)) as work:
            company = work.plan(company_id)
            day = _due(work.session, company, work.now())
            if day is not None:
                _look_through(work, company_id, day)


def _is_due(platform: Platform, company_id: str) -> bool:
    """Whether a day of the company is due for the search; takes no lock."""
    with platform.database.read(of_company(company_id)) as session:
        company = find_company(session, company_id)
        if company is None or company.closed_at is not None:
            return False
        return _due(session, company, platform.clock.now()) is not None


def _due(session: Session, company: Company, now: datetime) -> date | None:
    """Returns the next day to search, if it is over and the clocks have delivered it; otherwise None."""
    zone = zone_of(session, company.id, now)
    today = local_day(now, zone)
    reached = tables.swept_to(session, company.id)
    begun = max(local_day(company.created_at, zone), today - FIRST_LOOK_BACK * DAY)
    day = begun if reached is None else reached + DAY
    if day >= today:
        return None
    over = over_at(day, _rostered(session, company.id, day), zone)
    if now < over:
        return None
    if now < over + WAITED_FOR_CLOCKS and devices.undelivered(session, company.id, day_start(day, zone), over):
        return None
    return day


def _look_through(work: UnitOfWork, company_id: str, day: date) -> None:
    """Records the duties missed on that day, unless the company does without absences, and that the day was
    searched.
    """
    if MODULE in feature_keys(work.session, company_id):
        missing = _missing(work, company_id, day)
        if missing:
            absences.add_missing(work, company_id, missing)
    tables.sweep_to(work.session, company_id, day)


def _missing(work: UnitOfWork, company_id: str, day: date) -> list[absences.Missed]:
    session = work.session
    employees = [person.id for person in people_in(session, company_id) if person.role == USER]
    known_days = days.load(session, company_id, employees, day, day, facts=("duties", "leave"))
    day_by_user = {user_id: person.on(day) for user_id, person in known_days.people.items()}
    duties = [
        Rostered(user_id, person_day.duty.start_minute, person_day.duty.end_minute)
        for user_id, person_day in day_by_user.items()
        if person_day.duty is not None and person_day.employed and not person_day.on_leave("approved", person_day.duty)
    ]
    if not duties:
        return []
    around = days_to_look_at(day)
    came = [
        Came(entry.user_id, entry.date, entry.start, entry.end)
        for entry in values.of_company(session, company_id, around[0], around[-1], work.now())
    ]
    missing_ids = set(no_shows(day, duties, came, known_days.zone_on(day)))
    return [
        absences.Missed(duty.user_id, day, duty.start_minute, duty.end_minute)
        for duty in duties
        if duty.user_id in missing_ids
    ]


def _rostered(session: Session, company_id: str, day: date) -> Sequence[Rostered]:
    return [
        Rostered(duty.user_id, duty.start_minute, duty.end_minute)
        for duty in schedule.duties(session, company_id, day, day)
    ]
