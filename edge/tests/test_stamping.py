"""The meaning of a tap on the screen: direction, double tap, replacement, the two questions, greeting, unknown tag."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.ports import AnswerKind, Limits, Question, Signal
from stempelwerk_edge.tap.presence import CloudState, Rules, Tap
from stempelwerk_edge.tap.stamping import Decision, TagHolder, decide, refused

RULES = Rules(ZoneInfo("Europe/Berlin"))
TODAY = date(2026, 11, 20)
START = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)


class Person:
    """One person who taps at this clock. `known` is the cloud's last state."""

    def __init__(self, rules: Rules = RULES, **known: object) -> None:
        members: dict[str, object] = {
            "state": "out",
            "since": None,
            "today_minutes": 0,
            "balance_minutes": -30,
            "as_of": TODAY,
            **known,
        }
        self.who = TagHolder("M. Eiche", CloudState(**members))  # type: ignore[arg-type]  # the members of CloudState
        self.rules = rules
        self.own: list[Tap] = []

    def tap(self, tapped_at: datetime, direction: str = "auto", via: str = "reader") -> Decision:
        row = len(self.own) + 1
        tap = Tap(f"stamp-{row}", tapped_at, direction, via, row=row)
        decision = decide(tap, "TAG", self.who, self.own, self.rules)
        self.own.append(Tap(tap.id, tapped_at, direction, via, decision.shown, row))
        return decision


def start_plus(**duration: float) -> datetime:
    return START + timedelta(**duration)


def kinds(person: Person, *seconds: float) -> list[str]:
    return [person.tap(START + timedelta(seconds=s)).answer.kind.value for s in seconds]


# ---- direction and double tap


def test_the_first_tap_comes_and_the_second_goes() -> None:
    assert kinds(Person(), 0, 3600) == ["in", "out"]


def test_a_tap_counts_as_what_was_said_then_also_when_the_reason_is_forgotten() -> None:
    person = Person()
    forgotten = person.who
    assert kinds(person, 0) == ["in"]
    person.who = Person(state="out", since=start_plus(hours=2)).who  # left at another clock
    assert kinds(person, 4 * 3600) == ["in"]
    person.who = forgotten
    assert kinds(person, 6 * 3600) == ["out"]


def test_taps_at_0_50_and_100_seconds_count_the_first_and_the_third() -> None:
    assert kinds(Person(), 0, 50, 100) == ["in", "double_tap", "out"]


def test_exactly_at_the_window_is_still_a_double_tap() -> None:
    assert kinds(Person(), 0, 60) == ["in", "double_tap"]
    assert kinds(Person(), 0, 60.001) == ["in", "out"]


def test_a_double_tap_says_since_when() -> None:
    person = Person()
    person.tap(START)
    answer = person.tap(start_plus(seconds=20)).answer
    assert (answer.kind, answer.since, answer.at) == (AnswerKind.DOUBLE_TAP, START, start_plus(seconds=20))


def test_an_explicit_tap_of_the_same_direction_confirms() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(seconds=10), "in").shown == "double_tap"


def test_an_explicit_tap_of_the_other_direction_replaces() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(seconds=10), "out").answer.kind is AnswerKind.OUT
    assert person.tap(start_plus(hours=1)).answer.kind is AnswerKind.IN


def test_replacing_a_going_opens_again_what_it_had_closed() -> None:
    person = Person()
    person.tap(START)
    person.tap(start_plus(hours=8))
    decision = person.tap(start_plus(hours=8, seconds=30), "in")
    assert decision.answer.kind is AnswerKind.IN
    assert decision.answer.question is Question.GONE
    assert decision.opened_by == "stamp-1"


def test_a_window_of_zero_switches_double_taps_off() -> None:
    assert kinds(Person(Rules(RULES.zone, double_tap=timedelta(0))), 0, 1, 2) == ["in", "out", "in"]


def test_after_sixteen_hours_an_automatic_tap_opens_a_new_entry_and_asks_for_the_missing_end() -> None:
    person = Person()
    person.tap(START)
    decision = person.tap(start_plus(hours=16, seconds=1))
    assert decision.answer.kind is AnswerKind.IN
    assert decision.answer.question is Question.GONE
    assert decision.answer.question_date == TODAY
    assert decision.answer.open_since == START
    assert decision.opened_by == "stamp-1"


def test_at_sixteen_hours_it_still_closes() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(hours=16)).answer.kind is AnswerKind.OUT


def test_an_explicit_coming_while_open_asks_when_the_person_went() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(hours=3), "in").answer.question is Question.GONE


