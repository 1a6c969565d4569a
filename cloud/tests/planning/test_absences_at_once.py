"""Two at once: an absence is reported once, decided once, and has one note, whoever comes at the same moment."""

import itertools

import pytest
from httpx2 import Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files.tables import CompanyKey, FileContent
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.absences.decisions import rounds
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.meeting import all_at_once
from cloud.tests.planning.illness import company_absences, decide, hand_in, missed, note, own_absences, report, reported
from cloud.tests.planning.plain_files import jpeg, pdf, png
from cloud.tests.planning.test_absences import THURSDAY
from cloud.tests.waiting import one_after_the_other
from cloud.tests.world import Firm


def statuses(answers: list[Response]) -> list[int]:
    return [answer.status_code for answer in answers]


def count(platform: Platform, table: type) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(table)) or 0


def test_of_two_reports_of_overlapping_days_one_is_made(platform: Platform, firm: Firm) -> None:
    answers = all_at_once(
        platform,
        lambda: report(firm.anna, "2026-11-20", "2026-11-22"),
        lambda: report(firm.boss, "2026-11-22", "2026-11-24", userId=firm.anna.id),
    )
    assert sorted(statuses(answers)) == [201, 409]
    created = next(answer for answer in answers if answer.status_code == 201)
    assert own_absences(firm.anna) == created.json()


def test_two_reports_of_two_people_are_both_made(platform: Platform, firm: Firm) -> None:
    answers = all_at_once(platform, lambda: report(firm.anna), lambda: report(firm.ben))
    assert statuses(answers) == [201, 201]
    assert len(company_absences(firm)) == 2


def test_of_two_who_decide_about_overlapping_days_at_once_one_does(platform: Platform, firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-20", "2026-11-22")
    answers = all_at_once(
        platform,
        lambda: decide(firm.boss, first["id"], "decline", days=[second["id"]]),
        lambda: decide(firm.boss, third["id"], "excuse", days=[second["id"]]),
    )
    day_statuses = [row["status"] for row in own_absences(firm.anna)]
    assert (statuses(answers), day_statuses) in (
        ([200, 409], ["declined", "declined", "open"]),
        ([409, 200], ["open", "excused", "excused"]),
    )


def test_a_day_and_its_report_decided_at_once_are_decided_once_each(platform: Platform, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    answers = all_at_once(
        platform,
        lambda: decide(firm.boss, first["id"], "decline"),
        lambda: decide(firm.boss, second["id"], "excuse", wholeReport=True),
    )
    # The report is decided without the day, or with it.
    day_statuses = [row["status"] for row in own_absences(firm.anna)]
    assert (statuses(answers), day_statuses) in (
        ([200, 200], ["declined", "excused"]),
        ([409, 200], ["excused", "excused"]),
    )


def test_of_two_notes_at_once_one_stays_and_the_other_is_no_longer_kept(platform: Platform, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    answers = all_at_once(
        platform,
        lambda: hand_in(firm.anna, first["id"], png()),
        lambda: hand_in(firm.anna, second["id"], pdf()),
        lambda: hand_in(firm.anna, first["id"], jpeg()),
    )
    assert statuses(answers) == [200] * 3
    assert (count(platform, FileContent), count(platform, CompanyKey)) == (1, 1)
    assert note(firm.anna, first["id"]).content == note(firm.boss, second["id"]).content


def test_first_notes_of_two_people_make_one_key(platform: Platform, firm: Firm) -> None:
    (annas,), (bens,) = reported(firm.anna), reported(firm.ben)
    answers = all_at_once(platform, lambda: hand_in(firm.anna, annas["id"]), lambda: hand_in(firm.ben, bens["id"]))
    assert statuses(answers) == [200, 200]
    assert (count(platform, FileContent), count(platform, CompanyKey)) == (2, 1)
    assert statuses([note(firm.anna, annas["id"]), note(firm.ben, bens["id"])]) == [200, 200]


def test_a_note_and_a_decision_at_once_both_count(platform: Platform, firm: Firm) -> None:
    """A late note is a note as well."""
    (absence,) = reported(firm.anna)
    answers = all_at_once(
        platform,
        lambda: hand_in(firm.anna, absence["id"]),
        lambda: decide(firm.boss, absence["id"], "decline"),
    )
    assert statuses(answers) == [200, 200]
    (row,) = own_absences(firm.anna)
    assert (row["status"], row["sickNotePath"] is None) == ("declined", False)


def test_a_message_and_a_decision_at_once(platform: Platform, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}/message"
    answered, decided = all_at_once(
        platform,
        lambda: firm.anna.post(path, json={"message": "Bitte warten."}),
        lambda: decide(firm.boss, absence["id"], "excuse"),
    )
    assert decided.status_code == 200
    assert answered.status_code in {200, 409}
    assert (own_absences(firm.anna)[0]["userMessage"] is None) is (answered.status_code == 409)


def test_a_report_and_the_finding_of_a_missing_day_make_one_row(platform: Platform, firm: Firm) -> None:
    answers = all_at_once(platform, lambda: report(firm.anna, "2026-11-19"), lambda: missed(firm, firm.anna, THURSDAY))
    assert isinstance(answers[0], Response)
    assert answers[0].status_code == 201
    assert [row["kind"] for row in own_absences(firm.anna)] == ["sick"]


def test_what_is_gone_while_it_is_decided_is_decided_or_gone(platform: Platform, firm: Firm) -> None:
    (absence_id,) = missed(firm, firm.anna, THURSDAY)
    decide_it = itertools.count()
    answers = all_at_once(
        platform,
        lambda: decide(firm.boss, absence_id, "excuse") if next(decide_it) == 0 else None,
        lambda: rounds.remove_gone(platform),
    )
    assert answers[0] is not None
    assert answers[0].status_code == 200
    assert count(platform, Absence) == 1


class TestInTheWorstOrder:
    """Each has looked, and waits for the plan, when the one before decides."""

    @pytest.fixture
    def database_url(self, postgres_url: str) -> str:
        return postgres_url

    def test_the_second_decision_is_refused(self, platform: Platform, firm: Firm) -> None:
        (absence,) = reported(firm.anna)

        def plan(tx: Session) -> None:
            locks.take(tx, Lock.PLAN, firm.id)

        answers = one_after_the_other(
            platform,
            plan,
            lambda: decide(firm.boss, absence["id"], "excuse"),
            lambda: decide(firm.boss, absence["id"], "decline"),
            lambda: report(firm.anna),
            lambda: hand_in(firm.anna, absence["id"]),
        )
        assert statuses(answers) == [200, 409, 409, 200]
