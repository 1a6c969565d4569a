"""The laws of derivation: any order, any repetition, any batching, and a part equals the whole."""

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.entries.corrections import overlaps, settled
from stempelwerk_cloud.domain.entries.derivation import Entry, Sheet, derive
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import Span, reach_of, span_of, window, windows
from stempelwerk_cloud.domain.entries.stamps import Stamp, order
from stempelwerk_cloud.domain.entries.timeline import limit_of
from stempelwerk_cloud.domain.instants import minute_of
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.working_time_act import UNDER_18

FIRST = datetime(2026, 10, 19, tzinfo=UTC)  # the clock goes back on the 25th
ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Pacific/Kiritimati")]


class Facts(NamedTuple):
    stamps: tuple[Stamp, ...]
    corrections: tuple[Correction, ...]
    voids: tuple[Void, ...]

    def sheet(self, rules: DatedRules) -> Sheet:
        return derive(self.stamps, self.corrections, self.voids, rules)


def _moments(days: int) -> st.SearchStrategy[datetime]:
    """Instants near the full hours of some days, close enough together for double taps and shifts."""
    return st.builds(
        lambda day, hour, second: FIRST + timedelta(days=day, hours=hour, seconds=second),
        st.integers(0, days),
        st.integers(0, 23),
        st.sampled_from([0, 0, 20, 45, 60, 61, 90, 3599]),
    )


RULES = st.builds(
    Rules,
    zone=st.sampled_from(ZONES),
    break_policy=st.sampled_from(["statutory", "none"]),
    double_tap_s=st.sampled_from([0, 30, 60, 600]),
    max_shift_h=st.sampled_from([8, 16, 24]),
    ask_after_h=st.sampled_from([4, 10, 24]),
    limits=st.sampled_from([Rules().limits, UNDER_18]),
)


@st.composite
def dated_rules(draw: st.DrawFn) -> DatedRules:
    days = draw(st.lists(st.integers(0, 12), max_size=2, unique=True))
    return DatedRules(
        [(None, draw(RULES)), *((FIRST.date() + timedelta(days=day), draw(RULES)) for day in sorted(days))]
    )


@st.composite
def facts(draw: st.DrawFn, days: int = 12) -> Facts:
    moments = draw(st.lists(_moments(days), max_size=16))
    stamps = tuple(
        Stamp(
            f"s{index}",
            moment,
            draw(st.sampled_from(["auto", "auto", "auto", "in", "out"])),
            draw(st.sampled_from(["d1", "d2"])),
            "e",
            draw(st.integers(1, 3)),
            uncertain=draw(st.booleans()),
            shown=draw(st.sampled_from([None, "in", "out", "double_tap"])),
        )
        for index, moment in enumerate(moments)
    )
    corrections = tuple(draw(_correction(f"c{index}", days)) for index in range(draw(st.integers(0, 3))))
    voids = tuple(draw(_void(f"v{index}", days, stamps)) for index in range(draw(st.integers(0, 2))))
    return Facts(stamps, corrections, voids)


@st.composite
def _correction(draw: st.DrawFn, name: str, days: int) -> Correction:
    start = draw(_moments(days))
    end = start + draw(st.sampled_from([timedelta(minutes=45), timedelta(hours=4), timedelta(hours=15)]))
    requested = max(draw(_moments(days + 2)), end - timedelta(hours=1))
    return Correction(
        name,
        start.date() + timedelta(days=draw(st.integers(-1, 1))),
        start,
        end,
        draw(st.sampled_from([None, None, 0, 40])),
        requested,
        requested + timedelta(hours=draw(st.integers(0, 30))),
        draw(st.sampled_from([None, None, "s0", "s1", "s2", "c0", "nobody"])),
        draw(st.one_of(st.none(), _moments(days))),
        draw(st.one_of(st.none(), _moments(days))),
    )


@st.composite
def _void(draw: st.DrawFn, name: str, days: int, stamps: tuple[Stamp, ...]) -> Void:
    start = draw(_moments(days))
    ids = [stamp.id for stamp in stamps]
    some = st.frozensets(st.sampled_from(ids), max_size=3) if ids else st.just(frozenset[str]())
    return Void(
        name,
        start,
        start + draw(st.sampled_from([timedelta(0), timedelta(hours=4), timedelta(hours=9)])),
        draw(_moments(days + 2)),
        draw(some),
        draw(some),
    )


