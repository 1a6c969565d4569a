"""Who hears what of an absence: messages, and the pages that are to look again.

No message says why somebody is ill, and none has the sick note with it.
"""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.http.schemas import format_minute
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import Absence


def of_missing(work: Work, company_id: str, made: Sequence[Absence]) -> None:
    """Tells those who did not come, and the administrators, once for each day."""
    for one in made:
        payload = {"what": "missing", "date": one.date.isoformat()}
        body = (
            f"Am {german(one.date)} warst du eingeteilt, es gibt aber keinen Stempel. Melde dich krank, lade eine"
            " Krankmeldung hoch oder schreib eine Nachricht dazu."
        )
        messages.send(work, company_id, [one.user_id], "absence", "Fehlender Stempel", body, payload)
        name = name_of(work, company_id, one.user_id)
        said = f"{name} war am {german(one.date)} eingeteilt und hat nicht gestempelt."
        to_administrators(work, company_id, "Abwesenheit ohne Meldung", said, payload | {"userId": one.user_id})
    look_again(work, company_id, {one.user_id for one in made})


def to_administrators(
    work: Work,
    company_id: str,
    title: str,
    body: str,
    payload: dict[str, str],
    *,
    everybody: bool = False,
    about: str | None = None,
) -> None:
    """A message `request` to all of the company's administrators; to who does it only if it is for `everybody`."""
    administrators = directory.administrators_of(work.session, company_id)
    told = [user_id for user_id in administrators if everybody or user_id != work.by]
    messages.send(work, company_id, told, "request", title, body, payload, about=about)


def look_again(work: Work, company_id: str, user_ids: set[str]) -> None:
    """Has the open pages of these people, and of the administrators, look again."""
    if user_ids:
        topics = [f"plan:{company_id}:{user_id}" for user_id in sorted(user_ids)] + [f"plan:{company_id}"]
        work.platform.live.publish(work.session, topics, {"type": "plan_update"})


def name_of(work: Work, company_id: str, user_id: str) -> str:
    person = directory.find_person(work.session, company_id, user_id)
    return "Jemand" if person is None else person.username


def german(day: date) -> str:
    """05.11.2026"""
    return f"{day:%d.%m.%Y}"


def german_duty(duty: Planned) -> str:
    """05.11.2026, or 05.11.2026 ab 08:00 Uhr, or 05.11.2026 08:00–16:30 Uhr"""
    if duty.start_minute is None:
        return german(duty.date)
    begins = format_minute(duty.start_minute)
    times = f"ab {begins}" if duty.end_minute is None else f"{begins}–{format_minute(duty.end_minute)}"
    return f"{german(duty.date)} {times} Uhr"


def german_span(first: date, last: date) -> str:
    """am 05.11.2026, or vom 05.11.2026 bis 06.11.2026"""
    return f"am {german(first)}" if first == last else f"vom {german(first)} bis {german(last)}"
