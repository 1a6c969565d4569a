"""Who hears what of an absence: messages, and the pages that are to look again.

No message says why somebody is ill, and none has the sick note with it.
"""

from collections.abc import Iterable, Sequence

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import Absence

REPORT = "reportId"


def of_missing(work: Work, company_id: str, made: Sequence[Absence]) -> None:
    """Tells those who did not come, and the administrators, once for each day."""
    for one in made:
        payload = {"what": "missing", "date": one.date.isoformat()}
        body = (
            f"Am {german.written_day(one.date)} warst du eingeteilt, es gibt aber keinen Stempel. Melde dich krank,"
            " lade eine Krankmeldung hoch oder schreib eine Nachricht dazu."
        )
        messages.send(work, company_id, [one.user_id], "absence", "Fehlender Stempel", body, payload)
        name = name_of(work, company_id, one.user_id)
        said = f"{name} war am {german.written_day(one.date)} eingeteilt und hat nicht gestempelt."
        to_administrators(work, company_id, "Abwesenheit ohne Meldung", said, payload | {"userId": one.user_id})
    if made:
        requests.refresh_pages(work, company_id, [one.user_id for one in made])


def to_administrators(
    work: Work, company_id: str, title: str, body: str, payload: dict[str, str], *, everybody: bool = False
) -> None:
    """A message to all of the company's administrators; to who does it only if it is for `everybody`.

    With a `reportId` it joins what they have not read of that report: one illness is one message.
    """
    about, but = REPORT if REPORT in payload else None, () if everybody else (work.by,)
    messages.to_administrators(work, company_id, title, body, payload, about=about, but=but)


def name_of(work: Work, company_id: str, user_id: str) -> str:
    return directory.names_of(work.session, company_id, [user_id]).get(user_id, "Jemand")


def duties(planned: Iterable[Planned]) -> str:
    """16. bis 20. November 2026 07:00–16:00; 23. November 2026: in their order, what follows one another as one."""
    runs: list[list[Planned]] = []
    for duty in planned:
        if runs and _follows(runs[-1][-1], duty):
            runs[-1].append(duty)
        else:
            runs.append([duty])
    return "; ".join(f"{german.period(run[0].date, run[-1].date)}{_times(run[0])}" for run in runs)


def _follows(one: Planned, other: Planned) -> bool:
    return other.date - one.date == DAY and _times(one) == _times(other)


def _times(duty: Planned) -> str:
    return "" if duty.start_minute is None else f" {german.span(duty.start_minute, duty.end_minute)}"
