"""Hand-overs: requests, answers, repeated checks, and notifications."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import MESSAGE_SENT
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.planning.schedule.service import why_not

from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.leaving import employ, falls_ill, was_employed
from cloud.tests.planning.rosters import add_duty, assigned, holders, offer, on_leave, path
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
DAY = "2026-12-01"
ASK = "/api/schedule/swap-request"
MINE = "/api/schedule/my-swap-requests"
FOR_ME = "/api/schedule/swap-requests"
CANDIDATES = "/api/schedule/swap-candidates"


def _answer(person: Somebody, request_id: str, word: str) -> Response:
    return person.post(f"{FOR_ME}/{request_id}/{word}")


def _refused(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["message"]


def _status(platform: Platform, firm: Firm, request_id: str) -> str:
    with platform.database.read(SYSTEM) as tx:
        return tx.get_one(HandOver, (firm.id, request_id)).status


def _hand_over_messages(platform: Platform, person: Somebody) -> list[tuple[str, dict[str, Any]]]:
    """Returns a person's messages about hand-overs."""
    return [(message.type, message.payload) for message in inbox(person) if message.type != "schedule"]


def _locked(platform: Platform, person: Somebody) -> None:
    with platform.database.write(SYSTEM) as tx:
        tx.get_one(User, (person.company_id, person.id)).is_locked = True


# -- who may not