def test_a_missing_end_of_another_clock_cannot_be_asked_about() -> None:
    person = Person(state="in", since=START - timedelta(hours=30), as_of=date(2026, 11, 19))
    decision = person.tap(START)
    assert (decision.answer.kind, decision.answer.question) == (AnswerKind.IN, None)
    assert decision.answer.open_since is None


def test_an_explicit_going_with_nothing_open_is_a_going() -> None:
    assert Person().tap(START, "out").answer.kind is AnswerKind.OUT


# ---- the question after a long entry


def test_after_ten_hours_it_asks_and_at_ten_it_does_not() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(hours=10)).answer.question is None
    person = Person()
    person.tap(START)
    answer = person.tap(start_plus(hours=10, seconds=1)).answer
    assert (answer.question, answer.open_since) == (Question.DIRECTION, START)
    assert answer.until - answer.at == timedelta(seconds=30)


def test_an_explicit_going_after_ten_hours_is_not_asked_about() -> None:
    person = Person()
    person.tap(START)
    assert person.tap(start_plus(hours=11), "out").answer.question is None


@pytest.mark.parametrize("window", [timedelta(0), timedelta(seconds=5), timedelta(seconds=60)])
def test_the_answer_confirms_or_replaces_however_short_the_window_is(window: timedelta) -> None:
    for answer, expected in (("out", AnswerKind.OUT), ("in", AnswerKind.IN)):
        person = Person(Rules(RULES.zone, double_tap=window))
        person.tap(START)
        person.tap(start_plus(hours=11))
        decision = person.tap(start_plus(hours=11, seconds=29), answer, "screen")
        assert decision.answer.kind is expected
        assert decision.shown == ("double_tap" if answer == "out" else "in")


def test_the_confirming_answer_says_what_the_question_kept_to_itself() -> None:
    person = Person()
    person.tap(START)
    question = person.tap(start_plus(hours=11)).answer
    confirmed = person.tap(start_plus(hours=11, seconds=20), "out", "screen").answer
    assert (confirmed.at, confirmed.question) == (question.at, None)
    assert confirmed.warnings == question.warnings == ("over_10_h",)


# ---- the cloud's state and this clock's stamps since


def test_what_another_clock_saw_counts() -> None:
    person = Person(state="in", since=START, today_minutes=0)
    assert person.tap(start_plus(hours=4)).answer.kind is AnswerKind.OUT


def test_a_tap_shortly_after_another_clocks_is_a_double_tap() -> None:
    assert Person(state="in", since=START).tap(start_plus(seconds=30)).answer.kind is AnswerKind.DOUBLE_TAP


def test_own_stamps_since_the_snapshot_count_and_older_ones_are_in_it() -> None:
    person = Person()
    person.tap(START)
    person.who = TagHolder("M. Eiche", CloudState("out", start_plus(minutes=30), 30, -30, TODAY, reflects=1))
    assert person.tap(start_plus(hours=2)).answer.kind is AnswerKind.IN


def test_a_snapshot_that_already_knows_the_last_tap_changes_nothing() -> None:
    person = Person()
    person.tap(START)
    person.who = TagHolder("M. Eiche", CloudState("in", START + timedelta(milliseconds=400), 0, -30, TODAY, reflects=0))
    assert person.tap(start_plus(hours=2)).answer.kind is AnswerKind.OUT


def test_after_a_snapshot_the_last_tap_can_still_be_replaced() -> None:
    person = Person()
    person.tap(START)
    person.tap(start_plus(hours=11))
    person.who = TagHolder("M. Eiche", CloudState("out", start_plus(hours=11), 660, -30, TODAY, reflects=2))
    decision = person.tap(start_plus(hours=11, seconds=20), "in", "screen")
    assert (decision.answer.kind, decision.opened_by) == (AnswerKind.IN, "stamp-1")


def test_a_stamp_that_the_cloud_did_not_count_does_not_count_here() -> None:
    person = Person(state="in", since=START)
    person.tap(start_plus(hours=2))
    person.who = TagHolder("M. Eiche", CloudState("in", START, 0, -30, TODAY, reflects=1))
    assert person.tap(start_plus(hours=4)).answer.kind is AnswerKind.OUT


# ---- minutes and balance


def test_coming_shows_todays_minutes_and_the_balance() -> None:
    answer = Person(today_minutes=120, balance_minutes=45).tap(START).answer
    assert (answer.name, answer.today_minutes, answer.balance_minutes) == ("M. Eiche", 120, 45)


