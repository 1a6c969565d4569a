"""True time: cases that the contract's vectors cannot express, because JSON ends there. Instants and local time as
well.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.instants import (
    day_end,
    day_start,
    from_ms,
    local_day,
    local_hhmm,
    minute_of,
    ms_of,
    resolve,
)
from stempelwerk_cloud.domain.true_time import Anchor, true_time

from cloud.tests.domain.days import BERLIN, instant_of

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
ANCHORS = st.builds(
    Anchor,
    st.sampled_from(["b", "other"]),
    st.integers(0, 10**7),
    st.integers(0, 10**7).map(lambda ms: NOW - timedelta(milliseconds=ms)),
    st.integers(0, 5000),
)


@given(
    st.lists(ANCHORS, max_size=6), st.randoms(use_true_random=False), st.sampled_from(["ntp", "rtc", "manual", "none"])
)
def test_the_order_and_number_of_anchors_do_not_matter(anchors, dice, quality) -> None:  # type: ignore[no-untyped-def]
    mixed = dice.sample(anchors, len(anchors)) + (dice.choices(anchors, k=2) if anchors else [])
    wall = NOW - timedelta(minutes=3)
    assert true_time(wall, "b", 5 * 10**6, quality, anchors, NOW) == true_time(
        wall, "b", 5 * 10**6, quality, mixed, NOW
    )


@pytest.mark.parametrize("boottime_ms", [0, 10**14, 2**63 - 1])
@pytest.mark.parametrize("anchored_ms", [0, 10**14, 2**63 - 1])
def test_no_boottime_breaks_the_calculation(boottime_ms: int, anchored_ms: int) -> None:
    true_instant = true_time(NOW, "b", boottime_ms, "none", [Anchor("b", anchored_ms, NOW, 10)], NOW)
    assert true_instant.certain is (boottime_ms == anchored_ms)
    assert true_instant.at == NOW


def test_a_stamp_long_before_its_anchor_may_fall_out_of_the_calendar_and_is_held() -> None:
    true_instant = true_time(NOW, "b", 0, "rtc", [Anchor("b", 10**15, NOW, 0)], NOW)
    assert (true_instant.at, true_instant.certain, true_instant.by) == (NOW, False, "none")


def test_minutes_and_milliseconds_are_truncated_downwards_also_before_1970() -> None:
    assert minute_of(datetime(1970, 1, 1, 0, 1, 59, 999000, tzinfo=UTC)) == 1
    assert minute_of(datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)) == -1
    assert ms_of(datetime(1970, 1, 1, 0, 0, 0, 1999, tzinfo=UTC)) == 1
    assert from_ms(ms_of(NOW)) == NOW


def test_local_time_is_truncated_to_the_minute() -> None:
    assert local_hhmm(instant_of("2026-11-20 08:59:59.999"), BERLIN) == "08:59"
    assert local_day(instant_of("2026-11-20 00:00"), BERLIN) == date(2026, 11, 20)


def test_a_local_day_has_23_24_or_25_hours() -> None:
    for day, hours in ((date(2027, 3, 28), 23), (date(2026, 11, 20), 24), (date(2026, 10, 25), 25)):
        assert day_end(day, BERLIN) - day_start(day, BERLIN) == timedelta(hours=hours)


def test_a_day_whose_midnight_is_skipped_begins_with_the_first_minute_that_exists() -> None:
    zone = ZoneInfo("America/Santiago")
    day = date(2026, 9, 6)
    assert local_hhmm(day_start(day, zone), zone) == "01:00"
    assert local_day(day_start(day, zone), zone) == day


def test_a_local_time_that_does_not_exist_has_no_instant() -> None:
    assert resolve(date(2027, 3, 28), time(2, 30), BERLIN, "start") is None
    assert resolve(date(2027, 3, 28), time(3, 0), BERLIN, "start") == datetime(2027, 3, 28, 1, tzinfo=UTC)


def test_a_local_time_that_exists_twice_depends_on_the_edge() -> None:
    day = date(2026, 10, 25)
    assert resolve(day, time(2, 30), BERLIN, "start") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert resolve(day, time(2, 30), BERLIN, "end") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_the_ends_of_the_calendar_have_days_too() -> None:
    for zone in (BERLIN, ZoneInfo("Pacific/Pago_Pago")):
        assert day_start(date.min, zone) <= day_end(date.min, zone)
        assert day_start(date.max, zone) <= day_end(date.max, zone)