def test_only_the_recipient_answers_and_only_the_requester_withdraws(world: World, firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    carla, stranger = world.user(firm.id, "carla"), world.firm("Andere").anna
    request_id = offer(firm.anna, firm.ben, DAY)
    for word in ("accept", "decline"):
        assert _answer(firm.anna, request_id, word).status_code == 403
        assert _answer(carla, request_id, word).status_code == 403
        assert _answer(stranger, request_id, word).status_code == 404
        assert _answer(firm.ben, UNKNOWN, word).status_code == 404
        assert _answer(firm.ben, "nonsense", word).status_code == 404
    for person, status in ((firm.ben, 403), (carla, 403), (stranger, 404)):
        assert person.delete(f"{FOR_ME}/{request_id}").status_code == status
    assert carla.get(FOR_ME).json() == carla.get(MINE).json() == firm.anna.get(FOR_ME).json() == []
    assert [row["id"] for row in firm.ben.get(FOR_ME).json()] == [request_id]


# -- asking


def test_whom_one_cannot_ask(world: World, firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    deleted = world.user(firm.id, "carla")
    assert firm.boss.delete(f"/api/users/{deleted.id}").status_code == 204
    other_firm = world.firm("Andere")
    wishes: list[tuple[dict[str, Any], int, str]] = [
        ({}, 422, "Bitte Kollegin/Kollegen auswählen."),
        ({"to": None}, 422, "Bitte Kollegin/Kollegen auswählen."),
        ({"to": " "}, 422, "Bitte Kollegin/Kollegen auswählen."),
        ({"to": firm.anna.id}, 422, "Der Dienst kann nicht an dich selbst übergeben werden."),
        ({"to": firm.ben.id, "from": firm.ben.id}, 422, "Du kannst nur deine eigenen Dienste übergeben."),
        ({"to": firm.ben.id, "from": "nonsense"}, 422, "Du kannst nur deine eigenen Dienste übergeben."),
        ({"to": firm.boss.id}, 422, "Dienste können nur an Mitarbeitende mit Rolle „user“ übergeben werden."),
        ({"to": UNKNOWN}, 404, "Nicht gefunden."),
        ({"to": "nonsense"}, 404, "Nicht gefunden."),
        ({"to": deleted.id}, 404, "Nicht gefunden."),
        ({"to": other_firm.ben.id}, 404, "Nicht gefunden."),
    ]
    for wish, status, sentence in wishes:
        assert _refused(firm.anna.post(ASK, json={"date": DAY, **wish})) == (status, sentence), wish
    for day in ("morgen", "", None, "2026-02-30", 20261201):
        assert firm.anna.post(ASK, json={"date": day, "to": firm.ben.id}).status_code == 422
    assert firm.anna.get(MINE).json() == []


def test_a_request_is_answered_whole_and_stands_in_both_lists(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY, start="08:00", end="16:30")
    assigned(firm, firm.anna, "2026-12-03")
    answer = firm.anna.post(ASK, json={"date": f"{DAY}T00:00:00.000Z", "from": firm.anna.id, "to": firm.ben.id})
    row = answer.json()
    assert (answer.status_code, row) == (
        201,
        {
            "id": row["id"],
            "date": DAY,
            "to": firm.ben.id,
            "toName": "ben",
            "createdAt": "2026-11-20T08:00:00.000Z",
        },
    )
    later = firm.anna.post(ASK, json={"date": "2026-12-03", "to": firm.ben.id}).json()
    assert firm.anna.get(MINE).json() == [row, later]
    offered = {"requesterName": "anna", "createdAt": "2026-11-20T08:00:00.000Z"}
    assert firm.ben.get(FOR_ME).json() == [
        {"id": row["id"], "date": DAY, "start": "08:00", "end": "16:30"} | offered,
        {"id": later["id"], "date": "2026-12-03", "start": None, "end": None} | offered,
    ]


def test_a_duty_must_be_there_and_not_be_over(firm: Firm, clock: SettableClock) -> None:
    assigned(firm, firm.ben, DAY)
    refused = firm.anna.post(ASK, json={"date": DAY, "to": firm.ben.id})
    assert _refused(refused) == (404, "An diesem Tag hast du keinen Dienst.")
    assigned(firm, firm.anna, "2026-11-19")
    assigned(firm, firm.anna, "2026-11-20")
    refused = firm.anna.post(ASK, json={"date": "2026-11-19", "to": firm.ben.id})
    assert _refused(refused) == (409, "Ein Dienst, der schon begonnen hat, kann nicht mehr übergeben werden.")
    today = offer(firm.anna, firm.ben, "2026-11-20")
    clock.set(datetime(2026, 11, 20, 23, 30, tzinfo=UTC))  # the 21st in Berlin
    ben = firm.world.again(firm.ben)
    assert ben.get(FOR_ME).json() == firm.world.again(firm.anna).get(MINE).json() == []
    assert _answer(ben, today, "accept").json()["code"] == "day_is_over"


@pytest.mark.parametrize(
    ("start", "end", "begins_at"),
    [
        ("09:30", "17:00", datetime(2026, 11, 20, 8, 30, tzinfo=UTC)),
        ("22:00", "06:00", datetime(2026, 11, 20, 21, 0, tzinfo=UTC)),
        (None, None, datetime(2026, 11, 20, 23, 0, tzinfo=UTC)),
    ],
)
def test_a_duty_that_has_begun_is_handed_over_no_more(
    world: World, platform: Platform, clock: SettableClock, start: str | None, end: str | None, begins_at: datetime
) -> None:
    """In the company's time; a duty without a time by its day."""
    firm, today = world.firm(), "2026-11-20"
    times = {"start": start, "end": end} if start and end else {}
    carla, dora = world.user(firm.id, "carla"), world.user(firm.id, "dora")
    duty = assigned(firm, firm.anna, today, **times)
    assigned(firm, carla, today, **times)
    waits = offer(firm.anna, firm.ben, today)

    def visible_counts() -> tuple[int, int, int, list[bool]]:
        """Returns the sizes of `anna`'s and `ben`'s lists, `ben`'s counter, and who could take `carla`'s duty."""
        with platform.database.read(SYSTEM) as tx:
            inbox_count = ports.INBOX_COUNTS.of(platform)(tx, firm.id, [firm.ben.id], clock.now())[firm.ben.id][0]
        own_requests, for_me = world.again(firm.anna).get(MINE).json(), world.again(firm.ben).get(FOR_ME).json()
        colleagues = world.again(carla).get(f"{CANDIDATES}?date={today}").json()
        return len(own_requests), len(for_me), inbox_count, [candidate["available"] for candidate in colleagues]

    clock.set(begins_at - timedelta(seconds=1))
    assert visible_counts() == (1, 1, 1, [False, True, True])
    clock.set(begins_at)
    assert visible_counts() == (0, 0, 0, [False, False, False])
    sentence = "Ein Dienst, der schon begonnen hat, kann nicht mehr übergeben werden."
    answer = world.again(carla).post(ASK, json={"date": today, "to": dora.id})
    assert _refused(answer) == _refused(_answer(world.again(firm.ben), waits, "accept")) == (409, sentence)
    assert holders(platform, firm.id)[firm.anna.id, today] == duty["id"]


def test_a_duty_is_offered_to_one_at_a_time(world: World, firm: Firm) -> None:
    carla = world.user(firm.id, "carla")
    assigned(firm, firm.anna, DAY)
    first = offer(firm.anna, firm.ben, DAY)
    refused = firm.anna.post(ASK, json={"date": DAY, "to": carla.id})
    assert _refused(refused) == (409, "Für diesen Dienst ist bereits eine Übergabe angefragt.")
    assert firm.anna.delete(f"{FOR_ME}/{first}").status_code == 204
    second = offer(firm.anna, carla, DAY)
    assert _answer(carla, second, "decline").status_code == 200
    offer(firm.anna, firm.ben, DAY)


@pytest.mark.parametrize("reason", ["duty", "vacation", "wish", "ill", "rest before", "rest after", "locked", "left"])
def test_who_is_not_available_is_so_without_a_reason(firm: Firm, platform: Platform, reason: str) -> None:
    assigned(firm, firm.anna, DAY, start="14:00", end="22:00")
    if reason == "duty":
        assigned(firm, firm.ben, DAY)
    elif reason == "rest before":
        assigned(firm, firm.ben, "2026-11-30", start="20:00", end="04:00")
    elif reason == "rest after":
        assigned(firm, firm.ben, "2026-12-02", start="08:59")
    elif reason == "locked":
        _locked(platform, firm.ben)
    elif reason == "left":
        employ(firm.ben, exitDate="2026-11-30")
    elif reason == "ill":
        falls_ill(firm.ben, date.fromisoformat(DAY), date.fromisoformat(DAY), noted=False)
    else:
        on_leave(firm.ben, "2026-11-30", "2026-12-02", kind=reason)
    refused = firm.anna.post(ASK, json={"date": DAY, "to": firm.ben.id})
    assert _refused(refused) == (409, "Die ausgewählte Person ist an diesem Tag nicht verfügbar.")
    assert "errors" not in refused.json()
    assert firm.anna.get(f"{CANDIDATES}?date={DAY}").json() == [
        {"id": firm.ben.id, "username": "ben", "available": False}
    ]


def test_candidates_are_the_other_employees_by_name(world: World, firm: Firm, platform: Platform) -> None:
    world.user(firm.id, "dora", "companyAdmin")
    carla = world.user(firm.id, "carla")
    assigned(firm, firm.anna, DAY)
    assigned(firm, carla, DAY)
    on_leave(firm.ben, DAY, DAY, status="pending")
    assert firm.anna.get(f"{CANDIDATES}?date={DAY}T12:00").json() == [
        {"id": firm.ben.id, "username": "ben", "available": True},
        {"id": carla.id, "username": "carla", "available": False},
    ]
    for query in ("", "?date=", "?date=morgen"):
        assert firm.anna.get(CANDIDATES + query).status_code == 422
    assert firm.anna.get(f"{CANDIDATES}?date=9999-12-31").status_code == 200


def test_who_has_no_duty_learns_nothing_of_colleagues(firm: Firm, platform: Platform) -> None:
    on_leave(firm.ben, DAY, DAY)
    add_duty(firm.anna, "2026-11-19")
    for day in (DAY, "2026-12-02", "2026-11-19"):
        answer = firm.anna.get(f"{CANDIDATES}?date={day}")
        assert answer.status_code == 200
        assert answer.json() == [{"id": firm.ben.id, "username": "ben", "available": False}]


def test_a_request_rings_at_the_recipient_without_a_message(firm: Firm, platform: Platform) -> None:
    sent: list[tuple[list[str], str]] = []
    platform.signals.on(MESSAGE_SENT, lambda _work, company_id, user_ids, type_: sent.append((list(user_ids), type_)))
    add_duty(firm.anna, DAY)
    offer(firm.anna, firm.ben, DAY)
    assert sent == [([firm.ben.id], "handoff")]
    assert inbox(firm.ben) == []


# -- answering


def test_accepting_moves_the_duty_and_tells_everybody_concerned(firm: Firm, platform: Platform) -> None:
    duty = assigned(firm, firm.anna, DAY, start="22:00", end="06:00")
    request_id = offer(firm.anna, firm.ben, DAY)
    accepted = _answer(firm.ben, request_id, "accept")
    assert (accepted.status_code, accepted.json()) == (
        200,
        {
            "id": request_id,
            "requesterName": "anna",
            "date": DAY,
            "createdAt": "2026-11-20T08:00:00.000Z",
            "start": "22:00",
            "end": "06:00",
            "status": "accepted",
        },
    )
    (row,) = firm.boss.get(path(firm)).json()
    assert (row["id"], row["username"], row["start"], row["end"]) == (duty["id"], "ben", "22:00", "06:00")
    payload = {"status": "accepted", "date": DAY}
    assert _hand_over_messages(platform, firm.anna) == [("handoff_response", payload)]
    assert _hand_over_messages(platform, firm.ben) == [("handoff", payload)]
    assert _hand_over_messages(platform, firm.boss) == [("handoff", payload)]
    assert firm.anna.get(MINE).json() == firm.ben.get(FOR_ME).json() == []
    with platform.database.read(SYSTEM) as tx:
        entries = select(AuditEntry.action).where(AuditEntry.action.startswith("handoff."))
        logged = tx.scalars(entries.order_by(AuditEntry.no)).all()
    assert logged == ["handoff.requested", "handoff.accepted"]


def test_declining_leaves_the_duty_and_tells_the_requester(firm: Firm, platform: Platform) -> None:
    duty = assigned(firm, firm.anna, DAY)
    request_id = offer(firm.anna, firm.ben, DAY)
    declined = _answer(firm.ben, request_id, "decline")
    assert (declined.status_code, declined.json()["status"]) == (200, "declined")
    assert holders(platform, firm.id) == {(firm.anna.id, DAY): duty["id"]}
    assert _hand_over_messages(platform, firm.anna) == [("handoff_response", {"status": "declined", "date": DAY})]
    assert _hand_over_messages(platform, firm.ben) == _hand_over_messages(platform, firm.boss) == []


@pytest.mark.parametrize("first", ["accept", "decline"])
def test_a_request_is_decided_once(firm: Firm, first: str) -> None:
    assigned(firm, firm.anna, DAY)
    request_id = offer(firm.anna, firm.ben, DAY)
    assert _answer(firm.ben, request_id, first).status_code == 200
    for word in ("accept", "decline"):
        repeated = _answer(firm.ben, request_id, word)
        assert (repeated.status_code, repeated.json()["code"], repeated.json()["decidedBy"]) == (
            409,
            "already_decided",
            "ben",
        )
    assert firm.anna.delete(f"{FOR_ME}/{request_id}").json()["decidedBy"] == "ben"


def test_what_was_withdrawn_is_not_decided(firm: Firm) -> None:
    assigned(firm, firm.anna, DAY)
    request_id = offer(firm.anna, firm.ben, DAY)
    assert firm.anna.delete(f"{FOR_ME}/{request_id}").status_code == 204
    for refused in (_answer(firm.ben, request_id, "accept"), firm.anna.delete(f"{FOR_ME}/{request_id}")):
        assert _refused(refused) == (409, "Diese Anfrage wurde zurückgezogen.")
    assert firm.ben.get(FOR_ME).json() == []


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("duty", "Mitarbeiter ist an dem Tag bereits eingeteilt."),
        ("leave", "Mitarbeiter ist an diesem Tag nicht verfügbar."),
        ("left", "Mitarbeiter ist an diesem Tag nicht verfügbar."),
        ("rest", "Die Ruhezeit zwischen zwei Diensten wäre zu kurz."),
        ("role", "Dafür fehlt die Berechtigung."),
    ],
)
def test_accepting_checks_everything_again(firm: Firm, platform: Platform, reason: str, sentence: str) -> None:
    assigned(firm, firm.anna, DAY, start="14:00", end="22:00")
    request_id = offer(firm.anna, firm.ben, DAY)
    if reason == "duty":
        add_duty(firm.ben, DAY)
    elif reason == "leave":
        on_leave(firm.ben, DAY, DAY, start_half=True)
    elif reason == "rest":
        add_duty(firm.ben, "2026-12-02", 6 * 60)
    elif reason == "left":
        was_employed(firm.ben, exit_date="2026-11-30")
    else:
        with platform.database.write(SYSTEM) as tx:
            tx.get_one(User, (firm.id, firm.ben.id)).role = "companyAdmin"
    refused = _answer(firm.ben, request_id, "accept")
    assert _refused(refused) == (403 if reason == "role" else 409, sentence)
    assert _status(platform, firm, request_id) == "pending"
    assert (firm.anna.id, DAY) in holders(platform, firm.id)


