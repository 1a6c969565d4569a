"""The true time: the clock's best knowledge of it, and that it never goes back without a reason."""

import ctypes
import errno
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.clock import Quality, SystemClock
from stempelwerk_edge.machine.trusted_time import Anchor, Reading, TrustedTime, estimate, sufficient
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal, connect_sqlite

from edge.tests.clockwork import MORNING, TestClock, TestIds, TestLog, draft

THE_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2040, 1, 1, tzinfo=UTC)


def test_a_clock_that_starts_in_1970_does_not_go_below_what_it_has_seen() -> None:
    clock = TestClock(THE_BEGINNING, Quality.NONE)
    time = TrustedTime(clock)
    time.recall([], MORNING)
    assert time.reading().wall == MORNING
    clock.advance(minutes=5)
    reading = time.reading()
    assert (reading.wall, reading.quality) == (MORNING + timedelta(minutes=5), Quality.NONE)


def test_a_clock_set_back_by_hand_goes_on_from_where_it_was() -> None:
    clock = TestClock(MORNING, Quality.MANUAL)
    time = TrustedTime(clock)
    time.reading()
    clock.set_wall(MORNING - timedelta(hours=3))
    clock.advance(minutes=1)
    assert time.reading().wall == MORNING + timedelta(minutes=1)


def test_small_steps_back_of_a_time_service_are_smoothed_and_keep_their_quality() -> None:
    clock = TestClock()
    time = TrustedTime(clock)
    first = time.reading()
    clock.set_wall(MORNING - timedelta(milliseconds=300))
    second = time.reading()
    assert (second.wall, second.quality) == (first.wall, Quality.NTP)


def test_a_time_service_that_steps_back_a_minute_is_waited_for() -> None:
    clock = TestClock(quality=Quality.RTC)
    time = TrustedTime(clock)
    time.reading()
    clock.set_wall(MORNING - timedelta(minutes=1), Quality.NTP)
    for second in (0, 30, 59):
        reading = time.reading()
        assert (reading.wall, reading.quality) == (MORNING, Quality.NONE if second < 58 else Quality.NTP)
        clock.advance(seconds=30 if second == 0 else 29)
    clock.advance(seconds=10)
    assert (time.reading().wall, time.reading().quality) == (clock.wall(), Quality.NTP)


@pytest.mark.parametrize(("behind_s", "shown_s"), [(300, 0), (301, -301)])
def test_a_time_service_is_waited_for_five_minutes_and_believed_beyond(behind_s: int, shown_s: int) -> None:
    clock = TestClock(quality=Quality.RTC)
    time = TrustedTime(clock)
    time.reading()
    clock.set_wall(MORNING - timedelta(seconds=behind_s), Quality.NTP)
    assert time.reading().wall == MORNING + timedelta(seconds=shown_s)


def test_a_time_service_may_correct_a_time_that_was_never_right() -> None:
    clock = TestClock(FAR_AHEAD, Quality.NONE)
    time = TrustedTime(clock)
    time.reading()
    clock.set_wall(MORNING, Quality.NTP)
    assert time.reading().wall == MORNING


def test_a_contact_corrects_the_highest_time_seen_both_ways() -> None:
    clock = TestClock(FAR_AHEAD, Quality.RTC)
    time = TrustedTime(clock)
    time.reading()
    time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms())
    clock.set_wall(THE_BEGINNING, Quality.NONE)
    assert time.reading().wall == MORNING
    clock.advance(hours=1)
    time.contact(MORNING + timedelta(hours=2), clock.boottime_ms(), clock.boottime_ms())
    assert time.reading().wall == MORNING + timedelta(hours=2)


def test_after_a_contact_the_display_shows_the_true_time_whatever_the_machine_thinks() -> None:
    clock = TestClock(THE_BEGINNING, Quality.NONE)
    time = TrustedTime(clock)
    assert not time.trusted
    time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms() + 40)
    clock.advance(seconds=30)
    assert time.trusted
    assert abs(time.now() - (MORNING + timedelta(seconds=30))) <= timedelta(milliseconds=40)


def test_anchors_of_another_boot_do_not_count() -> None:
    clock = TestClock(THE_BEGINNING, Quality.NONE)
    time = TrustedTime(clock)
    time.recall([Anchor("another boot", 10_000, MORNING, 1)], None)
    assert not time.anchored
    assert not time.trusted


def test_certificates_dates_are_checked_only_by_a_time_that_something_vouches_for() -> None:
    for wall, quality in ((THE_BEGINNING, Quality.NONE), (FAR_AHEAD, Quality.RTC), (MORNING, Quality.RTC)):
        assert not TrustedTime(TestClock(wall, quality)).may_check_dates()
    assert TrustedTime(TestClock(MORNING, Quality.NTP)).may_check_dates()


def test_a_machine_in_2040_does_not_check_dates_though_a_contact_told_the_true_time() -> None:
    for wall, quality in ((FAR_AHEAD, Quality.RTC), (FAR_AHEAD, Quality.NTP), (THE_BEGINNING, Quality.NONE)):
        clock = TestClock(wall, quality)
        time = TrustedTime(clock)
        time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms())
        assert not time.may_check_dates()
    clock = TestClock(MORNING, Quality.RTC)
    time = TrustedTime(clock)
    time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms())
    assert time.may_check_dates()