def parts(whole: Facts, start: datetime, end: datetime, rules: DatedRules) -> Sheet:
    """Derive what a reader finds between two instants: stamps, corrections wholly inside, and all voids."""
    return derive(
        [stamp for stamp in whole.stamps if start <= stamp.at <= end],
        [one for one in whole.corrections if start <= span_of(one, rules).start and span_of(one, rules).end <= end],
        whole.voids,
        rules,
    )


def between(entries: Iterable[Entry], start: datetime, end: datetime) -> tuple[Entry, ...]:
    return tuple(one for one in entries if start <= one.known_at <= end)


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_the_same_facts_in_any_order_and_number_give_the_same_sheet(
    whole: Facts, rules: DatedRules, dice: random.Random
) -> None:
    mixed = [
        dice.sample(kind, len(kind)) + dice.choices(kind, k=2) if kind else []
        for kind in (whole.stamps, whole.corrections, whole.voids)
    ]
    assert derive(*mixed, rules) == whole.sheet(rules)


@given(facts(), dated_rules())
def test_every_stamp_counts_once_or_says_why_not(whole: Facts, rules: DatedRules) -> None:
    found = whole.sheet(rules)
    counted = [one for entry in found.entries for one in (entry.start_stamp, entry.end_stamp) if one is not None]
    assert sorted([*counted, *found.uncounted]) == sorted(stamp.id for stamp in whole.stamps)


@given(facts(), dated_rules())
def test_entries_have_ids_of_their_own_and_one_order(whole: Facts, rules: DatedRules) -> None:
    entries = whole.sheet(rules).entries
    assert len({one.id for one in entries}) == len(entries)
    assert [one.known_at for one in entries] == sorted(one.known_at for one in entries)


@given(facts(), dated_rules())
def test_each_minute_is_paid_once(whole: Facts, rules: DatedRules) -> None:
    entries = whole.sheet(rules).entries
    minutes = set()
    for one in entries:
        if one.start_at is not None and one.end_at is not None:
            minutes.update(range(minute_of(one.start_at), minute_of(one.end_at)))
    assert sum(one.raw_minutes or 0 for one in entries) == len(minutes)


@given(facts(), dated_rules())
def test_net_is_raw_less_break_and_never_below_nothing(whole: Facts, rules: DatedRules) -> None:
    for one in whole.sheet(rules).entries:
        if one.raw_minutes is None:
            assert (one.break_minutes, one.net_minutes) == (None, None)
        else:
            assert one.break_minutes is not None
            assert one.net_minutes == one.raw_minutes - one.break_minutes >= 0


@given(facts(), dated_rules())
def test_nothing_is_longer_than_its_limit_and_nothing_is_invented(whole: Facts, rules: DatedRules) -> None:
    known = {stamp.at for stamp in whole.stamps}
    for one in whole.sheet(rules).entries:
        if one.source == "clock":
            assert {one.start_at, one.end_at} - {None} <= known
            if one.start_at is not None and one.end_at is not None:
                assert one.end_at - one.start_at <= rules.at(one.start_at).max_shift


@given(facts(), dated_rules(), _moments(12), _moments(12))
def test_a_window_derived_alone_equals_the_whole_there(
    whole: Facts, rules: DatedRules, one: datetime, two: datetime
) -> None:
    times = sorted(stamp.at for stamp in whole.stamps)
    spans = [span_of(correction, rules) for correction in whole.corrections]
    cut = window(times, spans, min(one, two), max(one, two), rules)
    part, everything = parts(whole, cut.start, cut.end, rules), whole.sheet(rules)
    assert part.entries == between(everything.entries, cut.start, cut.end)
    inside = {stamp.id for stamp in whole.stamps if cut.start <= stamp.at <= cut.end}
    assert part.uncounted == {key: why for key, why in everything.uncounted.items() if key in inside}


@given(facts(), dated_rules(), _moments(12))
def test_a_window_read_in_growing_circles_is_the_same_window(
    whole: Facts, rules: DatedRules, changed: datetime
) -> None:
    """Reading a neighbourhood and asking for more while it is open gives what reading everything gives."""
    everything = sorted(stamp.at for stamp in whole.stamps)
    spans = [span_of(correction, rules) for correction in whole.corrections]
    expected = window(everything, spans, changed, changed, rules)
    reach = timedelta(hours=6)
    while True:
        near = [at for at in everything if changed - reach <= at <= changed + reach]
        cut = window(near, spans, changed, changed, rules)
        enough = cut.start - (changed - reach) > rules.idle_gap and (changed + reach) - cut.end > rules.idle_gap
        if enough:
            break
        reach *= 2
    assert (cut.start, cut.end) == (expected.start, expected.end)