def test_who_was_locked_since_takes_nothing_over(firm: Firm, platform: Platform) -> None:
    duty = assigned(firm, firm.anna, DAY)
    request_id = offer(firm.anna, firm.ben, DAY)
    _locked(platform, firm.ben)
    with platform.database.read(SYSTEM) as tx:
        refusal = why_not(tx, firm.id, firm.ben.id, date.fromisoformat(DAY), None, None, moving=duty["id"])
    assert refusal is not None
    assert (refusal.status, refusal.message) == (409, "Mitarbeiter ist an diesem Tag nicht verfügbar.")
    assert _answer(firm.ben, request_id, "accept").status_code == 401
    assert holders(platform, firm.id) == {(firm.anna.id, DAY): duty["id"]}


@ON_BOTH
def test_a_colleague_with_half_a_day_off_takes_over_the_duties_of_the_other_half(firm: Firm) -> None:
    for day, start, available in ((DAY, "10:00", False), ("2026-12-08", "11:00", True)):
        assigned(firm, firm.anna, day, start=start, end="18:00")
        on_leave(firm.ben, day, day, end_half=True)
        assert [candidate["available"] for candidate in firm.anna.get(f"{CANDIDATES}?date={day}").json()] == [available]
    assert _answer(firm.ben, offer(firm.anna, firm.ben, "2026-12-08"), "accept").status_code == 200


