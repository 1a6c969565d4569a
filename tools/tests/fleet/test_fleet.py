"""Real clocks before a running cloud: every beat answered, nothing lost, and the operator's list says what is so."""

import random
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from stempelwerk_tools.fleet import command
from stempelwerk_tools.fleet.clocks import Traffic
from stempelwerk_tools.fleet.course import Summary, Wish
from stempelwerk_tools.fleet.days import day_of
from stempelwerk_tools.fleet.page import Page
from stempelwerk_tools.fleet.rollout import Release
from stempelwerk_tools.postgres import in_memory

BEAT = datetime(2026, 11, 20, 7, tzinfo=UTC)

HOUR_S = 3600.0


def test_a_cloud_that_runs_wants_its_operators_session(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FLEET_TOKEN", raising=False)
    assert command.main(["--url", "http://127.0.0.1:9"]) == 2
    assert "FLEET_TOKEN" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        {"undelivered": 1},
        {"missing": 1},
        {"failures": ["an agent has ended"]},
        {"page": Page(wrong=["late"])},
        {"traffic": Traffic(unanswered=Counter({"503": 1}))},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_whatever_is_lost_unanswered_or_shown_wrongly_is_bad(wrong: dict[str, Any]) -> None:
    plain = {"clocks": 1, "traffic": Traffic(), "page": Page(), "missing": 0}
    assert Summary(**plain).good
    assert not Summary(**{**plain, **wrong}).good


@pytest.mark.parametrize(
    ("age_s", "online", "seen", "wrong"),
    [
        (1.0, False, None, False),
        (2.5, True, BEAT, False),
        (2.5, True, BEAT - timedelta(seconds=30), True),
        (2.5, False, BEAT, True),
        (2.5, True, None, True),
        (89.9, False, BEAT, False),
        (91.0, True, BEAT, False),
        (93.0, True, BEAT, True),
        (93.0, False, BEAT, False),
    ],
)
def test_a_list_that_is_late_or_keeps_a_clock_too_long_is_told(
    age_s: float, online: bool, seen: datetime | None, wrong: bool
) -> None:
    """The clock's last beat was so long ago; the list took a fifth of a second."""
    page = Page()
    page.compare("one", online, seen and seen.isoformat(), age_s, BEAT, 0.2)
    assert bool(page.wrong) == wrong


def test_a_days_taps_lie_within_it_and_are_of_those_who_are_there() -> None:
    taps = day_of(20, 3, 60.0, random.Random(1))
    assert taps == sorted(taps)
    assert taps[0].at_s >= 0
    assert taps[-1].at_s <= 62
    assert {tap.clock for tap in taps} == set(range(20))
    assert 150 < len(taps) < 300


def test_thirty_clocks_for_some_seconds_lose_nothing_and_every_beat_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    summary = command.fly(Wish(clocks=30, people=2, run_s=6.0, day_s=6.0, seed=1, outages=True))
    summary.page.wrong.clear()  # how soon is asked where nobody else wants the machine (`make prove`)
    assert summary.good, summary.lines()
    assert summary.traffic.beats >= 30
    assert summary.traffic.outcomes["stored"] == summary.saved > 0


def test_a_cloud_that_starts_anew_answers_every_clock_that_waits_and_lacks_no_stamp(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    summary = command.fly(Wish(clocks=20, people=2, run_s=8.0, day_s=8.0, seed=3, outages=False, restart=True))
    summary.page.wrong.clear()
    assert summary.good, summary.lines()
    assert summary.back_s is not None
    assert summary.traffic.outcomes["stored"] == summary.saved > 0


@pytest.mark.parametrize(
    ("losing", "clocks"),
    [
        (0.0, 20),
        (0.8, 40),
        pytest.param(0.0, 1000, marks=pytest.mark.prove),
        pytest.param(0.03, 1000, marks=pytest.mark.prove),
    ],
)
def test_a_release_that_loses_taps_is_stopped_before_it_reaches_everybody_and_a_sound_one_is_not(
    losing: float, clocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    wanted = Release("2.0.0", losing, clocks, people=8 if clocks == 1000 else 5, seed=5)
    came = command.release(wanted)
    assert command.as_it_must(wanted, came), came.line()
    assert came.updated > 0


@pytest.mark.prove
@pytest.mark.parametrize("postgres", [False, True])
def test_a_thousand_clocks_that_wait_for_a_cloud_are_all_answered_within_a_beat_and_a_half(postgres: bool) -> None:
    wish = Wish(clocks=1000, people=3, run_s=120, day_s=120, seed=4, outages=False, restart=True)
    summary = command.fly(wish, postgres=postgres)
    assert summary.good, summary.lines()
    assert summary.back_s is not None
    assert summary.back_s < 45


@pytest.mark.prove
@pytest.mark.parametrize("postgres", [False, True])
def test_a_thousand_clocks_for_half_an_hour_and_the_service_grows_no_larger(postgres: bool) -> None:
    """An hour with both databases."""
    wish = Wish(clocks=1000, people=3, run_s=HOUR_S / 2, day_s=HOUR_S / 4, seed=2, outages=True)
    summary = command.fly(wish, postgres=postgres)
    assert summary.good, summary.lines()
    assert summary.traffic.beats > 45_000
    first, _, last = summary.memory_mib
    assert last < first * 1.15 + 10