@given(facts(), dated_rules())
def test_a_long_rest_with_nothing_open_before_it_separates(whole: Facts, rules: DatedRules) -> None:
    """Without decisions: what comes after the rest is what it would be if nothing had ever been before."""
    stamps = sorted(whole.stamps, key=order)
    everything = derive(stamps, (), (), rules).entries
    for before, after in pairwise(stamps):
        known = [one for one in everything if one.known_at <= before.at]
        if after.at - before.at > rules.rest_gap and known and known[-1].end_at and known[-1].end_at <= before.at:
            later = derive([one for one in stamps if one.at >= after.at], (), (), rules).entries
            assert later == everything[len(known) :]


@given(facts(), dated_rules())
def test_what_made_its_shift_covers_inside_its_bounds_alone(whole: Facts, rules: DatedRules) -> None:
    """A double tap goes with the stamp that it belongs to, and so may lie beyond by that much."""
    made = [replace(one, shift=None) for one in whole.corrections]
    found = derive(whole.stamps, made, whole.voids, rules)
    for stamp in whole.stamps:
        if found.uncounted.get(stamp.id) == "corrected":
            window = rules.at(stamp.at).double_tap
            assert any(one.new_start - window <= stamp.at <= one.new_end + window for one in made)


def _fills(shift: str, entries: Iterable[Entry], wish: Correction) -> bool:
    """Whether a shift fills some of the new bounds."""
    known = [at for one in entries if one.shift == shift for at in (one.start_at, one.end_at) if at is not None]
    return min(known) < wish.new_end and wish.new_start < max(known)


def _stands(entry: Entry, entries: Iterable[Entry], rules: DatedRules) -> bool:
    """Whether an entry that was stamped stands among these; one without both ends may have found the other by now."""
    if entry.start_at is None or entry.end_at is None:
        return True
    window = rules.at(entry.start_at).double_tap
    return any(
        one.source == "clock"
        and one.start_at is not None
        and one.end_at is not None
        and abs(one.start_at - entry.start_at) <= window
        and abs(one.end_at - entry.end_at) <= window
        for one in entries
    )


@given(facts(), dated_rules())
def test_an_approval_takes_the_place_of_one_shift_and_leaves_every_other_entry_as_it_was(
    whole: Facts, rules: DatedRules
) -> None:
    """Asked for at any time, and up to where an entry begins.

    Times stay but for a double tap, for another stamp may stand for them: of two taps the second took back a Gehen, and
    confirms it where that is a Kommen now. Where stamps of the shift itself come later than what is covered, they pair
    on from "gegangen", and so does whatever comes after them.
    """
    before = derive(whole.stamps, (), whole.voids, rules).entries
    asked = [
        replace(one, date=entry.shift_date, new_start=entry.known_at - timedelta(hours=1), new_end=entry.known_at)
        for one in whole.corrections[:1]
        for entry in before
    ]
    for one in (*whole.corrections, *asked):
        wish = replace(one, shift=None, decided_at=one.decided_at + timedelta(days=99))
        decided = settled(wish, whole.stamps, (), whole.voids, rules)
        if overlaps(decided, whole.stamps, (), whole.voids, rules):
            continue
        dated = {entry.shift for entry in before if entry.shift_date == wish.date}
        met = {entry.shift for entry in before if _fills(entry.shift, before, wish)}
        replaced = met if len(dated) > 1 else met | dated
        limit = limit_of(wish)
        paired_on = any(entry.shift in replaced and (entry.end_at or entry.known_at) >= limit for entry in before)
        kept = [
            entry
            for entry in before
            if entry.shift not in replaced and (not paired_on or (entry.end_at or entry.known_at) < limit)
        ]
        after = derive(whole.stamps, [decided], whole.voids, rules).entries
        assert [entry for entry in kept if not _stands(entry, after, rules)] == []


