"""Real clocks before a running cloud: every beat answered, nothing lost, and the operator's list shows the truth."""

import asyncio
import math
import random
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_tools.fleet import command, course, rollout
from stempelwerk_tools.fleet.clocks import FleetClock, Traffic
from stempelwerk_tools.fleet.course import Summary, Wish, wait_until_back
from stempelwerk_tools.fleet.days import day_of
from stempelwerk_tools.fleet.page import Page, Since
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
def test_lost_unanswered_or_wrongly_shown_messages_fail_the_run(wrong: dict[str, Any]) -> None:
    plain = {"clocks": 1, "traffic": Traffic(), "page": Page(), "missing": 0}
    assert Summary(**plain).good
    assert not Summary(**{**plain, **wrong}).good


@pytest.mark.parametrize(
    ("age_s", "online", "last_seen", "wrong"),
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
    age_s: float, online: bool, last_seen: datetime | None, wrong: bool
) -> None:
    """The clock's last beat is `age_s` old; the list took a fifth of a second."""
    page = Page()
    page.compare("one", online, last_seen and last_seen.isoformat(), BEAT, Since(age_s, age_s, age_s), 0.2)
    assert bool(page.wrong) == wrong


@pytest.mark.parametrize(
    ("timing", "online"),
    [
        pytest.param(Since(110.0, 110.0, 70.0), True, id="a beat whose answer was lost may have been heard"),
        pytest.param(Since(91.0, 85.0, 85.0), False, id="a beat that was answered late counts from when it was heard"),
        pytest.param(Since(110.0, 110.0, -1.0), True, id="a beat came while the list was on its way"),
    ],
)
def test_a_beat_on_its_way_is_not_judged(timing: Since, online: bool) -> None:
    page = Page()
    page.compare("one", online, BEAT.isoformat(), BEAT, timing, 0.2)
    assert (page.claims, page.wrong) == (0, [])


def test_a_clock_that_returns_during_a_slow_list_may_be_shown_either_way(tmp_path: Path) -> None:
    clock = FleetClock(0, tmp_path, "http://fleet.test", Traffic(), 0)
    clock.beat_at, clock.beat_s, clock.beaten_s, clock.unheard_s = BEAT, *[time.monotonic() - 100] * 3

    def answer(_request: httpx.Request) -> httpx.Response:
        clock.unheard_s = math.inf
        return httpx.Response(200, json=[{"serial": clock.serial, "isOnline": True, "lastSeen": BEAT.isoformat()}])

    async def look() -> Page:
        page = Page()
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://fleet.test") as office:
            await page.look(office, [clock])
        return page

    page = asyncio.run(look())
    assert (page.looks, page.claims, page.wrong) == (1, 0, [])


def test_two_who_cut_one_line_keep_it_cut_until_both_are_done(tmp_path: Path) -> None:
    clock = FleetClock(0, tmp_path, "http://fleet.test", Traffic(), 0)
    with clock.cut_off():
        with clock.cut_off():
            assert clock.cut
        assert clock.cut
    assert not clock.cut
    assert clock.whole_s > 0


def test_after_a_restart_a_clock_is_waited_for_from_when_its_line_is_whole(tmp_path: Path) -> None:
    """Lines go on being cut, for longer than the limit for an answer."""
    near, far = (FleetClock(number, tmp_path, "http://fleet.test", Traffic(), 0) for number in range(2))
    failures: list[str] = []

    async def back() -> float | None:
        near.whole_s, far.cuts = 0.0, 1
        waiting = asyncio.create_task(wait_until_back([near, far], failures))
        await asyncio.sleep(0)
        near.beaten_s = time.monotonic()
        far.cuts, far.whole_s = 0, time.monotonic() + 300
        await asyncio.sleep(0)
        far.beaten_s = far.whole_s + 20
        return await waiting

    took_s = asyncio.run(back())
    assert failures == []
    assert took_s == pytest.approx(20)


