"""Notifications of absences: messages, and refreshes of open pages.

No message contains the diagnosis or the sick note.
"""

from collections.abc import Iterable, Sequence

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import Absence

REPORT = "reportId"


def notify_missing(work: UnitOfWork, company_id: str, absences: Sequence[Absence]) -> None:
    """Notifies the absent employees and the administrators, once for each day."""
    for absence in absences:
        payload = {"what": "missing", "date": absence.date.isoformat()}
        body = (
            f"Am {german.written_day(absence.date)} warst du eingeteilt, es gibt aber keinen Stempel. Melde dich krank,"
            " lade eine Krankmeldung hoch oder schreib eine Nachricht dazu."
        )
        messages.send(work, company_id, [absence.user_id], "absence", "Fehlender Stempel", body, payload)
        name = name_of(work, company_id, absence.user_id)
        admin_text = f"{name} war am {german.written_day(absence.date)} eingeteilt und hat nicht gestempelt."
        notify_administrators(
            work, company_id, "Abwesenheit ohne Meldung", admin_text, payload | {"userId": absence.user_id}
        )
    if absences:
        requests.refresh_pages(work, company_id, [absence.user_id for absence in absences])


def notify_administrators(
    work: UnitOfWork, company_id: str, title: str, body: str, payload: dict[str, str], *, everybody: bool = False
) -> None:
    """Sends a message to all of the company's administrators, with its author only if `everybody` is set.

    A message with a `reportId` joins their unread one of that report: one illness is one message.
    """
    about_key, but = REPORT if REPORT in payload else None, () if everybody else (work.actor_id,)
    messages.to_administrators(work, company_id, title, body, payload, key_member=about_key, but=but)


def name_of(work: UnitOfWork, company_id: str, user_id: str) -> str:
    return directory.names_of(work.session, company_id, [user_id]).get(user_id, "Jemand")


def duties(planned: Iterable[Planned]) -> str:
    """Formats duties in order, consecutive ones as one: 16. bis 20. November 2026 07:00–16:00; 23. November 2026."""
    runs: list[list[Planned]] = []
    for duty in planned:
        if runs and _follows(runs[-1][-1], duty):
            runs[-1].append(duty)
        else:
            runs.append([duty])
    return "; ".join(f"{german.period(run[0].date, run[-1].date)}{_times(run[0])}" for run in runs)


def _follows(earlier: Planned, later: Planned) -> bool:
    return later.date - earlier.date == DAY and _times(earlier) == _times(later)


def _times(duty: Planned) -> str:
    return "" if duty.start_minute is None else f" {german.span(duty.start_minute, duty.end_minute)}"
