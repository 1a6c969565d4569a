"""Telling people of requests and decisions: messages, and live events for pages that are open."""

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import VacationRequest

_NOUNS = {"vacation": "Urlaub", "wish": "Wunschfrei"}
LEFT = "Der Zeitraum liegt nach dem Austritt."
_VERBS = {"approved": "genehmigt", "declined": "abgelehnt"}


def administrators(work: Work, asked: VacationRequest, username: str) -> None:
    """A request waits for them."""
    noun = _NOUNS[asked.kind]
    messages.to_administrators(
        work,
        asked.company_id,
        f"Neuer Antrag: {noun}",
        f"{username} beantragt {noun} {german.when(asked.start_date, asked.end_date)}.",
        {"what": asked.kind} | _period(asked),
    )


def employee(work: Work, decided: VacationRequest) -> None:
    """It was decided; `status` of the payload says how."""
    noun, verb = _NOUNS[decided.kind], _VERBS[decided.status]
    body = f"Dein {noun} {german.when(decided.start_date, decided.end_date)} wurde {verb}."
    messages.send(
        work,
        decided.company_id,
        [decided.user_id],
        "vacation_response",
        f"{noun} {verb}",
        body if decided.comment is None else f"{body} Anmerkung: {decided.comment}",
        {"status": decided.status, "kind": decided.kind} | _period(decided),
    )


def ended(work: Work, request: VacationRequest, days_before: str) -> None:
    """An exit ended it, or cut it short: its person and the administrators, but for who set the exit, are told."""
    noun = _NOUNS[request.kind]
    cut = request.status == "approved"
    how = f"endet mit dem Austritt am {german.written_day(request.end_date)}" if cut else "entfällt wegen des Austritts"
    person = work.session.get_one(User, (request.company_id, request.user_id))
    said = {"status": request.status, "kind": request.kind} | _period(request)
    own = f"Dein {noun} {days_before} {how}."
    messages.send(work, request.company_id, [request.user_id], "vacation_response", f"{noun} beendet", own, said)
    theirs = f"{noun} von {person.username} {days_before} {how}."
    payload = {"what": request.kind} | _period(request)
    but = {work.by, request.user_id}
    messages.to_administrators(work, request.company_id, f"{noun} beendet", theirs, payload, but=but)


def _period(request: VacationRequest) -> dict[str, str]:
    return {"startDate": request.start_date.isoformat(), "endDate": request.end_date.isoformat()}