def test_many_contacts_are_thinned_and_the_best_stay() -> None:
    clock = TestClock()
    time = TrustedTime(clock)
    for _ in range(1000):
        clock.advance(seconds=30)
        time.contact(clock.wall(), clock.boottime_ms() - 20, clock.boottime_ms())
    best_estimate = time.estimate_for(time.reading())
    assert best_estimate.certain
    assert best_estimate.error_ms is not None
    assert best_estimate.error_ms <= 11


anchors = st.builds(
    Anchor,
    st.sampled_from(["a", "b"]),
    st.integers(0, 10**9),
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - zoned by Hypothesis
    st.integers(0, 60_000),
)
readings = st.builds(
    Reading, st.just(MORNING), st.sampled_from(["a", "b", "c"]), st.integers(0, 10**9), st.sampled_from(Quality)
)


@given(st.lists(anchors, max_size=12), st.lists(readings, min_size=1, max_size=12))
def test_the_anchors_sent_with_a_batch_give_each_stamp_the_same_time_as_all_would(
    known: list[Anchor], of: list[Reading]
) -> None:
    sent = sufficient(of, known)
    assert set(sent) <= set(known)
    for reading in of:
        assert estimate(reading, sent) == estimate(reading, known)


@given(st.lists(anchors, max_size=8), readings)
def test_the_order_of_anchors_does_not_matter(known: list[Anchor], reading: Reading) -> None:
    assert estimate(reading, known) == estimate(reading, known[::-1])


@given(
    st.lists(
        st.tuples(st.integers(0, 86_400), st.integers(-7200, 7200), st.sampled_from([Quality.NONE, Quality.MANUAL])),
        max_size=12,
    )
)
def test_without_a_witness_the_wall_time_never_goes_back(steps: list[tuple[int, int, Quality]]) -> None:
    clock = TestClock(MORNING, Quality.NONE)
    time = TrustedTime(clock)
    last = time.reading().wall
    for passed, jump, quality in steps:
        clock.advance(seconds=passed)
        clock.set_wall(clock.wall() + timedelta(seconds=jump), quality)
        wall = time.reading().wall
        assert wall >= last
        last = wall


def test_the_machines_own_clock_reads_sensibly() -> None:
    clock = SystemClock()
    assert clock.wall().tzinfo is not None
    assert clock.wall().microsecond % 1000 == 0
    assert clock.boottime_ms() > 0
    assert len(clock.boot_id) == 36
    assert clock.quality() in set(Quality)


def kernel(status: int, state: int = 0, refusal: int = 0) -> Callable[[Any], int]:
    """A kernel that answers adjtimex(2) so."""

    def adjtimex(argument: Any) -> int:
        argument._obj.status = status
        ctypes.set_errno(refusal)
        return -1 if refusal else state

    return adjtimex


@pytest.mark.parametrize("refusal", [errno.EPERM, errno.ENOSYS])
def test_a_kernel_that_refuses_to_tell_is_not_taken_for_one_without_a_time_service(
    tmp_path: Path, refusal: int
) -> None:
    clock = SystemClock(tmp_path, kernel(0, refusal=refusal))
    assert (clock.quality(), clock.untold()) == (Quality.NONE, os.strerror(refusal))
    (tmp_path / "hctosys").write_text("1\n")
    assert SystemClock(tmp_path, kernel(0, refusal=refusal)).quality() is Quality.RTC


@pytest.mark.parametrize(
    ("status", "state", "quality"),
    [(0x40, 5, Quality.NONE), (0x40, 0, Quality.NONE), (0, 5, Quality.NONE), (0x2001, 0, Quality.NTP)],
)
def test_a_kernel_that_tells_is_believed(tmp_path: Path, status: int, state: int, quality: Quality) -> None:
    clock = SystemClock(tmp_path, kernel(status, state))
    assert (clock.quality(), clock.untold()) == (quality, None)


# ---- a start in a year that cannot be


OUT_OF_RANGE = [FAR_AHEAD, datetime(2038, 1, 19, 3, 14, 7, tzinfo=UTC), datetime(2165, 3, 1, tzinfo=UTC)]


