"""A joinery of any size: people are distinguishable, and their stamps, illnesses and duties fit their employment."""

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stempelwerk_edge.tap.tags import from_reader
from stempelwerk_tools.demo import command, company, plans, story
from stempelwerk_tools.demo.crew import LEAST_MONTHS, MOST_MONTHS, MOST_PEOPLE, Crew, crew
from stempelwerk_tools.demo.layout import Layout
from stempelwerk_tools.demo.people import MAILS, PEOPLE, STRANGER, ZONE, Pattern

from .test_story import DAYS, NOVEMBER

SIZES = st.builds(crew, st.integers(len(PEOPLE), 30), st.integers(LEAST_MONTHS, 6))
YEARS = st.builds(crew, st.integers(len(PEOPLE), 70), st.integers(LEAST_MONTHS, MOST_MONTHS))
NIGHT = {f"id of {person.name}" for person in crew(MOST_PEOPLE).people if person.pattern is Pattern.NIGHT}
"""Night workers do not forget to stamp."""


def local(moment: datetime) -> date:
    return moment.astimezone(ZoneInfo(ZONE)).date()


def test_without_a_word_it_is_the_twelve_for_three_months() -> None:
    assert crew() == Crew() == Crew(PEOPLE, 3)
    assert Crew().mails == MAILS


def test_people_of_the_largest_joinery_have_unique_names_tags_and_addresses() -> None:
    people = crew(MOST_PEOPLE).people
    assert len(people) == MOST_PEOPLE
    assert len({person.name.casefold() for person in people}) == MOST_PEOPLE
    assert len({person.tag for person in people} | {STRANGER}) == MOST_PEOPLE + 1
    for person in people:
        assert from_reader(bytes.fromhex(person.tag)) == person.tag
    mails = crew(MOST_PEOPLE).mails
    assert len(set(mails.values())) == len(mails) > 50
    assert all(mail.isascii() and " " not in mail for mail in mails.values())


def test_a_larger_one_has_everybody_of_a_smaller_one() -> None:
    people = crew(300).people
    for count in (12, 13, 40, 299):
        assert crew(count).people == people[:count]


def test_forty_people_include_later_entries_exits_illnesses_and_all_departments() -> None:
    people = crew(40).people
    assert any(person.came_percent for person in people)
    assert any(person.left_percent < 100 for person in people)
    assert sum(person.ill > 0 for person in people) > 10
    assert {person.pattern for person in people} == set(Pattern)
    assert len({person.department for person in people}) == 6
    names = {person.name for person in crew(60).people}
    assert any(name.removesuffix(" jun.") in names - {name} for name in names)
    assert crew(40).asking
    assert len(crew(200).administrators) == 5
    assert not {*crew(200).asking} & {*crew(200).administrators}


@given(DAYS, SIZES)
@settings(max_examples=8, deadline=None)
def test_people_stamp_only_while_they_are_employed_and_present(now: datetime, size: Crew) -> None:
    taps = story.taps(now, size)
    assert [tap.tapped_at for tap in taps] == sorted(tap.tapped_at for tap in taps)
    assert story.start_of_history(now, size.months) < taps[0].tapped_at
    assert taps[-1].tapped_at <= now
    assert {tap.tag for tap in taps} == {person.tag for person in size.people}
    tap_days = {}  # a night's end belongs to the day before
    for person in size.people:
        person_taps = [tap for tap in taps if tap.tag == person.tag]
        tap_days[person.tag] = [
            local(tap.tapped_at - timedelta(hours=12 * (person.pattern is Pattern.NIGHT))) for tap in person_taps
        ]
    for person in size.people[len(PEOPLE) :]:
        entry, exit_date = story.employment_of(person, now, size.months)
        away = story.absences_of(person, now, size.months)
        for day in tap_days[person.tag]:
            assert day >= entry or person.pattern is Pattern.NIGHT  # the change of clocks may lie before
            assert exit_date is None or day <= exit_date
            assert day not in away or person.pattern is Pattern.NIGHT


@given(DAYS, YEARS)
@settings(max_examples=15, deadline=None)
def test_illnesses_are_over_while_somebody_is_employed_and_never_two_at_once(now: datetime, size: Crew) -> None:
    for person in size.people:
        entry, exit_date = story.employment_of(person, now, size.months)
        spans = [
            (start, start + timedelta(days=days - 1)) for start, days in story.illnesses_of(person, now, size.months)
        ]
        assert all(earlier[1] < later[0] for earlier, later in pairwise(spans))
        for start, end in spans:
            assert entry <= start <= end <= (exit_date or story.today_of(now))


@given(DAYS, SIZES)
@settings(max_examples=10, deadline=None)
def test_leave_lies_in_the_past_and_duties_only_where_somebody_works(now: datetime, size: Crew) -> None:
    for person in size.people:
        leaves = story.leaves_of(person, now, size.months)
        assert max(leaves) + timedelta(days=story.LEAVE_DAYS) <= story.today_of(now)
        assert all(later - earlier >= timedelta(days=story.LEAVE_DAYS) for earlier, later in pairwise(leaves))
    for person, day in plans.duties(now, size):
        entry, exit_date = story.employment_of(person, now, size.months)
        assert entry <= day <= (exit_date or day)
        assert day not in story.absences_of(person, now, size.months)