def test_going_adds_what_was_just_worked() -> None:
    person = Person(state="in", since=START, balance_minutes=-30)
    answer = person.tap(start_plus(hours=4, seconds=59)).answer
    assert (answer.today_minutes, answer.balance_minutes) == (240, 210)


def test_an_uninterrupted_day_is_shown_less_its_break() -> None:
    for raw, net in ((370, 360), (390, 360), (541, 511), (600, 555)):
        person = Person(state="in", since=START)
        assert person.tap(START + timedelta(minutes=raw)).answer.today_minutes == net


def test_a_break_that_was_stamped_here_counts_as_taken() -> None:
    person = Person()
    for minutes in (0, 240, 270):
        person.tap(START + timedelta(minutes=minutes))
    assert person.tap(START + timedelta(minutes=510)).answer.today_minutes == 480


def test_yesterdays_minutes_are_not_todays() -> None:
    assert Person(today_minutes=400, as_of=date(2026, 11, 19)).tap(START).answer.today_minutes == 0


def test_yesterdays_balance_is_no_balance_of_today() -> None:
    person = Person(balance_minutes=195, as_of=date(2026, 11, 19))
    assert person.tap(START).answer.balance_minutes is None
    assert person.tap(start_plus(hours=4)).answer.balance_minutes is None
    person.who = TagHolder("M. Eiche", CloudState("out", start_plus(hours=4), 240, 0, TODAY, reflects=2))
    assert person.tap(start_plus(hours=5)).answer.balance_minutes == 0


def test_over_midnight_the_balance_goes_and_comes_back_with_the_new_day() -> None:
    night = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
    person = Person(balance_minutes=-480)
    assert person.tap(night).answer.balance_minutes == -480
    assert person.tap(night + timedelta(hours=3)).answer.balance_minutes is None
    person.who = TagHolder("M. Eiche", CloudState("in", night, 0, -960, date(2026, 11, 21), reflects=1))
    answer = person.tap(night + timedelta(hours=3, seconds=30), "out").answer
    assert (answer.kind, answer.today_minutes) == (AnswerKind.DOUBLE_TAP, 0)
    assert answer.balance_minutes == -960 + 180


# ---- what waits for the person


def test_coming_and_going_remind_of_what_waits() -> None:
    person = Person(open_handovers=2, unread_messages=1)
    for tapped_at in (START, start_plus(hours=4)):
        answer = person.tap(tapped_at).answer
        assert (answer.open_handovers, answer.unread_messages) == (2, 1)


def test_a_double_tap_reminds_of_nothing_again() -> None:
    person = Person(open_handovers=2, unread_messages=1)
    person.tap(START)
    answer = person.tap(start_plus(seconds=20)).answer
    assert (answer.kind, answer.open_handovers, answer.unread_messages) == (AnswerKind.DOUBLE_TAP, None, None)


def test_who_confirms_going_on_the_screen_is_reminded_there() -> None:
    person = Person(open_handovers=1, unread_messages=0)
    person.tap(START)
    person.tap(start_plus(hours=11))
    answer = person.tap(start_plus(hours=11, seconds=20), "out", "screen").answer
    assert (answer.kind, answer.open_handovers, answer.unread_messages) == (AnswerKind.OUT, 1, None)


@pytest.mark.parametrize("known", [{}, {"open_handovers": 0, "unread_messages": 0}, {"open_handovers": None}])
def test_of_nothing_nobody_is_reminded(known: dict[str, object]) -> None:
    answer = Person(**known).tap(START).answer  # type: ignore[arg-type]
    assert (answer.open_handovers, answer.unread_messages) == (None, None)


def test_what_waited_yesterday_may_long_have_been_answered() -> None:
    person = Person(open_handovers=2, unread_messages=1, as_of=date(2026, 11, 19))
    answer = person.tap(START).answer
    assert (answer.open_handovers, answer.unread_messages) == (None, None)


def test_the_counts_are_no_hours() -> None:
    person = Person(Rules(RULES.zone, show_balance=False), today_minutes=None, balance_minutes=None, open_handovers=2)
    answer = person.tap(START).answer
    assert (answer.today_minutes, answer.balance_minutes, answer.open_handovers) == (None, None, 2)


def test_what_the_company_does_not_show_is_not_shown() -> None:
    person = Person(today_minutes=None, balance_minutes=None)
    person.tap(START)
    answer = person.tap(start_plus(hours=3)).answer
    assert (answer.today_minutes, answer.balance_minutes) == (None, None)
    assert Person(Rules(RULES.zone, show_balance=False)).tap(START).answer.balance_minutes is None