class Card:
    """A clock's journal over many starts of its machine, each without a network until a contact."""

    def __init__(self, directory: Path) -> None:
        self._directory, self._ids = directory, TestIds()
        self.true_time, self._boots = MORNING, 0
        self.raw: list[tuple[str, datetime]] = []

    def start(self, says: datetime, quality: Quality) -> None:
        """The machine starts with this time."""
        self._boots += 1
        self.clock = TestClock(says, quality, self._boots)
        self.journal = Journal(self._directory, self._ids, TestLog(), connect_sqlite, 65_536)
        self.journal.open()
        self.state = ClockState(self.journal)
        self.time = TrustedTime(self.clock)
        anchors = self.state.anchors({self.clock.boot_id})
        self.time.recall(anchors, self.state.highest_time(), self.state.trusted_time())

    def pass_time(self, hours: int) -> None:
        self.true_time += timedelta(hours=hours)
        self.clock.advance(hours=hours)

    def tap(self) -> Reading:
        reading, identifier = self.time.reading(), self._ids.new()
        self.journal.append(replace(draft(identifier), reading=reading))
        self.raw.append((identifier, reading.wall))
        return reading

    def contact(self) -> None:
        """An answer of the cloud with the true time."""
        boottime_ms = self.clock.boottime_ms()
        self.state.store_anchor(self.time.contact(self.true_time, boottime_ms, boottime_ms), self.time.highest)

    def keep_house(self) -> None:
        self.time.reading()
        self.time.store_lowered(self.state.store_highest)

    def stop(self) -> None:
        self.journal.close()

    def stamps(self) -> list[tuple[str, datetime]]:
        return [(row.draft.id, row.draft.reading.wall) for row in self.state.recent(10_000)]


@pytest.mark.parametrize("quality", [Quality.NONE, Quality.RTC, Quality.MANUAL])
@pytest.mark.parametrize("year", OUT_OF_RANGE)
def test_a_start_in_an_impossible_year_leaves_later_offline_starts_alone(
    tmp_path: Path, year: datetime, quality: Quality
) -> None:
    card = Card(tmp_path)
    card.start(year, quality)
    odd = card.tap()
    assert (odd.wall, odd.quality) == (year, Quality.NONE)
    assert not card.time.trusted
    card.stop()
    card.start(MORNING, Quality.RTC)
    assert (card.tap().wall, card.tap().quality) == (MORNING, Quality.RTC)
    card.stop()
    card.start(THE_BEGINNING, Quality.NONE)
    assert card.tap().wall == MORNING
    assert card.stamps()[0][1] == year
    card.stop()


def test_a_time_service_lowers_the_highest_time_over_the_next_start(tmp_path: Path) -> None:
    card = Card(tmp_path)
    card.start(MORNING + timedelta(days=400), Quality.MANUAL)
    card.tap()
    card.clock.set_wall(MORNING, Quality.NTP)
    card.keep_house()
    card.stop()
    card.start(MORNING + timedelta(hours=1), Quality.RTC)
    assert card.tap().quality is Quality.RTC
    card.stop()


def test_a_stamp_by_a_time_service_lowers_the_highest_time_by_itself(tmp_path: Path) -> None:
    card = Card(tmp_path)
    card.start(MORNING + timedelta(days=400), Quality.MANUAL)
    card.tap()
    card.clock.set_wall(MORNING, Quality.NTP)
    card.tap()
    card.stop()  # nothing else was kept
    card.start(THE_BEGINNING, Quality.NONE)
    assert card.tap().wall == MORNING
    card.stop()


def test_a_lowered_highest_time_is_kept_although_the_disk_refuses_it_first() -> None:
    clock = TestClock(MORNING + timedelta(days=400), Quality.MANUAL)
    time, kept_times = TrustedTime(clock), list[datetime]()
    time.reading()
    time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms())

    def refuse(_: datetime) -> None:
        raise JournalError("full")

    with pytest.raises(JournalError):
        time.store_lowered(refuse)
    for _ in range(2):
        time.store_lowered(kept_times.append)
    assert kept_times == [MORNING]


steps = st.one_of(
    st.tuples(st.just("start"), st.sampled_from([*OUT_OF_RANGE, THE_BEGINNING, None]), st.sampled_from(Quality)),
    st.tuples(st.just("jump"), st.sampled_from([*OUT_OF_RANGE, None]), st.sampled_from([Quality.NONE, Quality.RTC])),
    st.tuples(st.just("pass"), st.integers(1, 500), st.none()),
    st.tuples(st.sampled_from(["tap", "contact", "keep_house"]), st.none(), st.none()),
)


IN_2040 = ("start", OUT_OF_RANGE[0], Quality.RTC)
TAP, CONTACT, KEEP_HOUSE = (("tap", None, None), ("contact", None, None), ("keep_house", None, None))


@given(st.lists(steps, max_size=14))
@example([IN_2040, CONTACT, TAP, CONTACT, KEEP_HOUSE])  # the contact refutes 2040, and the next reading has it again
def test_after_any_starts_contacts_and_jumps_an_offline_start_at_the_true_time_is_believed(
    story: list[tuple[str, Any, Any]],
) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        card = Card(Path(folder))
        card.start(MORNING, Quality.RTC)
        for step, value, quality in story:
            if step == "start":
                card.stop()
                # A time service is assumed to be right.
                card.start(card.true_time if quality is Quality.NTP else value or card.true_time, quality)
            elif step == "jump":
                card.clock.set_wall(value or card.true_time, quality)
            elif step == "pass":
                card.pass_time(value)
            else:
                getattr(card, step)()
        card.stop()
        card.start(THE_BEGINNING, Quality.NONE)
        assert card.tap().wall <= card.true_time
        card.stop()
        card.start(card.true_time, Quality.RTC)
        reading = card.tap()
        assert (reading.wall, reading.quality) == (card.true_time, Quality.RTC)
        assert card.stamps() == card.raw
        card.stop()
