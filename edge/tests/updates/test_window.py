"""The hour of an update: never while a person is at the clock, never with stamps in hand, and at last in any case."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.cloud.wire import Offer
from stempelwerk_edge.updates.window import IDLE, LONG_IDLE, PATIENCE, may_go_over

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
QUIET = (NOW - HOUR, NOW + HOUR)
LATER = (NOW + HOUR, NOW + 2 * HOUR)

offers = st.builds(Offer, st.just("1.1.0"), st.booleans(), st.sampled_from([None, QUIET, LATER]))
spans = st.timedeltas(timedelta(0), timedelta(days=30))


@given(offers, spans, spans, st.booleans(), st.booleans())
def test_never_while_somebody_taps_or_stamps_are_about_to_go(
    offer: Offer, waited: timedelta, idle: timedelta, assigned: bool, delivering: bool
) -> None:
    may = may_go_over(offer, NOW, NOW - waited, idle, delivering=delivering, assigned=assigned)
    if delivering or idle < IDLE:
        assert not may


@given(offers, spans, spans)
def test_never_while_the_company_is_open_unless_told_to_or_after_seven_days(
    offer: Offer, waited: timedelta, idle: timedelta
) -> None:
    may = may_go_over(offer, NOW, NOW - waited, idle, delivering=False, assigned=True)
    if not offer.now and offer.quiet != QUIET:
        assert may == (waited >= PATIENCE and idle >= LONG_IDLE)


@given(offers, spans)
def test_always_at_last(offer: Offer, more: timedelta) -> None:
    assert may_go_over(offer, NOW, NOW - PATIENCE - more, LONG_IDLE + more, delivering=False, assigned=True)


def test_each_reason_is_enough() -> None:
    plain = Offer("1.1.0")

    def may(offer: Offer, *, assigned: bool = True) -> bool:
        return may_go_over(offer, NOW, NOW, IDLE, delivering=False, assigned=assigned)

    assert not may(plain)
    assert may(Offer("1.1.0", now=True))
    assert may(Offer("1.1.0", quiet=QUIET))
    assert not may(Offer("1.1.0", quiet=(NOW - HOUR, NOW)))
    assert may(Offer("1.1.0", quiet=(NOW, NOW + HOUR)))
    assert may(plain, assigned=False)
