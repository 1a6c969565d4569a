"""Alarms of clocks: what is one, how long it takes, and that there is one and one all-clear, whatever comes when."""

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.alarms import (
    KINDS,
    NETWORK,
    RULES,
    ClockState,
    Key,
    Kind,
    Watch,
    causes,
    certificate_ends,
    notify_at,
    stamps_few,
    step,
    version_withdrawn,
)
from stempelwerk_cloud.domain.instants import DAY, HOUR, MINUTE

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
WELL = ClockState(NOW, disk_free_mb=4000)


class Watched:
    """A company as the jobs see it; `said`: the notifications of each cause, in order."""

    def __init__(self, clocks: int) -> None:
        self.clocks = dict.fromkeys(range(1, clocks + 1), WELL)
        self.watches: dict[Key, Watch] = {}
        self.said: dict[Key, list[str]] = defaultdict(list)
        self.now = NOW

    @property
    def raised(self) -> set[Key]:
        return {key for key, watch in self.watches.items() if watch.raised}

    def come_round(self, now: datetime | None = None) -> None:
        round_at = now or self.now
        shown_causes = causes(self.clocks, self.raised, round_at)
        for key in shown_causes | self.watches.keys():
            watch_before = self.watches.pop(key, None)
            watch_after = step(key[1], watch_before, key in shown_causes, round_at)
            if watch_after is not None and watch_after.raised and (watch_before is None or not watch_before.raised):
                self.said[key].append("alarm")
            if watch_after is not None and watch_after.until is not None:
                self.said[key].append("clear")
            elif watch_after is not None:
                self.watches[key] = watch_after

    def wait(self, minutes: int, *beating: int) -> None:
        """Passes some minutes with a round in each, and with heartbeats of these clocks."""
        for _ in range(minutes):
            self.now += MINUTE
            for no in beating:
                self.beat(no)
            self.come_round()

    def beat(self, no: int, **state_fields: object) -> None:
        self.clocks[no] = replace(self.clocks[no], seen_at=self.now, **state_fields)  # type: ignore[arg-type]


def test_a_clock_heard_by_a_server_whose_clock_was_years_ahead_is_silent_until_it_is_heard_again() -> None:
    firm = Watched(2)
    firm.clocks[1] = replace(WELL, seen_at=NOW + 1500 * DAY)
    firm.wait(10, 2)
    assert firm.said[1, "silent"] == ["alarm"]
    firm.wait(10, 1, 2)
    assert firm.said[1, "silent"] == ["alarm", "clear"]


def test_a_reader_alarms_once_it_worked_and_until_it_works_again_however_long_that_takes() -> None:
    firm = Watched(2)
    for had_reader in (True, False):  # what is known of its past is forgotten after 30 days
        firm.clocks[1] = replace(firm.clocks[1], reader="absent", had_reader=had_reader)
        firm.clocks[2] = replace(firm.clocks[2], reader="absent")
        firm.wait(10, 1, 2)
    assert firm.said == {(1, "reader"): ["alarm"]}
    firm.wait(20, 2)
    firm.beat(1, reader="ok")
    firm.wait(10, 1, 2)
    assert firm.said[1, "reader"] == ["alarm", "clear"]


STATES: dict[Kind, tuple[dict[str, object], dict[str, object]]] = {
    "few_stamps": ({"few": True}, {"few": False}),
    "gap": ({"gap": True}, {"gap": False}),
    "queue": ({"queued_for": 3 * HOUR}, {"queued_for": MINUTE}),
    "disk": ({"disk_free_mb": 100}, {"disk_free_mb": 4000}),
    "reader": ({"reader": "fault"}, {"reader": "ok"}),
    "storage": ({"storage": "failed"}, {"storage": "ok"}),
    "clocktime": ({"quality": "none"}, {"quality": "ntp"}),
    "fork": ({"is_forked": True}, {"is_forked": False}),
    "conflict": ({"has_conflict": True}, {"has_conflict": False}),
    "update": ({"update_failed": True}, {"update_failed": False}),
    "version": ({"is_outdated": True}, {"is_outdated": False}),
}


