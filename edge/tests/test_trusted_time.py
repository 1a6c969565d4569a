"""What time it is, as far as a clock can know, and that it never goes back without a reason."""

import ctypes
import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.machine.clock import Quality, SystemClock
from stempelwerk_edge.machine.trusted_time import Anchor, Reading, TrustedTime, estimate, sufficient

from edge.tests.clockwork import MORNING, TestClock

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
    found = time.at(time.reading())
    assert found.certain
    assert found.error_ms is not None
    assert found.error_ms <= 11


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