def test_the_tap_warns_of_ten_hours_and_of_a_short_rest() -> None:
    person = Person(state="in", since=START)
    assert person.tap(start_plus(hours=10, minutes=46)).answer.warnings == ("over_10_h",)
    person = Person(state="out", since=START - timedelta(hours=8))
    assert person.tap(START).answer.warnings == ("short_rest",)
    assert Person(state="out", since=START - timedelta(hours=11)).tap(START).answer.warnings == ()
    assert Person(state="out", since=START - timedelta(hours=1)).tap(START).answer.warnings == ()


YOUTH = Limits(480, 720, ((270, 30), (360, 60)), (time(20), time(6)))


def test_the_tap_warns_by_the_persons_own_limits() -> None:
    answer = Person(state="in", since=START, limits=YOUTH).tap(start_plus(hours=9, minutes=1)).answer
    assert (answer.warnings, answer.limits) == (("over_10_h",), YOUTH)
    answer = Person(state="in", since=START, limits=YOUTH).tap(start_plus(hours=9)).answer
    assert (answer.warnings, answer.today_minutes) == ((), 480)
    assert Person(state="out", since=START - timedelta(hours=11), limits=YOUTH).tap(START).answer.warnings == (
        "short_rest",
    )
    assert Person(state="out", since=START - timedelta(hours=12), limits=YOUTH).tap(START).answer.warnings == ()


def test_the_tap_warns_of_the_night_only_of_those_who_have_one() -> None:
    evening = start_plus(hours=13)
    assert Person().tap(evening).answer.warnings == ()
    assert Person(limits=YOUTH).tap(evening).answer.warnings == ("night",)
    assert Person(limits=YOUTH).tap(evening - timedelta(seconds=1)).answer.warnings == ()


def test_a_press_that_confirms_repeats_the_warning_of_the_night() -> None:
    person = Person(state="in", since=start_plus(hours=3), limits=YOUTH)
    question = person.tap(start_plus(hours=14)).answer
    confirmed = person.tap(start_plus(hours=14, seconds=20), "out", "screen").answer
    assert confirmed.warnings == question.warnings == ("over_10_h", "night")


@given(
    st.integers(0, 3 * 24 * 60),
    st.integers(2, 16 * 60),
    st.tuples(st.integers(0, 1439), st.integers(0, 1439)).filter(lambda night: night[0] != night[1]),
)
def test_work_is_at_night_exactly_where_a_minute_of_it_is(start: int, minutes: int, night: tuple[int, int]) -> None:
    times = tuple(time(minute // 60, minute % 60) for minute in night)
    limits = Limits(1440, 0, (), times)  # type: ignore[arg-type]  # two times
    began = START + timedelta(minutes=start)
    person = Person(state="in", since=began, limits=limits)
    local = began.astimezone(RULES.zone)
    worked = {(local.hour * 60 + local.minute + minute) % 1440 for minute in range(minutes)}
    dusk, dawn = night
    forbidden = set(range(dusk, dawn)) if dusk < dawn else {*range(dusk, 1440), *range(dawn)}
    assert ("night" in person.tap(began + timedelta(minutes=minutes)).answer.warnings) == bool(worked & forbidden)


# ---- unknown tags


def test_an_unknown_tag_shows_its_number() -> None:
    decision = decide(Tap("s", START, "auto"), "04A1", None, [], RULES)
    assert (decision.answer.kind, decision.answer.tag, decision.shown) == (AnswerKind.UNKNOWN, "04A1", "unknown")
    assert decision.signal is Signal.UNKNOWN


def test_a_clock_that_was_told_nobody_yet_does_not_claim_that_a_tag_is_unknown() -> None:
    assert decide(Tap("s", START, "auto"), "04A1", None, [], RULES, informed=False).shown is None


def test_what_was_not_saved_is_said_with_its_own_signal() -> None:
    decision = refused(Tap("s", START, "auto"), "04A1")
    assert (decision.answer.kind, decision.answer.stamp_id) == (AnswerKind.NOT_SAVED, None)
    assert decision.signal is Signal.NOT_SAVED


@given(st.lists(st.tuples(st.integers(1, 40_000), st.sampled_from(["auto", "auto", "in", "out"])), max_size=20))
def test_every_tap_is_answered_and_the_answer_agrees_with_what_is_kept(taps: list[tuple[int, str]]) -> None:
    person, now = Person(), START
    for seconds, direction in taps:
        now += timedelta(seconds=seconds)
        decision = person.tap(now, direction)
        assert decision.shown == decision.answer.kind.value
        if direction != "auto" and decision.shown != "double_tap":
            assert decision.shown == direction