@given(facts(days=3), dated_rules(), st.data())
def test_what_was_decided_stands_whatever_arrives_later(whole: Facts, rules: DatedRules, data: st.DataObject) -> None:
    """Of several corrections of one shift the newest stands; so each here is of another shift."""
    known = [stamp for stamp in whole.stamps if data.draw(st.booleans())]
    decided: list[Correction] = []
    for wish in sorted(whole.corrections, key=lambda one: (one.decided_at, one.id)):
        one = settled(replace(wish, shift_at=None, shift_until=None), known, decided, (), rules)
        anew = one.shift is not None and one.shift in {before.shift for before in decided}
        if not anew and not overlaps(one, known, decided, (), rules):
            decided.append(one)
    stood, stands = (
        {entry.correction_id for entry in derive(stamps, decided, (), rules).entries}
        for stamps in (known, whole.stamps)
    )
    assert stood - stands <= {None}


class Ledger:
    """What a store does: keep entries, and after each change derive just the stretches that it touches."""

    def __init__(self, rules: DatedRules) -> None:
        self.rules = rules
        self.facts = Facts((), (), ())
        self.entries: dict[str, Entry] = {}

    def change(self, new: Facts, changed: list[Span]) -> None:
        self.facts = new
        times = sorted(stamp.at for stamp in new.stamps)
        spans = [span_of(one, self.rules) for one in new.corrections]
        for cut in windows(times, spans, changed, self.rules):
            gone = [key for key, one in self.entries.items() if cut.start <= one.known_at <= cut.end]
            for key in gone:
                del self.entries[key]
            for one in parts(new, cut.start, cut.end, self.rules).entries:
                assert one.id not in self.entries
                self.entries[one.id] = one

    def add(self, fact: Stamp | Correction | Void) -> None:
        stamps, corrections, voids = self.facts
        if isinstance(fact, Stamp):
            self.change(Facts((*stamps, fact), corrections, voids), [Span(fact.at, fact.at)])
        elif isinstance(fact, Correction):
            self.change(Facts(stamps, (*corrections, fact), voids), [span_of(fact, self.rules)])
        else:
            named = [stamp.at for stamp in stamps if stamp.id in fact.stamp_ids]
            self.change(Facts(stamps, corrections, (*voids, fact)), [reach_of(fact, named, self.rules)])

    def remove(self, stamp: Stamp) -> None:
        rest = tuple(one for one in self.facts.stamps if one.id != stamp.id)
        self.change(self.facts._replace(stamps=rest), [Span(stamp.at, stamp.at)])


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_one_fact_after_the_other_in_any_order_gives_the_whole(
    whole: Facts, rules: DatedRules, dice: random.Random
) -> None:
    arrivals = [*whole.stamps, *whole.corrections, *whole.voids]
    dice.shuffle(arrivals)
    ledger = Ledger(rules)
    for fact in arrivals:
        ledger.add(fact)
    assert tuple(sorted(ledger.entries.values(), key=lambda one: (one.known_at, one.id))) == tuple(
        sorted(whole.sheet(rules).entries, key=lambda one: (one.known_at, one.id))
    )


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_stamps_that_went_to_another_person_leave_no_trace(
    whole: Facts, rules: DatedRules, dice: random.Random
) -> None:
    ledger = Ledger(rules)
    for fact in [*whole.stamps, *whole.corrections, *whole.voids]:
        ledger.add(fact)
    gone = dice.sample(whole.stamps, len(whole.stamps) // 2)
    for stamp in gone:
        ledger.remove(stamp)
    rest = derive([one for one in whole.stamps if one not in gone], whole.corrections, whole.voids, rules)
    assert {one.id: one for one in rest.entries} == ledger.entries


@given(facts(), dated_rules(), st.integers(1, 400))
def test_what_happens_weeks_later_changes_nothing_before(whole: Facts, rules: DatedRules, weeks: int) -> None:
    later = [stamp._replace(id=f"later-{stamp.id}", at=stamp.at + timedelta(weeks=3 + weeks)) for stamp in whole.stamps]
    before = whole.sheet(rules).entries
    everything = derive([*whole.stamps, *later], whole.corrections, whole.voids, rules).entries
    assert everything[: len(before)] == before


@given(facts(), RULES, st.dates(date(2026, 10, 19), date(2026, 10, 31)))
def test_a_setting_that_changes_nothing_changes_nothing(whole: Facts, rules: Rules, day: date) -> None:
    assert whole.sheet(DatedRules([(None, rules)])) == whole.sheet(DatedRules([(None, rules), (day, replace(rules))]))
