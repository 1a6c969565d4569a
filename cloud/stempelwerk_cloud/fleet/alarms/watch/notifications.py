"""Mails about alarms. A mail is planned when an alarm begins or ends and is delayed until quiet hours are over. It is
dropped if the alarm has ended meanwhile.

A stopped rollout is mailed in the same way, but to the operator only and without an all-clear.

An alarm has two audiences with separate settings: the administrators of the company, while it has the module, and those
of the operator. Alarms that only the operator can end go to the operator only. `Alarm.told` lists the recipients: each
is mailed once, and the all-clear goes to the same people.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import INSTALLATION_KINDS, NETWORK, OPERATOR_KINDS, notify_at
from stempelwerk_cloud.domain.instants import local
from stempelwerk_cloud.fleet.alarms import service, words
from stempelwerk_cloud.fleet.alarms.tables import Alarm, AlarmSettings
from stempelwerk_cloud.fleet.alarms.words import End
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.mail import Mailer, MailFailed
from stempelwerk_cloud.kit.mail_templates import Letter, render
from stempelwerk_cloud.kit.operations import faults
from stempelwerk_cloud.kit.outbox import RetryLater
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.companies import company_name, feature_keys, zone_of
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

NOTIFY, SEND, SEND_STOPPED = "alarms.tell", "alarms.send", "alarms.send_stopped"


def plan(work: UnitOfWork, alarm: Alarm) -> None:
    """Plans the mails about an alarm that began or ended, for each audience at the end of its quiet hours."""
    operator = companies.operator(work.session)
    if work.platform.mailer is None or operator is None:
        return
    payload = {"companyId": alarm.company_id, "alarmId": alarm.id, "over": alarm.until is not None}
    if alarm.kind in faults.KINDS:
        outbox.add(work.session, work.platform, operator.id, NOTIFY, payload)
        return
    audiences = {operator.id} if alarm.kind in OPERATOR_KINDS else {alarm.company_id, operator.id}
    for audience in sorted(audiences):
        outbox.add(work.session, work.platform, audience, NOTIFY, payload, _due(work, audience))


def rollout_stopped(work: UnitOfWork, **details: Any) -> None:
    """Plans a mail to each of the operator's administrators, in the same transaction as the stop."""
    operator = companies.operator(work.session)
    if work.platform.mailer is None or operator is None or not service.settings_of(work.session, operator.id).mail:
        return
    due = _due(work, operator.id)
    for user_id in _administrators(work, operator.id):
        outbox.add(work.session, work.platform, operator.id, SEND_STOPPED, {**details, "userId": user_id}, due)


def _due(work: UnitOfWork, audience: str) -> datetime:
    zone = zone_of(work.session, audience, work.now())
    return notify_at(work.now(), _quiet(service.settings_of(work.session, audience)), zone)


def _quiet(settings: AlarmSettings) -> tuple[int, int] | None:
    if settings.quiet_from is None or settings.quiet_to is None:
        return None
    return settings.quiet_from, settings.quiet_to


def notify_audience(platform: Platform, audience: str, payload: Mapping[str, Any], _id: str) -> None:
    """Plans the mails of one audience about an alarm (task). An open alarm is mailed to all administrators who were not
    mailed about it yet, its end to those who were.
    """
    company_id = payload["companyId"]
    with unit_of_work(platform, SYSTEM) as work:
        locks.take(work.session, Lock.ALARMS, company_id)
        alarm = work.session.get(Alarm, (company_id, payload["alarmId"]))
        if alarm is None or (alarm.until is not None) != payload["over"]:
            return
        notified = json.loads(alarm.told)
        recipients = [
            user_id for user_id in _administrators(work, audience) if (user_id in notified) == payload["over"]
        ]
        if payload["over"]:
            notified = [user_id for user_id in notified if user_id not in recipients]
        elif not _is_wanted(work.session, audience, alarm):
            return
        else:
            notified += recipients
        alarm.told = json.dumps(notified)
        for user_id in recipients:
            outbox.add(work.session, platform, audience, SEND, {**payload, "userId": user_id})