def test_a_duty_beyond_the_law_is_handed_over_and_warns_the_administrator_alone(firm: Firm) -> None:
    employ(firm.ben, limits="maternity", validFrom="2026-01-01")
    on_leave(firm.ben, "2026-12-02", "2026-12-02")
    assigned(firm, firm.anna, DAY, start="16:00", end="06:00")
    accepted = _answer(firm.ben, offer(firm.anna, firm.ben, DAY), "accept")
    assert accepted.status_code == 200
    assert not {"maternity", "into_leave", "warnings"} & {*accepted.json(), *accepted.json().values()}
    warning_rows = firm.boss.get(f"/api/companies/{firm.id}/schedule/warnings?from={DAY}&to={DAY}").json()
    assert [(warning["code"], warning["userId"]) for warning in warning_rows] == [
        ("into_leave", firm.ben.id),
        ("maternity", firm.ben.id),
    ]


def test_a_short_rest_that_was_there_before_keeps_nobody_from_a_duty_on_another_day(firm: Firm) -> None:
    assigned(firm, firm.ben, "2026-12-03", start="14:00", end="22:00")
    assigned(firm, firm.ben, "2026-12-04", start="06:00")
    assigned(firm, firm.anna, DAY, start="06:00", end="14:00")
    assert _answer(firm.ben, offer(firm.anna, firm.ben, DAY), "accept").status_code == 200


