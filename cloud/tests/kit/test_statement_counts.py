"""Calls read each fact once: how many statements the frequent ones take at most.

The bounds include the two statements that begin a transaction on SQLite; PostgreSQL begins it without a statement of
SQLAlchemy, but takes its locks by statements.
"""

from collections.abc import Callable

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.counting import sent_by, statements_of
from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.leaving import allow, asks, create_request
from cloud.tests.planning.rosters import path
from cloud.tests.world import Firm

FIRST, LAST = "2026-12-07", "2026-12-11"
DAYS = f"kind=vacation&startDate={FIRST}&endDate={LAST}"
PEOPLE = (
    "username;tagId;role;personnelNumber;department;entryDate;weeklyTargetMinutes\r\n"
    "Carla;04ABCDEF;user;00123;Büro;01.03.2026;2310\r\nDirk;04ABCDE0;companyAdmin;;;;\r\n"
)


@pytest.fixture(autouse=True)
def seen(firm: Firm) -> None:
    """Stores that the sessions were used: calls repeat that every five minutes only."""
    for person in (firm.boss, firm.anna):
        assert person.get("/api/messages").status_code == 200


def _count(platform: Platform, status: int, call: Callable[[], Response]) -> int:
    """Returns the number of statements of a call, whose answer has this status."""
    answers: list[Response] = []
    count = statements_of(platform, lambda: answers.append(call()))
    assert answers[0].status_code == status, answers[0].text
    return count


@ON_BOTH
def test_asking_for_leave_and_its_preview_take_at_most_18_statements_each(firm: Firm, platform: Platform) -> None:
    allow(firm, 30)
    preview = f"/api/vacation-requests/preview?{DAYS}"
    assert _count(platform, 200, lambda: firm.anna.get(preview)) <= 18
    assert _count(platform, 201, lambda: asks(firm.anna, FIRST, LAST)) <= 18
    assert _count(platform, 200, lambda: firm.boss.get(f"{preview}&userId={firm.anna.id}")) <= 18
    assert _count(platform, 201, lambda: asks(firm.boss, FIRST, LAST, userId=firm.ben.id)) <= 18


@ON_BOTH
def test_the_preview_of_a_request_that_waits_takes_at_most_18_statements(firm: Firm, platform: Platform) -> None:
    allow(firm, 30)
    waiting = create_request(firm.anna, FIRST, LAST)
    preview = f"/api/vacation-requests/preview?{DAYS}&userId={firm.anna.id}&insteadOf={waiting}"
    assert _count(platform, 200, lambda: firm.boss.get(preview)) <= 18


@ON_BOTH
def test_approving_leave_takes_at_most_18_statements(firm: Firm, platform: Platform) -> None:
    allow(firm, 30)
    approval = f"/api/vacation-requests/{create_request(firm.anna, FIRST, LAST)}/approve"
    assert _count(platform, 200, lambda: firm.boss.post(approval, json={})) <= 18


@ON_BOTH
def test_assigning_a_duty_takes_at_most_16_statements(firm: Firm, platform: Platform) -> None:
    duty = {"userId": firm.ben.id, "date": "2026-12-22", "start": "08:00", "end": "16:00"}
    assert _count(platform, 201, lambda: firm.boss.post(path(firm), json=duty)) <= 16


@ON_BOTH
def test_importing_the_same_people_again_takes_at_most_10_statements(firm: Firm, platform: Platform) -> None:
    def send() -> Response:
        return firm.boss.post(f"/api/companies/{firm.id}/users/import", files={"file": ("l.csv", PEOPLE.encode())})

    assert send().status_code == 201
    assert _count(platform, 422, send) <= 10


@ON_BOTH
@pytest.mark.parametrize("writes", [False, True])
def test_the_session_and_the_modules_of_its_company_come_in_one_query(
    firm: Firm, platform: Platform, writes: bool
) -> None:
    duty = {"userId": firm.ben.id, "date": "2026-12-22"}
    if writes:
        sent = sent_by(platform, lambda: firm.boss.post(path(firm), json=duty))
    else:
        sent = sent_by(platform, lambda: firm.boss.get(f"/api/companies/{firm.id}/vacation-policy"))
    about_sessions = [text for text in sent if isinstance(text, str) and "FROM web_sessions" in text]
    about_modules = [text for text in sent if isinstance(text, str) and "company_features" in text]
    assert about_sessions == about_modules
    assert len(about_sessions) == 1 + writes  # a write checks them again before the commit