@pytest.mark.parametrize("kind", RULES)
def test_a_state_is_an_alarm_after_its_time_and_not_before_and_ends_with_the_state(kind: Kind) -> None:
    firm, (bad, good) = Watched(2), STATES[kind]
    firm.beat(1, **bad)
    minutes = RULES[kind].held_for // MINUTE
    firm.wait(minutes, 1, 2)
    assert firm.said == {}
    firm.wait(2, 1, 2)
    assert firm.said == {(1, kind): ["alarm"]}
    firm.beat(1, **good)
    firm.wait(7, 1, 2)
    assert firm.said == {(1, kind): ["alarm", "clear"]}


@pytest.mark.parametrize("kind", [kind for kind, rule in RULES.items() if rule.valid_for is not None])
def test_what_a_silent_clock_said_last_goes_on_and_does_not_begin(kind: Kind) -> None:
    firm, (bad, good) = Watched(3), STATES[kind]
    firm.beat(1, **bad)
    firm.wait(RULES[kind].held_for // MINUTE + 2, 1, 2, 3)
    valid_for = RULES[kind].valid_for
    assert valid_for is not None
    firm.wait(valid_for // MINUTE, 3)
    firm.clocks[2] = replace(firm.clocks[2], **bad)  # type: ignore[arg-type]
    firm.wait(RULES[kind].held_for // MINUTE + 2, 3)
    assert firm.said[1, kind] == ["alarm"]
    assert (2, kind) not in firm.said
    firm.beat(1, **good)
    firm.wait(7, 1, 3)
    assert firm.said[1, kind] == ["alarm", "clear"]


def test_what_the_service_knows_of_a_silent_clock_begins_and_ends() -> None:
    firm = Watched(2)
    firm.wait(20, 2)
    for kind in ("fork", "conflict"):
        bad, good = STATES[kind]
        firm.clocks[1] = replace(firm.clocks[1], **bad)  # type: ignore[arg-type]
        firm.wait(7, 2)
        assert firm.said[1, kind] == ["alarm"]
        firm.clocks[1] = replace(firm.clocks[1], **good)  # type: ignore[arg-type]
        firm.wait(7, 2)
        assert firm.said[1, kind] == ["alarm", "clear"]


def test_stamps_that_wait_for_their_time_keep_the_alarm_and_release_it_also_of_a_silent_clock() -> None:
    firm = Watched(2)
    firm.beat(1, quality="ntp", time_held_for=timedelta())
    firm.wait(62, 1, 2)
    assert firm.said == {(1, "clocktime"): ["alarm"]}
    firm.beat(1, time_held_for=3 * DAY)
    firm.wait(20, 1, 2)
    firm.wait(20, 2)
    assert firm.said[1, "clocktime"] == ["alarm"]
    firm.clocks[1] = replace(firm.clocks[1], time_held_for=None)
    firm.wait(7, 2)
    assert firm.said[1, "clocktime"] == ["alarm", "clear"]


def test_stamps_that_have_waited_for_a_day_begin_no_alarm() -> None:
    firm = Watched(1)
    firm.beat(1, time_held_for=DAY)
    firm.wait(90, 1)
    assert firm.said == {}


def test_a_silent_clock_that_did_not_know_its_time_keeps_its_alarm_when_the_stamps_are_decided() -> None:
    firm = Watched(2)
    firm.beat(1, quality="none", time_held_for=timedelta())
    firm.wait(62, 1, 2)
    firm.clocks[1] = replace(firm.clocks[1], time_held_for=None)
    firm.wait(20, 2)
    assert firm.said[1, "clocktime"] == ["alarm"]


def test_an_old_version_does_not_begin_to_be_an_alarm_while_its_update_failed_and_goes_on_meanwhile() -> None:
    firm = Watched(2)
    firm.beat(1, is_outdated=True)
    firm.beat(2, is_outdated=True, update_failed=True)
    firm.wait(8 * 24 * 60 + 2, 1, 2)
    assert firm.said == {(1, "version"): ["alarm"], (2, "update"): ["alarm"]}
    firm.beat(1, update_failed=True)
    firm.wait(20, 1, 2)
    assert firm.said[1, "version"] == ["alarm"]


def test_a_failed_update_that_is_downloaded_again_stays_one_alarm_and_a_first_download_is_none() -> None:
    firm = Watched(2)
    firm.beat(1, update_failed=True)
    firm.beat(2, is_retrying=True)
    firm.wait(62, 1, 2)
    for _ in range(3):
        firm.beat(1, update_failed=False, is_retrying=True)
        firm.wait(15, 1, 2)
        firm.beat(1, update_failed=True, is_retrying=False)
        firm.wait(15, 1, 2)
    assert firm.said == {(1, "update"): ["alarm"]}


def test_a_withdrawn_version_begins_no_alarm_by_clocks_that_are_off_for_days_and_ends_with_the_last_clock() -> None:
    clock = replace(WELL, is_stranded=True)
    assert version_withdrawn([WELL, clock], NOW, is_raised=False) is True
    assert version_withdrawn([WELL, clock], NOW + 3 * DAY, is_raised=False) is False
    assert version_withdrawn([WELL, clock], NOW + 3 * DAY, is_raised=True) is True
    assert version_withdrawn([WELL], NOW, is_raised=True) is False


def test_a_clock_that_is_off_each_night_has_had_its_old_version_for_too_long_all_the_same() -> None:
    firm = Watched(2)
    firm.beat(1, is_outdated=True)
    for _ in range(9):
        firm.wait(10 * 60, 1, 2)
        firm.wait(14 * 60, 2)
    assert firm.said[1, "version"] == ["alarm"]


def test_a_damaged_journal_that_was_set_aside_is_an_alarm_until_it_is_taken_away() -> None:
    firm = Watched(1)
    firm.beat(1, storage="replaced")
    firm.wait(3 * 24 * 60, 1)
    assert firm.said == {(1, "storage"): ["alarm"]}


def test_what_an_older_clock_does_not_say_is_no_alarm() -> None:
    firm = Watched(1)
    firm.beat(1, storage=None, quality="", certificate=None, reader=None, disk_free_mb=None)
    firm.wait(9 * 24 * 60, 1)
    assert firm.said == {}


@pytest.mark.parametrize(
    ("days_left", "days", "is_ending"),
    [
        (14, 90, False),
        (13, 90, True),
        (0, 90, True),
        (8, 47, False),
        (7, 47, True),
        (1, 6, False),
        (0, 6, True),
        (0, 5, False),
        (0, 1, False),
        (13, 3650, True),
        (0, 0, False),
    ],
)
def test_a_certificate_ends_soon_by_its_days_and_by_its_lifetime(days_left: int, days: int, is_ending: bool) -> None:
    good_clocks = [replace(WELL, certificate=(80, 90)), WELL]
    all_clocks = [replace(WELL, certificate=(days_left, days)), *good_clocks]
    assert certificate_ends(all_clocks, NOW, is_raised=False) is is_ending
    assert certificate_ends(good_clocks, NOW, is_raised=True) is False


def test_a_certificate_that_all_clocks_refuse_goes_on_to_be_an_alarm() -> None:
    all_clocks = [replace(WELL, certificate=(0, 90)), replace(WELL, certificate=(80, 90))]
    assert certificate_ends(all_clocks, NOW + HOUR, is_raised=True) is True
    assert certificate_ends(all_clocks, NOW + HOUR, is_raised=False) is False


def test_a_clock_that_is_silent_for_a_moment_is_no_alarm() -> None:
    firm = Watched(1)
    firm.wait(14)
    firm.wait(30, 1)
    assert firm.said == {}


def test_a_clock_that_flickers_is_one_alarm_and_one_all_clear() -> None:
    firm = Watched(1)
    firm.wait(16)
    for _ in range(5):
        firm.wait(3, 1)
        firm.wait(12)
    firm.wait(20, 1)
    assert firm.said == {(1, "silent"): ["alarm", "clear"]}


def test_a_network_that_is_gone_is_one_alarm_of_the_company() -> None:
    firm = Watched(3)
    firm.wait(2, 3)
    firm.wait(60)
    assert firm.said == {(NETWORK, "network"): ["alarm"]}
    firm.wait(60, 1, 2)
    assert firm.said == {(NETWORK, "network"): ["alarm", "clear"], (3, "silent"): ["alarm"]}


def test_a_network_that_is_gone_is_not_back_because_a_clock_is_taken_away() -> None:
    firm = Watched(2)
    firm.wait(30)
    del firm.clocks[2]
    firm.wait(30)
    assert firm.said == {(NETWORK, "network"): ["alarm"]}
    firm.wait(10, 1)
    assert firm.said == {(NETWORK, "network"): ["alarm", "clear"]}


def test_one_that_was_known_to_be_silent_makes_no_network_of_the_other() -> None:
    firm = Watched(2)
    firm.wait(30, 2)
    firm.wait(30)
    assert firm.said == {(1, "silent"): ["alarm"], (2, "silent"): ["alarm"]}


def test_what_a_silent_clock_said_last_goes_on_and_begins_nothing() -> None:
    firm = Watched(1)
    firm.beat(1, disk_free_mb=10)
    firm.wait(6, 1)
    firm.beat(1, queued_for=2 * HOUR)
    firm.wait(2, 1)
    firm.wait(60)
    assert firm.said == {(1, "disk"): ["alarm"], (1, "silent"): ["alarm"]}


@pytest.mark.parametrize(
    ("kind", "raising", "milder", "calm"),
    [
        ("queue", {"queued_for": 3 * HOUR}, {"queued_for": HOUR}, {"queued_for": timedelta()}),
        ("disk", {"disk_free_mb": 199}, {"disk_free_mb": 299}, {"disk_free_mb": 300}),
        ("few_stamps", {"few": True, "queued_for": timedelta()}, {"queued_for": MINUTE}, {"few": False}),
    ],
)
def test_what_a_clock_says_begins_an_alarm_and_takes_more_to_end_it(
    kind: str, raising: dict[str, object], milder: dict[str, object], calm: dict[str, object]
) -> None:
    firm = Watched(1)
    for words, reported in ((milder, []), (raising, ["alarm"]), (milder, ["alarm"]), (calm, ["alarm", "clear"])):
        firm.beat(1, **words)
        firm.wait(10, 1)
        assert [
            word for (_, cause_kind), words in firm.said.items() if cause_kind == kind for word in words
        ] == reported


def test_a_gap_is_an_alarm_after_a_day_and_over_once_it_is_closed() -> None:
    firm = Watched(1)
    firm.beat(1, gap=True)
    firm.come_round()
    for passed, reported in ((DAY - MINUTE, []), (MINUTE, ["alarm"])):
        firm.now += passed
        firm.beat(1)
        firm.come_round()
        assert firm.said[1, "gap"] == reported
    firm.beat(1, gap=False)
    firm.wait(6, 1)
    assert firm.said[1, "gap"] == ["alarm", "clear"]


ACTS = st.one_of(
    st.tuples(st.just("beat"), st.integers(1, 3), st.sampled_from([{}, {"disk_free_mb": 50}, {"disk_free_mb": 900}])),
    st.tuples(st.just("says"), st.integers(1, 3), st.sampled_from([{"queued_for": n * HOUR} for n in (0, 1, 4)])),
    st.tuples(st.just("gap"), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("wait"), st.integers(1, 30), st.none()),
    st.tuples(st.just("jump"), st.integers(1, 40), st.none()),
    st.tuples(st.just("late round"), st.integers(1, 3), st.none()),
)


@given(st.lists(ACTS, max_size=40))
def test_in_any_order_of_beats_and_rounds_each_alarm_has_one_all_clear(acts: list[tuple[str, int, object]]) -> None:
    firm = Watched(3)
    for word, number, state_fields in acts:
        if word in ("beat", "says"):
            firm.beat(number, **state_fields)  # type: ignore[arg-type]
        elif word == "gap":
            firm.clocks[number] = replace(firm.clocks[number], gap=bool(state_fields))
        elif word == "wait":
            firm.wait(number)
        elif word == "jump":
            firm.now += timedelta(hours=number)
            firm.come_round()
        else:  # a process with a slow clock
            firm.come_round(firm.now - number * MINUTE)

        for reports in firm.said.values():
            assert reports == (["alarm", "clear"] * len(reports))[: len(reports)]
    for no in firm.clocks:
        firm.beat(no, queued_for=timedelta(), disk_free_mb=900, gap=False)
    firm.wait(15, 1, 2, 3)
    assert firm.raised == set()
    assert all(reports.count("alarm") == reports.count("clear") for reports in firm.said.values())
    assert {kind for _, kind in firm.said} <= set(KINDS)


FRIDAY = date(2026, 11, 20)
TODAY = FRIDAY + DAY
USUAL = {FRIDAY - week * 7 * DAY: 20 for week in range(1, 9)}
LONG_AGO = FRIDAY - 100 * DAY


@pytest.mark.parametrize(
    ("stamps", "closed", "installed_on", "few"),
    [
        (USUAL | {FRIDAY: 3}, (), LONG_AGO, True),
        (USUAL, (), LONG_AGO, True),
        (USUAL | {FRIDAY: 4}, (), LONG_AGO, False),
        (USUAL, [FRIDAY], LONG_AGO, False),
        (dict.fromkeys(USUAL, 9), (), LONG_AGO, False),
        (USUAL, (), FRIDAY - 36 * DAY, True),
        (USUAL, (), FRIDAY - 35 * DAY, False),
        (USUAL, [FRIDAY - week * 7 * DAY for week in range(1, 5)], LONG_AGO, False),
    ],
)
def test_few_stamps_are_few_beside_the_same_weekdays_before(
    stamps: dict[date, int], closed: list[date], installed_on: date, few: bool
) -> None:
    assert stamps_few(stamps, closed, installed_on, TODAY) is few
    assert stamps_few(stamps, closed, installed_on, TODAY + 2 * DAY) is few, "the days since say nothing"
    assert not stamps_few(stamps | {TODAY: 0}, closed, installed_on, FRIDAY)


@given(st.integers(0, 365 * 1440), st.integers(0, 1439), st.integers(0, 1439))
def test_nothing_is_told_in_quiet_hours_and_nothing_waits_outside_of_them(
    passed: int, quiet_start: int, quiet_end: int
) -> None:
    now = NOW + passed * MINUTE
    due = notify_at(now, (quiet_start, quiet_end), BERLIN)
    assert now <= due <= now + (quiet_end - quiet_start) % 1440 * MINUTE + HOUR  # a clock change may lie between
    local = due.astimezone(BERLIN)
    assert due == now or (local.hour * 60 + local.minute - quiet_end) % 1440 in (0, 60)
    assert notify_at(now, None, BERLIN) == now


@pytest.mark.parametrize(("hour", "due"), [(20, 20), (21, 29), (23, 29), (28, 29), (29, 29)])
def test_quiet_hours_over_midnight_end_in_the_morning(hour: int, due: int) -> None:
    midnight = datetime(2026, 11, 20, tzinfo=UTC)
    assert notify_at(midnight + hour * HOUR, (22 * 60, 6 * 60), BERLIN) == midnight + due * HOUR
