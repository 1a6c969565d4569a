"""Composes an administrator's day. Each count comes from the room of the list that it counts. Parts of modules that
the company does not have are left out.
"""

from collections.abc import Iterable

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.alarms import service as alarms
from stempelwerk_cloud.fleet.alarms.tables import AnyKind
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, Wire
from stempelwerk_cloud.office.attendance import service as attendance
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.directory.companies import feature_keys, today_of
from stempelwerk_cloud.people.directory.words import KEYS
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.vacation.queries import count_waiting
from stempelwerk_cloud.timekeeping.corrections import queries
from stempelwerk_cloud.timekeeping.times.held import waiting as intake_waiting
from stempelwerk_cloud.timekeeping.times.review import review as deriving_review


class TodaysPerson(Wire):
    """A person of the day. `start` and `end`: of the work, else of the duty; `plannedEnd` is the duty's."""

    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    clock_name: str | None
    planned_end: TimeField | None


class Waiting(Wire):
    """Numbers of pending decisions; `review` up to 1,000."""

    requests: int | None = None
    absences: int | None = None
    corrections: int | None = None
    held_stamps: int
    review: int


class SilentClock(Wire):
    """A silent clock; `lastSeen` null: never."""

    device_id: str
    name: str
    last_seen: InstantField | None


class TodaysAlarm(Wire):
    """An open alarm that no administrator has acknowledged, and its hint. `deviceName` is null for one that concerns
    several clocks.
    """

    id: str
    kind: AnyKind
    device_name: str | None
    since: InstantField
    hint: str | None


class Today(Wire):
    """`alarms`: the open ones. Silent clocks are in `silentClocks` instead."""

    present: list[TodaysPerson] | None = None
    missing: list[TodaysPerson] | None = None
    unexpected: list[TodaysPerson] | None = None
    waiting: Waiting
    silent_clocks: list[SilentClock] | None = None
    alarms: list[TodaysAlarm] | None = None


MOST_TO_REVIEW = 1000
_SILENCE = ("silent", "network")


def of_company(work: UnitOfWork) -> Today:
    session, company_id = work.session, work.caller.subject_company_id
    is_system_admin = work.caller.role == ADMIN
    modules = set(KEYS) if is_system_admin else feature_keys(session, company_id)
    waiting = Waiting(
        held_stamps=intake_waiting.count_of(session, company_id),
        review=deriving_review.count(
            session,
            company_id,
            work.now(),
            (ports.WORKED_ON_LEAVE.of(work.platform), ports.DAYS_OFF.of(work.platform)),
            MOST_TO_REVIEW,
        ),
    )
    overview = Today(waiting=waiting)
    if "absences" in modules:
        waiting.requests = count_waiting(session, company_id)
        waiting.absences = absences.count_waiting(session, company_id)
        waiting.corrections = queries.count_waiting(session, company_id)
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
    today = today_of(work.session, company_id, now)
    found_on = attendance.attendance_between(work.session, company_id, today - DAY, today, now)
    day, night = found_on[today], found_on[today - DAY]
    listed_ids = {person.user_id for person in (*day.expected, *day.unexpected) if person.clocked_in}
    still = [[person for person in some if person.running and person.user_id not in listed_ids] for some in night]
    overview.present = _rows([*still[0], *(person for person in day.expected if person.clocked_in)])
    overview.missing = _rows(person for person in day.expected if person.clocked_in is False)
    overview.unexpected = _rows([*still[1], *day.unexpected])


def _rows(people: Iterable[attendance.Person]) -> list[TodaysPerson]:
    return [TodaysPerson.model_validate(person) for person in people]