@pytest.mark.parametrize("way", ["delete", "bulk", "anew"])
def test_a_request_is_void_when_its_duty_is_taken_away_and_both_are_told(
    firm: Firm, platform: Platform, way: str
) -> None:
    duty = assigned(firm, firm.anna, DAY)
    request_id = offer(firm.anna, firm.ben, DAY)
    if way == "delete":
        assert firm.boss.delete(f"{path(firm)}/{duty['id']}").status_code == 204
    else:
        add = [{"date": DAY, "userId": firm.anna.id, "start": "08:00"}] * (way == "anew")
        changes = {"add": add, "remove": [duty["id"]]}
        assert firm.boss.post(f"{path(firm)}/bulk", json=changes).status_code == 200
    payload = {"status": "void", "date": DAY}
    assert _hand_over_messages(platform, firm.anna) == [("handoff_response", payload)]
    assert _hand_over_messages(platform, firm.ben) == [("handoff", payload)]
    assert firm.ben.get(FOR_ME).json() == firm.anna.get(MINE).json() == []
    refused = _answer(firm.ben, request_id, "accept")
    assert _refused(refused) == (409, "Diese Anfrage ist hinfällig: Den Dienst gibt es so nicht mehr.")


def test_a_duty_that_was_taken_over_can_be_handed_on(world: World, firm: Firm, platform: Platform) -> None:
    carla = world.user(firm.id, "carla")
    duty = assigned(firm, firm.anna, DAY)
    assert _answer(firm.ben, offer(firm.anna, firm.ben, DAY), "accept").status_code == 200
    assert firm.anna.post(ASK, json={"date": DAY, "to": carla.id}).status_code == 404
    assert _answer(carla, offer(firm.ben, carla, DAY), "accept").status_code == 200
    assert holders(platform, firm.id) == {(carla.id, DAY): duty["id"]}
