"""Mails about alarms: planned with the alarm, held back in quiet hours, and left out where it is over by then.

That a rollout was stopped is planned in the same way, for the operator alone; it has no end to be told of.

Two audiences hear of an alarm, each by its own settings: the company's administrators, while it has the module, and
the operator's. Only the latter hear of what only the operator can end. Who was mailed stands in the alarm (`told`), so
that each is told once, and of the end whoever was.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import INSTALLATION_KINDS, NETWORK, OPERATOR_KINDS, told_at
from stempelwerk_cloud.domain.instants import local
from stempelwerk_cloud.fleet.alarms import service, texts
from stempelwerk_cloud.fleet.alarms.tables import Alarm, AlarmSettings
from stempelwerk_cloud.fleet.alarms.texts import End
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.mail import Mailer, MailFailed
from stempelwerk_cloud.kit.mail_templates import Letter, written
from stempelwerk_cloud.kit.operations import faults
from stempelwerk_cloud.kit.outbox import Later
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.service import second_factor
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.work import Work, working

NOTIFY, SEND, SEND_STOPPED = "alarms.tell", "alarms.send", "alarms.send_stopped"


def plan(work: Work, alarm: Alarm) -> None:
    """Has both audiences told of an alarm, or of its end, as soon as their hours allow it."""
    operator = directory.operator(work.session)
    if work.platform.mailer is None or operator is None:
        return
    payload = {"companyId": alarm.company_id, "alarmId": alarm.id, "over": alarm.until is not None}
    if alarm.kind in faults.KINDS:
        outbox.add(work.session, work.platform, operator.id, NOTIFY, payload)
        return
    audiences = {operator.id} if alarm.kind in OPERATOR_KINDS else {alarm.company_id, operator.id}
    for audience in sorted(audiences):
        outbox.add(work.session, work.platform, audience, NOTIFY, payload, _due(work, audience))


def rollout_stopped(work: Work, **details: Any) -> None:
    """Has the operator's administrators mailed, each once: each mail is planned with the stop itself."""
    operator = directory.operator(work.session)
    if work.platform.mailer is None or operator is None or not service.settings_of(work.session, operator.id).mail:
        return
    due = _due(work, operator.id)
    for user_id in _administrators(work, operator.id):
        outbox.add(work.session, work.platform, operator.id, SEND_STOPPED, {**details, "userId": user_id}, due)


def _due(work: Work, audience: str) -> datetime:
    zone = directory.zone_of(work.session, audience, work.now())
    return told_at(work.now(), _quiet(service.settings_of(work.session, audience)), zone)


def _quiet(settings: AlarmSettings) -> tuple[int, int] | None:
    if settings.quiet_from is None or settings.quiet_to is None:
        return None
    return settings.quiet_from, settings.quiet_to


def notify_audience(platform: Platform, audience: str, payload: Mapping[str, Any], _id: str) -> None:
    """The task that has everybody of an audience mailed who is to be: of an alarm that goes on whoever was not yet, of
    its end whoever was.
    """
    company_id = payload["companyId"]
    with working(platform, SYSTEM) as work:
        locks.take(work.session, Lock.ALARMS, company_id)
        alarm = work.session.get(Alarm, (company_id, payload["alarmId"]))
        if alarm is None or (alarm.until is not None) != payload["over"]:
            return
        notified = json.loads(alarm.told)
        reached = [user_id for user_id in _administrators(work, audience) if (user_id in notified) == payload["over"]]
        if payload["over"]:
            notified = [user_id for user_id in notified if user_id not in reached]
        elif not _is_wanted(work.session, audience, alarm):
            return
        else:
            notified += reached
        alarm.told = json.dumps(notified)
        for user_id in reached:
            outbox.add(work.session, platform, audience, SEND, {**payload, "userId": user_id})


def _is_wanted(session: Session, audience: str, alarm: Alarm) -> bool:
    if alarm.kind in faults.KINDS:
        return True
    settings = service.settings_of(session, audience)
    if not settings.mail or alarm.kind not in service.mailed_kinds(settings):
        return False
    return directory.is_operator(session, audience) or service.MODULE in directory.feature_keys(session, audience)


def _administrators(work: Work, audience: str) -> list[str]:
    """Those who get in and have a linked address."""
    people = (person for person in directory.people_in(work.session, audience) if person.role != USER)
    return [
        person.id
        for person in people
        if not person.is_locked
        and not person.has_left(work.now())
        and second_factor.address_of(work.session, audience, person.id) is not None
    ]


def send(platform: Platform, audience: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """The task that mails one person, if they still have a linked address.

    A mail of an alarm that did not get out until its end is left out: that of the end says since when it was, and no
    mail of one audience is under way beside another, so nobody hears of an alarm after its end.
    """
    company_id, over = payload["companyId"], payload["over"]
    with platform.database.read(SYSTEM) as session:
        alarm = session.get(Alarm, (company_id, payload["alarmId"]))
        address = second_factor.address_of(session, audience, payload["userId"])
        if alarm is None or address is None or platform.mailer is None or (alarm.until is not None) != over:
            return
        company = directory.company_name(session, company_id)
        name = service.find_clock_names(session, [alarm]).get(alarm.id, company)
        zone = directory.zone_of(session, audience, platform.clock.now())
        ended_at = None if alarm.until is None else local(alarm.until, zone)
        of_operator = directory.is_operator(session, audience)
        link = _link(platform, "admin?tab=alarms" if of_operator else "company-dashboard?tab=devices")
        end = _end(session, alarm)
        hint = service.hint(session, alarm, platform.clock.now())
        letter = texts.letter(alarm.kind, name, company, local(alarm.since, zone), ended_at, end, hint, link)
        subject = texts.subject(alarm.kind, name, end)
    _mail(platform.mailer, address, subject, letter, id)


def _end(session: Session, alarm: Alarm) -> End | None:
    """Why it ended. A clock that was taken away says nothing more, which is no all-clear."""
    if alarm.until is None:
        return None
    if alarm.kind in faults.KINDS or alarm.kind in INSTALLATION_KINDS:
        return "over"
    watched_nos = {clock.no for clock in devices.watched(session, alarm.until, alarm.company_id)}
    return "over" if watched_nos and alarm.device_no in {NETWORK, *watched_nos} else "gone"


def send_stopped(platform: Platform, audience: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """The task that mails one person that a rollout was stopped, if they still have a linked address."""
    with platform.database.read(SYSTEM) as session:
        address = second_factor.address_of(session, audience, payload["userId"])
    if address is None or platform.mailer is None:
        return
    details = {name: value for name, value in payload.items() if name != "userId"}
    letter = written("rollout_stopped", **details, link=_link(platform, "admin?tab=updates"))
    _mail(platform.mailer, address, texts.rollout_stopped(details["version"], details["channel"]), letter, id)


def _mail(mailer: Mailer, address: str, subject: str, letter: Letter, id_: str) -> None:
    try:
        mailer.send(address, subject, letter.text, letter.html, id=id_)
    except MailFailed as error:
        raise Later(reason=f"mail: {error}") from error


def _link(platform: Platform, page: str) -> str | None:
    """Where it stands, for who logs in; None if nobody has said where the installation is."""
    return None if platform.settings.public_url is None else f"{platform.settings.public_url}/{page}"
