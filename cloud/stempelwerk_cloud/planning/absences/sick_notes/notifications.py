"""Notifications about absences: messages to people, and events for open pages."""

from collections.abc import Sequence

from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.people import names_of
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import words
from stempelwerk_cloud.planning.facts.tables import Absence

REPORT = "reportId"


def notify_missing(work: UnitOfWork, company_id: str, absences: Sequence[Absence]) -> None:
    """Notifies the absent employees and the administrators of missed duties, in one message for each day."""
    for absence in absences:
        payload = {"what": "missing", "date": absence.date.isoformat()}
        messages.send(work, company_id, [absence.user_id], "absence", *words.missing(absence.date), payload)
        name = name_of(work, company_id, absence.user_id)
        title, body = words.missing_person(name, absence.date)
        notify_administrators(work, company_id, title, body, payload | {"userId": absence.user_id})
    if absences:
        requests.refresh_pages(work, company_id, [absence.user_id for absence in absences])


def notify_administrators(
    work: UnitOfWork, company_id: str, title: str, body: str, payload: dict[str, str], *, everybody: bool = False
) -> None:
    """Sends a message to the company's administrators; to the acting one only if `everybody` is set.

    A message with a `reportId` is merged with an unread one about the same report: one illness is one message.
    """
    about_key, but = REPORT if REPORT in payload else None, () if everybody else (work.actor_id,)
    messages.to_administrators(work, company_id, title, body, payload, key_member=about_key, but=but)


def name_of(work: UnitOfWork, company_id: str, user_id: str) -> str:
    return names_of(work.session, company_id, [user_id]).get(user_id, words.UNKNOWN_PERSON)