def _is_wanted(session: Session, audience: str, alarm: Alarm) -> bool:
    if alarm.kind in faults.KINDS:
        return True
    settings = service.settings_of(session, audience)
    if not settings.mail or alarm.kind not in service.mailed_kinds(settings):
        return False
    return companies.is_operator(session, audience) or service.MODULE in feature_keys(session, audience)


def _administrators(work: UnitOfWork, audience: str) -> list[str]:
    """Returns the ids of the company's administrators who can log in and have a linked mail address."""
    people = (person for person in people_in(work.session, audience) if person.role != USER)
    return [
        person.id
        for person in people
        if not person.is_locked
        and not person.has_left(work.now())
        and second_factor.address_of(work.session, audience, person.id) is not None
    ]


def send(platform: Platform, audience: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """Mails one person about an alarm or its end (task). Does nothing if the person has no linked address any more.

    If the alarm ended before this mail was sent, the mail is dropped: the mail about the end states the start as well.
    The mails of an audience are sent one after another, so no mail about an alarm arrives after the one about its end.
    """
    company_id, over = payload["companyId"], payload["over"]
    with platform.database.read(SYSTEM) as session:
        alarm = session.get(Alarm, (company_id, payload["alarmId"]))
        address = second_factor.address_of(session, audience, payload["userId"])
        if alarm is None or address is None or platform.mailer is None or (alarm.until is not None) != over:
            return
        company = company_name(session, company_id)
        name = service.find_clock_names(session, [alarm]).get(alarm.id, company)
        zone = zone_of(session, audience, platform.clock.now())
        ended_at = None if alarm.until is None else local(alarm.until, zone)
        is_operator = companies.is_operator(session, audience)
        link = _link(platform, "admin?tab=alarms" if is_operator else "company-dashboard?tab=devices")
        end = _end(session, alarm)
        hint = service.hint(session, alarm, platform.clock.now())
        letter = words.letter(alarm.kind, name, company, local(alarm.since, zone), ended_at, end, hint, link)
        subject = words.subject(alarm.kind, name, end)
    _mail(platform.mailer, address, subject, letter, id)


def _end(session: Session, alarm: Alarm) -> End | None:
    """Returns why the alarm ended, or None while it is open. If the company no longer has the clock, the result is
    `gone`: the cause may still exist, so the mail is no all-clear.
    """
    if alarm.until is None:
        return None
    if alarm.kind in faults.KINDS or alarm.kind in INSTALLATION_KINDS:
        return "over"
    watched_nos = {clock.no for clock in devices.watched(session, alarm.until, alarm.company_id)}
    return "over" if watched_nos and alarm.device_no in {NETWORK, *watched_nos} else "gone"


def send_stopped(platform: Platform, audience: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """Mails one person about a stopped rollout, if they still have a linked address (task)."""
    with platform.database.read(SYSTEM) as session:
        address = second_factor.address_of(session, audience, payload["userId"])
    if address is None or platform.mailer is None:
        return
    details = {name: value for name, value in payload.items() if name != "userId"}
    letter = render("rollout_stopped", **details, link=_link(platform, "admin?tab=updates"))
    _mail(platform.mailer, address, words.rollout_stopped(details["version"], details["channel"]), letter, id)


def _mail(mailer: Mailer, address: str, subject: str, letter: Letter, id_: str) -> None:
    try:
        mailer.send(address, subject, letter.text, letter.html, id=id_)
    except MailFailed as error:
        raise RetryLater(reason=f"mail: {error}") from error


def _link(platform: Platform, page: str) -> str | None:
    """Returns the URL of a page of the web application; None if `public_url` is not set."""
    return None if platform.settings.public_url is None else f"{platform.settings.public_url}/{page}"
