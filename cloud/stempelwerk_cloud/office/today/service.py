"""What an administrator's day is made of. Whatever it counts is counted by whose list it is."""

from collections.abc import Iterable

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.alarms import service as alarms
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.office.attendance import service as attendance
from stempelwerk_cloud.office.today.schemas import SilentClock, Today, TodaysAlarm, TodaysPerson, Waiting
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.timekeeping.corrections import service as corrections
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.stamps import service as stamps

MOST_TO_REVIEW = 1000
_SILENCE = ("silent", "network")


def of_company(work: Work) -> Today:
    session, company_id = work.session, work.caller.subject_company_id
    every = work.caller.role == ADMIN
    modules = set(directory.KEYS) if every else directory.feature_keys(session, company_id)
    waiting = Waiting(
        held_stamps=stamps.waiting.count_of(session, company_id),
        review=entries.review.count(
            session, company_id, work.now(), (work.platform.worked_on_leave, work.platform.days_off), MOST_TO_REVIEW
        ),
    )
    found = Today(waiting=waiting)
    if "absences" in modules:
        waiting.requests = vacation.count_waiting(session, company_id)
        waiting.absences = absences.count_waiting(session, company_id)
        waiting.corrections = corrections.count_waiting(session, company_id)
    if "present" in modules:
        _attendance(work, company_id, found)
    if "devices" in modules:
        found.silent_clocks = [
            SilentClock(device_id=one.id, name=one.name or one.serial, last_seen=one.last_seen)
            for one in devices.of_company(work, company_id)
            if not one.is_online
        ]
        found.alarms = [
            TodaysAlarm(id=one.id, kind=one.kind, device_name=one.device_name, since=one.since, hint=one.hint)
            for one in alarms.open_in_company(work, company_id)
            if one.kind not in _SILENCE and one.acknowledged_by is None
        ]
    return found


def _attendance(work: Work, company_id: str, found: Today) -> None:
    """Of today; and who has been there since yesterday, and still is."""
    now = work.now()
    today = directory.today_of(work.session, company_id, now)
    found_on = attendance.between(work.session, company_id, today - DAY, today, now)
    day, night = found_on[today], found_on[today - DAY]
    listed = {one.user_id for one in (*day.expected, *day.unexpected) if one.clocked_in}
    still = [[one for one in some if one.running and one.user_id not in listed] for some in night]
    found.present = _rows([*still[0], *(one for one in day.expected if one.clocked_in)])
    found.missing = _rows(one for one in day.expected if one.clocked_in is False)
    found.unexpected = _rows([*still[1], *day.unexpected])


def _rows(people: Iterable[attendance.Person]) -> list[TodaysPerson]:
    return [TodaysPerson.model_validate(one) for one in people]