class _Service:
    """Records all calls, and answers like a service whose people forgot one evening each."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str, Any]] = []

    def as_person(self, name: str) -> "_As":
        return _As(self, name)


class _As:
    def __init__(self, service: _Service, name: str) -> None:
        self.service, self.name = service, name

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        self.service.calls.append((self.name, method, path, body))
        if method == "GET":
            entry = {
                "date": "2026-01-05",
                "start": "07:00",
                "end": None,
                "flags": [] if path.split("/")[3] in NIGHT else ["missing_out"],
            }
            return [{"id": "forgotten", **entry}, {"id": "whole", **entry, "end": "16:00", "flags": []}]
        return [{"id": "made"}] if path == "/api/absences" else {"id": "made"}

    def upload(self, path: str, name: str, content: bytes) -> Any:
        self.service.calls.append((self.name, "POST", path, name))


@given(DAYS, SIZES)
@settings(max_examples=10, deadline=None)
def test_calls_to_the_service_are_of_its_people_in_order_and_within_its_limits(now: datetime, size: Crew) -> None:
    service = _Service()
    ids = {person.name: f"id of {person.name}" for person in size.people}
    plans.make(service.as_person("Ingrid Holm"), service.as_person, "firm", ids, now, size)
    today = story.today_of(now)
    for _, _, path, body in service.calls:
        if path == "/api/absences":
            assert (today - date.fromisoformat(body["startDate"])).days < 366
        if "/times?" in path:
            first, last = (date.fromisoformat(part[-10:]) for part in path.split("?")[1].split("&"))
            assert 0 <= (last - first).days < 400
        if path.endswith("/schedule/bulk"):
            assert len(body["add"]) <= 1000
        if path == "/api/time-corrections":
            assert body["newStart"] < body["newEnd"]
    askers = Counter(name for name, _, path, body in service.calls if path == "/api/vacation-requests" and name in ids)
    assert {person.name for person in size.asking} <= set(askers)
    corrections = ["userId" in body for _, _, path, body in service.calls if path == "/api/time-corrections"]
    # corrections by the administrator, then requests; the last is Jan's
    assert corrections[:-1] == sorted(corrections[:-1], reverse=True)
    locked = [path.split("/")[-2] for _, method, path, _ in service.calls if path.endswith("/lock")]
    assert locked == sorted(set(locked))
    assert len(locked) == (1 if size.months <= 3 else size.months - 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--people", "11"], "--people: '11' geht nicht, nur 12 bis 1000. Hilfe: stempelwerk demo --help\n"),
        (["--people", "1001"], "--people: '1001' geht nicht, nur 12 bis 1000. Hilfe: stempelwerk demo --help\n"),
        (["--people", "²00"], "--people: '²00' geht nicht, nur 12 bis 1000. Hilfe: stempelwerk demo --help\n"),
        (["--months", "1"], "--months: '1' geht nicht, nur 2 bis 12. Hilfe: stempelwerk demo --help\n"),
        (["--months", ""], "--months: '' geht nicht, nur 2 bis 12. Hilfe: stempelwerk demo --help\n"),
    ],
)
def test_a_size_that_cannot_be_is_refused_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err == message


def test_a_demo_that_is_there_keeps_its_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layout = Layout(tmp_path)
    layout.clock_data.mkdir()
    layout.database.parent.mkdir()
    layout.database.touch()
    company.write(layout, {"people": [{}] * 40, "months": 6})
    for arguments in (["--people", "41"], ["--months", "3"], ["--people", "40", "--months", "5"]):
        assert command.main([*arguments, "--dir", str(tmp_path)]) == 1
        refusal = "Hier gibt es schon eine Demo mit 40 Leuten und 6 Monaten."
        assert capsys.readouterr().err == f"{refusal} Für eine andere einen anderen Ordner nennen: --dir var/andere\n"
    facts = company.read(layout)
    assert command._crew(facts, None, None) == command._crew(facts, 40, 6) == crew(40, 6)
    assert command._crew({"people": [{}] * 12}, None, None) == Crew()


def test_each_person_has_four_leaves_in_a_year() -> None:
    size = crew(14, MOST_MONTHS)
    assert story.first_day(NOVEMBER, MOST_MONTHS) == date(2025, 11, 1)
    assert all(len(story.leaves_of(person, NOVEMBER, MOST_MONTHS)) == 4 for person in size.people)


def test_a_call_is_repeated_after_a_429() -> None:
    answers = [httpx.Response(429, headers={"retry-after": "0"}), httpx.Response(201, json={"id": "made"})]
    with httpx.Client(transport=httpx.MockTransport(lambda _: answers.pop(0)), base_url="http://demo") as client:
        assert company._ask(client, "POST", "/api/users", json={}) == {"id": "made"}
        answers.append(httpx.Response(409, text="besetzt"))
        with pytest.raises(company.NotMade, match="POST /api/users: 409 besetzt"):
            company._ask(client, "POST", "/api/users", json={})


def test_administrators_take_turns() -> None:
    service = _Service()
    together = company._RoundRobin([service.as_person(name) for name in ("Ingrid", "Birgit")])  # type: ignore[arg-type]
    for _ in range(3):
        together.call("PUT", "/x")
    assert [name for name, *_ in service.calls] == ["Ingrid", "Birgit", "Ingrid"]
