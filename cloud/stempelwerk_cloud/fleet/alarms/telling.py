"""Mails about alarms: planned with the alarm, held back in quiet hours, and left out where it is over by then.

Two audiences hear of an alarm, each by its own settings: the company's administrators, while it has the module, and
the operator's. Who was mailed stands in the alarm (`told`), so that each is told once, and of the end whoever was.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import told_at
from stempelwerk_cloud.domain.instants import local
from stempelwerk_cloud.fleet.alarms import service, texts
from stempelwerk_cloud.fleet.alarms.tables import Alarm, AlarmSettings
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.outbox import Later
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.service import second_factor
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER
from stempelwerk_cloud.people.work import Work, working

TELL, SEND = "alarms.tell", "alarms.send"


def plan(work: Work, alarm: Alarm) -> None:
    """Has both audiences told of an alarm, or of its end, as soon as their hours allow it."""
    operator = directory.operator(work.session)
    if work.platform.mailer is None or operator is None:
        return
    payload = {"companyId": alarm.company_id, "alarmId": alarm.id, "over": alarm.until is not None}
    for audience in sorted({alarm.company_id, operator.id}):
        zone = directory.zone_of(work.session, audience, work.now())
        due = told_at(work.now(), _quiet(service.settings_of(work.session, audience)), zone)
        outbox.add(work.session, work.platform, audience, TELL, payload, due)


def _quiet(settings: AlarmSettings) -> tuple[int, int] | None:
    if settings.quiet_from is None or settings.quiet_to is None:
        return None
    return settings.quiet_from, settings.quiet_to


def tell(platform: Platform, audience: str, payload: Mapping[str, Any], _id: str) -> None:
    """The task that has everybody of an audience mailed who is to be: of an alarm that goes on whoever was not yet, of
    its end whoever was.
    """
    company_id = payload["companyId"]
    with working(platform, SYSTEM) as work:
        locks.take(work.session, Lock.ALARMS, company_id)
        alarm = work.session.get(Alarm, (company_id, payload["alarmId"]))
        if alarm is None or (alarm.until is not None) != payload["over"]:
            return
        told = json.loads(alarm.told)
        reached = [user_id for user_id in _administrators(work, audience) if (user_id in told) == payload["over"]]
        if payload["over"]:
            told = [user_id for user_id in told if user_id not in reached]
        elif not _is_wanted(work.session, audience, alarm):
            return
        else:
            told += reached
        alarm.told = json.dumps(told)
        for user_id in reached:
            outbox.add(work.session, platform, audience, SEND, {**payload, "userId": user_id})


def _is_wanted(session: Session, audience: str, alarm: Alarm) -> bool:
    settings = service.settings_of(session, audience)
    if not settings.mail or alarm.kind not in json.loads(settings.kinds):
        return False
    return directory.is_operator(session, audience) or service.MODULE in directory.feature_keys(session, audience)


def _administrators(work: Work, audience: str) -> list[str]:
    """Those who get in and have a linked address."""
    people = (one for one in directory.people_in(work.session, audience) if one.role != USER)
    return [
        one.id
        for one in people
        if not one.is_locked
        and not one.has_left(work.now())
        and second_factor.address_of(work.session, audience, one.id) is not None
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
        name = service.names(session, [alarm]).get(alarm.id, company)
        zone = directory.zone_of(session, audience, platform.clock.now())
        until = None if alarm.until is None else local(alarm.until, zone)
        link = _link(platform, of_operator=directory.is_operator(session, audience))
        letter = texts.letter(alarm.kind, name, company, local(alarm.since, zone), until, link)
        subject = texts.subject(alarm.kind, name, over=over)
    try:
        platform.mailer.send(address, subject, letter.text, letter.html, id=id)
    except MailFailed as error:
        raise Later(reason=f"mail: {error}") from error


def _link(platform: Platform, *, of_operator: bool) -> str | None:
    """Where the alarms stand, for who logs in; None if nobody has said where the installation is."""
    if platform.settings.public_url is None:
        return None
    page = "admin?tab=alarms" if of_operator else "company-dashboard?tab=devices"
    return f"{platform.settings.public_url}/{page}"
