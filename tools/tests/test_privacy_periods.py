"""The privacy statement promises exactly the periods of the programs."""

import json
import re
from datetime import timedelta
from math import prod
from pathlib import Path

import pytest
from stempelwerk_cloud.app import JOBS, KEEPS
from stempelwerk_cloud.domain import retention
from stempelwerk_cloud.office.monthly_mail.mails import sending as monthly_mail
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.credentials import service as credentials
from stempelwerk_cloud.planning.absences.decisions.rounds import SICK_NOTE_MONTHS
from stempelwerk_cloud.planning.calendar import service as calendar
from stempelwerk_edge.storage import clock_state

WEB = Path(__file__).resolve().parents[2] / "web/src"
PERIODS = json.loads((WEB / "app/public/legal/periods.json").read_text("utf-8"))
UNITS = {"minutes", "hours", "days", "months", "years"}


def in_page(file: str, name: str) -> timedelta:
    """Reads a duration from a page's code, which gives it as a product of numbers, in milliseconds."""
    (product,) = re.findall(rf"^const {name} = ([\d_ *]+)$", (WEB / file).read_text("utf-8"), re.MULTILINE)
    return timedelta(milliseconds=prod(int(factor) for factor in product.split("*")))


ENFORCED: dict[str, list[timedelta | int]] = {
    "session": [in_page("api/endedSessions.ts", "LIFE_MS")],
    "wrongCodes": [throttle.CODE_PAIR.window, throttle.CODE_ACCOUNT.window],
    "resetPassword": [credentials.RESET_LIFE],
    "keptAnswers": [in_page("patterns/sending.ts", "KEYS_LIVE_MS")],
    "clockStamps": [clock_state.RETENTION],
    "calendarBefore": [calendar.MONTHS_BEFORE],
    "calendarAfter": [calendar.MONTHS_AFTER],
    "sickNotes": [SICK_NOTE_MONTHS.default],
    "undecidedSickNotes": [retention.UNDECIDED_SICK_NOTES_MONTHS],
    "mailedFiles": [monthly_mail.FILE_KEPT],
}
"""The periods in the code; numbers are months. The rooms' rules for their tables (`RetentionRule`) are added below."""

for keep in KEEPS:
    if keep.period is not None:
        ENFORCED.setdefault(keep.period.name, []).append(keep.granted or keep.life)


def promised(name: str) -> timedelta | int:
    """Returns the period of the statement. Years include their leap days."""
    ((unit, number),) = [(unit, PERIODS[name][unit]) for unit in UNITS & PERIODS[name].keys()]
    if unit == "months":
        return int(number)
    return timedelta(days=366 * number) if unit == "years" else timedelta(**{unit: number})


@pytest.mark.parametrize("name", ENFORCED)
def test_a_period_is_the_one_that_the_code_keeps_to(name: str) -> None:
    assert {promised(name)} == set(ENFORCED[name])


def test_each_unconditional_promise_is_enforced_by_the_code() -> None:
    unreserved = {name for name, period in PERIODS.items() if period.get("enforced", True) and not period.get("least")}
    assert unreserved == ENFORCED.keys()


def test_sick_notes_are_removed_by_the_work_that_comes_round() -> None:
    assert "remove_old_sick_notes" in {job.name for job in JOBS}
