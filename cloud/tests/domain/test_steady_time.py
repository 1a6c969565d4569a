"""When the server's time is doubted, and when it is trusted again."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.instants import DAY, HOUR
from stempelwerk_cloud.domain.steady_time import LONGEST_PAUSE, PROVEN_AFTER, TimeWatch, fits, step

from cloud.tests.settable_clock import START

JUMPS = st.one_of(
    st.timedeltas(timedelta(0), 2 * HOUR),
    st.timedeltas(-3000 * DAY, 3000 * DAY),
    st.sampled_from([3 * 365 * DAY, -3 * 365 * DAY]),
)
ROUNDS = st.lists(st.tuples(JUMPS, st.booleans()), max_size=60)


def _watched(watch: TimeWatch | None, instants: list[tuple[datetime, bool]]) -> TimeWatch | None:
    for now, agreed in instants:
        watch = step(watch, now, None, agreed=agreed)
    return watch


def test_a_night_years_ahead_is_doubted_and_over_with_it() -> None:
    ahead = [(START + 1000 * DAY + minute * timedelta(minutes=1), False) for minute in range(600)]
    night = _watched(TimeWatch(START), ahead)
    assert night is not None
    assert (night.trusted_at, night.doubted_from) == (START, ahead[0][0])
    assert step(night, START + HOUR, None, agreed=False) == TimeWatch(START + HOUR)


def test_a_time_set_back_is_doubted_and_over_with_it() -> None:
    back = step(TimeWatch(START), START - 300 * DAY, None, agreed=True)
    assert (back.trusted_at, back.doubted_at) == (START, START - 300 * DAY)
    assert step(back, START + DAY, None, agreed=False) == TimeWatch(START + DAY)


def test_a_pause_of_weeks_is_no_doubt_and_one_of_months_is() -> None:
    assert step(TimeWatch(START), START + LONGEST_PAUSE, None, agreed=False).doubted_at is None
    assert step(TimeWatch(START), START + LONGEST_PAUSE + DAY, None, agreed=False).doubted_at is not None


def test_without_a_last_round_the_newest_heartbeat_counts_and_a_new_installation_trusts() -> None:
    assert step(None, START, None, agreed=False) == TimeWatch(START)
    assert step(None, START, START - 100 * DAY, agreed=False) == TimeWatch(START - 100 * DAY, START, START)
    assert step(None, START, START - 3 * DAY, agreed=False) == TimeWatch(START)


def test_half_a_year_of_sleep_is_believed_after_a_week_if_the_clocks_agree_and_never_without_them() -> None:
    woken = START + 180 * DAY
    week = [woken + hour * HOUR for hour in range(24 * 7 + 1)]
    slept = _watched(TimeWatch(START), [(now, True) for now in week[:-1]])
    assert slept is not None
    assert slept.doubted_from == woken
    assert step(slept, week[-1], None, agreed=True) == TimeWatch(week[-1])
    alone = _watched(TimeWatch(START), [(woken + hour * HOUR, False) for hour in range(24 * 60)])
    assert alone is not None
    assert alone.trusted_at == START


@given(ROUNDS)
def test_no_jump_is_trusted_before_a_week_has_gone_by_steadily(rounds: list[tuple[timedelta, bool]]) -> None:
    watch, now, doubted = TimeWatch(START), START, timedelta(0)
    for jump, agreed in rounds:
        now += jump
        previous_watch, watch = watch, step(watch, now, None, agreed=agreed)
        doubted = doubted + jump if previous_watch.doubted_at is not None and -HOUR <= jump <= DAY else timedelta(0)
        if watch.doubted_at is None:
            assert watch.trusted_at == now
            assert fits(previous_watch.trusted_at, now) or (agreed and doubted >= PROVEN_AFTER)
        else:
            assert watch.trusted_at == previous_watch.trusted_at
            assert not fits(previous_watch.trusted_at, now)
