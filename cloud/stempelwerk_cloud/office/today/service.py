"""Composes an administrator's day. Each count comes from the room of the list that it counts."""

from collections.abc import Iterable

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.alarms import service as alarms
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.office.attendance import service as attendance
from stempelwerk_cloud.office.today.schemas import SilentClock, Today, TodaysAlarm, TodaysPerson, Waiting
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.corrections import service as corrections
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.stamps import service as stamps

MOST_TO_REVIEW = 1000
_SILENCE = ("silent", "network")


def of_company(work: UnitOfWork) -> Today:
    session, company_id = work.session, work.caller.subject_company_id
    is_system_admin = work.caller.role == ADMIN
    modules = set(directory.KEYS) if is_system_admin else directory.feature_keys(session, company_id)
    waiting = Waiting(
        held_stamps=stamps.waiting.count_of(session, company_id),
        review=entries.review.count(
            session, company_id, work.now(), (work.platform.worked_on_leave, work.platform.days_off), MOST_TO_REVIEW
        ),
    )
    overview = Today(waiting=waiting)
    if "absences" in modules:
        waiting.requests = vacation.count_waiting(session, company_id)
        waiting.absences = absences.count_waiting(session, company_id)
        waiting.corrections = corrections.count_waiting(session, company_id)
    if "present" in modules:
        _attendance(work, company_id, overview)
    if "devices" in modules:
        overview.silent_clocks = [
            SilentClock(device_id=device.id, name=device.name or device.serial, last_seen=device.last_seen)
            for device in devices.of_company(work, company_id)
            if not device.is_online
        ]
        overview.alarms = [
            TodaysAlarm(id=alarm.id, kind=alarm.kind, device_name=alarm.device_name, since=alarm.since, hint=alarm.hint)
            for alarm in alarms.open_in_company(work, company_id)
            if alarm.kind not in _SILENCE and alarm.acknowledged_by is None
        ]
    return overview


def _attendance(work: UnitOfWork, company_id: str, overview: Today) -> None:
    """Fills in today's attendance, and the people who have been present since yesterday."""
    now = work.now()
    today = directory.today_of(work.session, company_id, now)
    found_on = attendance.attendance_between(work.session, company_id, today - DAY, today, now)
    day, night = found_on[today], found_on[today - DAY]
    listed_ids = {person.user_id for person in (*day.expected, *day.unexpected) if person.clocked_in}
    still = [[person for person in some if person.running and person.user_id not in listed_ids] for some in night]
    overview.present = _rows([*still[0], *(person for person in day.expected if person.clocked_in)])
    overview.missing = _rows(person for person in day.expected if person.clocked_in is False)
    overview.unexpected = _rows([*still[1], *day.unexpected])


def _rows(people: Iterable[attendance.Person]) -> list[TodaysPerson]:
    return [TodaysPerson.model_validate(person) for person in people]