def test_a_clock_without_an_answer_over_a_whole_line_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "BACK_LIMIT_S", 0.0)
    clock = FleetClock(0, tmp_path, "http://fleet.test", Traffic(), 0)
    failures: list[str] = []
    assert asyncio.run(wait_until_back([clock], failures)) is None
    assert failures == [f"{clock.serial} got no answer for 0 s after the restart"]


def test_a_days_taps_lie_within_it_and_are_of_those_who_are_there() -> None:
    taps = day_of(20, 3, 60.0, random.Random(1))
    assert taps == sorted(taps)
    assert taps[0].at_s >= 0
    assert taps[-1].at_s <= 62
    assert {tap.clock for tap in taps} == set(range(20))
    assert 150 < len(taps) < 300


@pytest.mark.proof("programs")
def test_thirty_clocks_for_some_seconds_lose_nothing_and_every_beat_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    summary = command.run_fleet(Wish(clocks=30, people=2, run_s=6.0, day_s=6.0, seed=1, outages=True))
    summary.page.wrong.clear()  # speed is checked only on an idle machine (`make prove`)
    assert summary.good, summary.lines()
    assert summary.traffic.beats >= 30
    assert summary.traffic.outcomes["stored"] == summary.saved > 0


@pytest.mark.proof("programs")
def test_a_cloud_that_starts_anew_answers_every_clock_that_waits_and_lacks_no_stamp(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    summary = command.run_fleet(Wish(clocks=20, people=2, run_s=8.0, day_s=8.0, seed=3, outages=False, restart=True))
    summary.page.wrong.clear()
    assert summary.good, summary.lines()
    assert summary.back_s is not None
    assert summary.traffic.outcomes["stored"] == summary.saved > 0


@pytest.mark.proof("programs")
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
    planned_release = Release("2.0.0", losing, clocks, people=8 if clocks == 1000 else 5, seed=5)
    outcome = command.release(planned_release)
    assert command.is_as_required(planned_release, outcome), outcome.line()
    assert outcome.updated > 0


def test_a_release_tells_how_far_it_is_and_if_it_is_not_through_in_its_minutes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", in_memory())
    monkeypatch.setattr(rollout, "throttled", lambda report: report)
    small = ["--clocks", "3", "--people", "1", "--release", "2.0.0"]
    assert command.main([*small, "--minutes", "0"]) == 1
    assert capsys.readouterr().out == "rollout: not at its end after 0 minutes\n"
    assert command.main(small) == 0
    progress = capsys.readouterr().err
    for step in ("0 of 3 clocks are furnished", "1 of 3 clocks have beaten in the night", "2 of 6 usual days are over"):
        assert step in progress


@pytest.mark.parametrize("conflicting", [["--restart"], ["--postgres"], ["--url", "http://127.0.0.1:9"]])
def test_a_release_goes_through_a_cloud_of_its_own(conflicting: list[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--release", "2.0.0", *conflicting])


@pytest.mark.prove
@pytest.mark.parametrize("postgres", [False, True])
def test_a_thousand_clocks_that_wait_for_a_cloud_are_all_answered_within_a_beat_and_a_half(postgres: bool) -> None:
    wish = Wish(clocks=1000, people=3, run_s=120, day_s=120, seed=4, outages=False, restart=True)
    summary = command.run_fleet(wish, postgres=postgres)
    assert summary.good, summary.lines()
    assert summary.back_s is not None
    assert summary.back_s < 45


@pytest.mark.prove
@pytest.mark.parametrize("postgres", [False, True])
def test_a_thousand_clocks_for_half_an_hour_and_the_service_grows_no_larger(postgres: bool) -> None:
    """An hour with both databases."""
    wish = Wish(clocks=1000, people=3, run_s=HOUR_S / 2, day_s=HOUR_S / 4, seed=2, outages=True)
    summary = command.run_fleet(wish, postgres=postgres)
    assert summary.good, summary.lines()
    assert summary.traffic.beats > 45_000
    first, _, last = summary.memory_mib
    assert last < first * 1.15 + 10
