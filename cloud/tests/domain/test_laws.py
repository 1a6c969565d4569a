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
from stempelwerk_cloud.domain.entries.corrections import overlaps, settle
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


def parts(all_facts: Facts, start: datetime, end: datetime, rules: DatedRules) -> Sheet:
    """Derive what a reader finds between two instants: stamps, corrections wholly inside, and all voids."""
    return derive(
        [stamp for stamp in all_facts.stamps if start <= stamp.at <= end],
        [
            decision
            for decision in all_facts.corrections
            if start <= span_of(decision, rules).start and span_of(decision, rules).end <= end
        ],
        all_facts.voids,
        rules,
    )


def entries_between(entries: Iterable[Entry], start: datetime, end: datetime) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if start <= entry.known_at <= end)


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_the_same_facts_in_any_order_and_number_give_the_same_sheet(
    all_facts: Facts, rules: DatedRules, dice: random.Random
) -> None:
    mixed = [
        dice.sample(kind, len(kind)) + dice.choices(kind, k=2) if kind else []
        for kind in (all_facts.stamps, all_facts.corrections, all_facts.voids)
    ]
    assert derive(*mixed, rules) == all_facts.sheet(rules)


@given(facts(), dated_rules())
def test_every_stamp_counts_once_or_says_why_not(all_facts: Facts, rules: DatedRules) -> None:
    derived = all_facts.sheet(rules)
    counted_ids = [
        stamp_id
        for entry in derived.entries
        for stamp_id in (entry.start_stamp, entry.end_stamp)
        if stamp_id is not None
    ]
    assert sorted([*counted_ids, *derived.uncounted]) == sorted(stamp.id for stamp in all_facts.stamps)


@given(facts(), dated_rules())
def test_entries_have_ids_of_their_own_and_one_order(all_facts: Facts, rules: DatedRules) -> None:
    entries = all_facts.sheet(rules).entries
    assert len({entry.id for entry in entries}) == len(entries)
    assert [entry.known_at for entry in entries] == sorted(entry.known_at for entry in entries)


@given(facts(), dated_rules())
def test_each_minute_is_paid_once(all_facts: Facts, rules: DatedRules) -> None:
    entries = all_facts.sheet(rules).entries
    minutes = set()
    for entry in entries:
        if entry.start_at is not None and entry.end_at is not None:
            minutes.update(range(minute_of(entry.start_at), minute_of(entry.end_at)))
    assert sum(entry.raw_minutes or 0 for entry in entries) == len(minutes)


@given(facts(), dated_rules())
def test_net_is_raw_less_break_and_never_below_nothing(all_facts: Facts, rules: DatedRules) -> None:
    for entry in all_facts.sheet(rules).entries:
        if entry.raw_minutes is None:
            assert (entry.break_minutes, entry.net_minutes) == (None, None)
        else:
            assert entry.break_minutes is not None
            assert entry.net_minutes == entry.raw_minutes - entry.break_minutes >= 0


@given(facts(), dated_rules())
def test_nothing_is_longer_than_its_limit_and_nothing_is_invented(all_facts: Facts, rules: DatedRules) -> None:
    stamp_times = {stamp.at for stamp in all_facts.stamps}
    for entry in all_facts.sheet(rules).entries:
        if entry.source == "clock":
            assert {entry.start_at, entry.end_at} - {None} <= stamp_times
            if entry.start_at is not None and entry.end_at is not None:
                assert entry.end_at - entry.start_at <= rules.at(entry.start_at).max_shift


@given(facts(), dated_rules(), _moments(12), _moments(12))
def test_a_window_derived_alone_equals_the_whole_there(
    all_facts: Facts, rules: DatedRules, moment: datetime, two: datetime
) -> None:
    times = sorted(stamp.at for stamp in all_facts.stamps)
    spans = [span_of(correction, rules) for correction in all_facts.corrections]
    cut = window(times, spans, min(moment, two), max(moment, two), rules)
    part, everything = parts(all_facts, cut.start, cut.end, rules), all_facts.sheet(rules)
    assert part.entries == entries_between(everything.entries, cut.start, cut.end)
    inside = {stamp.id for stamp in all_facts.stamps if cut.start <= stamp.at <= cut.end}
    assert part.uncounted == {key: why for key, why in everything.uncounted.items() if key in inside}


@given(facts(), dated_rules(), _moments(12))
def test_a_window_read_in_growing_circles_is_the_same_window(
    all_facts: Facts, rules: DatedRules, changed: datetime
) -> None:
    """Reading a neighbourhood and asking for more while it is open gives what reading everything gives."""
    everything = sorted(stamp.at for stamp in all_facts.stamps)
    spans = [span_of(correction, rules) for correction in all_facts.corrections]
    expected = window(everything, spans, changed, changed, rules)
    reach = timedelta(hours=6)
    while True:
        near = [instant for instant in everything if changed - reach <= instant <= changed + reach]
        cut = window(near, spans, changed, changed, rules)
        enough = cut.start - (changed - reach) > rules.idle_gap and (changed + reach) - cut.end > rules.idle_gap
        if enough:
            break
        reach *= 2
    assert (cut.start, cut.end) == (expected.start, expected.end)


@given(facts(), dated_rules())
def test_a_long_rest_with_nothing_open_before_it_separates(all_facts: Facts, rules: DatedRules) -> None:
    """Without decisions: what comes after the rest is what it would be if nothing had ever been before."""
    stamps = sorted(all_facts.stamps, key=order)
    everything = derive(stamps, (), (), rules).entries
    for previous_stamp, next_stamp in pairwise(stamps):
        earlier_entries = [entry for entry in everything if entry.known_at <= previous_stamp.at]
        if (
            next_stamp.at - previous_stamp.at > rules.rest_gap
            and earlier_entries
            and earlier_entries[-1].end_at
            and earlier_entries[-1].end_at <= previous_stamp.at
        ):
            later = derive([stamp for stamp in stamps if stamp.at >= next_stamp.at], (), (), rules).entries
            assert later == everything[len(earlier_entries) :]


@given(facts(), dated_rules())
def test_what_made_its_shift_covers_inside_its_bounds_alone(all_facts: Facts, rules: DatedRules) -> None:
    """A double tap goes with the stamp that it belongs to, and so may lie beyond by that much."""
    new_shifts = [replace(decision, shift=None) for decision in all_facts.corrections]
    derived = derive(all_facts.stamps, new_shifts, all_facts.voids, rules)
    for stamp in all_facts.stamps:
        if derived.uncounted.get(stamp.id) == "corrected":
            window = rules.at(stamp.at).double_tap
            assert any(decision.new_start - window <= stamp.at <= decision.new_end + window for decision in new_shifts)


def _fills(shift: str, entries: Iterable[Entry], wish: Correction) -> bool:
    """Whether a shift fills some of the new bounds."""
    shift_times = [
        instant
        for entry in entries
        if entry.shift == shift
        for instant in (entry.start_at, entry.end_at)
        if instant is not None
    ]
    return min(shift_times) < wish.new_end and wish.new_start < max(shift_times)


def _stands(entry: Entry, entries: Iterable[Entry], rules: DatedRules) -> bool:
    """Returns whether a stamped entry is among these; one without both ends may have found the other meanwhile."""
    if entry.start_at is None or entry.end_at is None:
        return True
    window = rules.at(entry.start_at).double_tap
    return any(
        candidate.source == "clock"
        and candidate.start_at is not None
        and candidate.end_at is not None
        and abs(candidate.start_at - entry.start_at) <= window
        and abs(candidate.end_at - entry.end_at) <= window
        for candidate in entries
    )


@given(facts(), dated_rules())
def test_an_approval_takes_the_place_of_one_shift_and_leaves_every_other_entry_as_it_was(
    all_facts: Facts, rules: DatedRules
) -> None:
    """Asked for at any time, and up to where an entry begins.

    Times stay but for a double tap, for another stamp may stand for them: of two taps the second took back a Gehen, and
    confirms it where that is a Kommen now. Where stamps of the shift itself come later than what is covered, they pair
    on from "gegangen", and so does whatever comes after them.
    """
    entries_before = derive(all_facts.stamps, (), all_facts.voids, rules).entries
    more_requests = [
        replace(decision, date=entry.shift_date, new_start=entry.known_at - timedelta(hours=1), new_end=entry.known_at)
        for decision in all_facts.corrections[:1]
        for entry in entries_before
    ]
    for decision in (*all_facts.corrections, *more_requests):
        wish = replace(decision, shift=None, decided_at=decision.decided_at + timedelta(days=99))
        decided = settle(wish, all_facts.stamps, (), all_facts.voids, rules)
        if overlaps(decided, all_facts.stamps, (), all_facts.voids, rules):
            continue
        dated = {entry.shift for entry in entries_before if entry.shift_date == wish.date}
        met = {entry.shift for entry in entries_before if _fills(entry.shift, entries_before, wish)}
        replaced = met if len(dated) > 1 else met | dated
        limit = limit_of(wish)
        paired_on = any(
            entry.shift in replaced and (entry.end_at or entry.known_at) >= limit for entry in entries_before
        )
        unaffected = [
            entry
            for entry in entries_before
            if entry.shift not in replaced and (not paired_on or (entry.end_at or entry.known_at) < limit)
        ]
        entries_after = derive(all_facts.stamps, [decided], all_facts.voids, rules).entries
        assert [entry for entry in unaffected if not _stands(entry, entries_after, rules)] == []


@given(facts(days=3), dated_rules(), st.data())
def test_what_was_decided_stands_whatever_arrives_later(
    all_facts: Facts, rules: DatedRules, data: st.DataObject
) -> None:
    """The newest of several corrections of one shift wins; so each here is of another shift."""
    known_stamps = [stamp for stamp in all_facts.stamps if data.draw(st.booleans())]
    decided: list[Correction] = []
    for wish in sorted(all_facts.corrections, key=lambda wished: (wished.decided_at, wished.id)):
        decision = settle(replace(wish, shift_at=None, shift_until=None), known_stamps, decided, (), rules)
        is_repeated = decision.shift is not None and decision.shift in {earlier.shift for earlier in decided}
        if not is_repeated and not overlaps(decision, known_stamps, decided, (), rules):
            decided.append(decision)
    stood, stands = (
        {entry.correction_id for entry in derive(stamps, decided, (), rules).entries}
        for stamps in (known_stamps, all_facts.stamps)
    )
    assert stood - stands <= {None}


class Ledger:
    """A model of a store: it keeps entries, and after each change derives only the affected stretches."""

    def __init__(self, rules: DatedRules) -> None:
        self.rules = rules
        self.facts = Facts((), (), ())
        self.entries: dict[str, Entry] = {}

    def change(self, new: Facts, changed: list[Span]) -> None:
        self.facts = new
        times = sorted(stamp.at for stamp in new.stamps)
        spans = [span_of(decision, self.rules) for decision in new.corrections]
        for cut in windows(times, spans, changed, self.rules):
            old_ids = [key for key, entry in self.entries.items() if cut.start <= entry.known_at <= cut.end]
            for key in old_ids:
                del self.entries[key]
            for entry in parts(new, cut.start, cut.end, self.rules).entries:
                assert entry.id not in self.entries
                self.entries[entry.id] = entry

    def add(self, fact: Stamp | Correction | Void) -> None:
        stamps, corrections, voids = self.facts
        if isinstance(fact, Stamp):
            self.change(Facts((*stamps, fact), corrections, voids), [Span(fact.at, fact.at)])
        elif isinstance(fact, Correction):
            self.change(Facts(stamps, (*corrections, fact), voids), [span_of(fact, self.rules)])
        else:
            stamp_times = [stamp.at for stamp in stamps if stamp.id in fact.stamp_ids]
            self.change(Facts(stamps, corrections, (*voids, fact)), [reach_of(fact, stamp_times, self.rules)])

    def remove(self, stamp: Stamp) -> None:
        other_stamps = tuple(other_stamp for other_stamp in self.facts.stamps if other_stamp.id != stamp.id)
        self.change(self.facts._replace(stamps=other_stamps), [Span(stamp.at, stamp.at)])


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_one_fact_after_the_other_in_any_order_gives_the_whole(
    all_facts: Facts, rules: DatedRules, dice: random.Random
) -> None:
    arrivals = [*all_facts.stamps, *all_facts.corrections, *all_facts.voids]
    dice.shuffle(arrivals)
    ledger = Ledger(rules)
    for fact in arrivals:
        ledger.add(fact)
    assert tuple(sorted(ledger.entries.values(), key=lambda entry: (entry.known_at, entry.id))) == tuple(
        sorted(all_facts.sheet(rules).entries, key=lambda entry: (entry.known_at, entry.id))
    )


@given(facts(), dated_rules(), st.randoms(use_true_random=False))
def test_stamps_that_went_to_another_person_leave_no_trace(
    all_facts: Facts, rules: DatedRules, dice: random.Random
) -> None:
    ledger = Ledger(rules)
    for fact in [*all_facts.stamps, *all_facts.corrections, *all_facts.voids]:
        ledger.add(fact)
    moved_stamps = dice.sample(all_facts.stamps, len(all_facts.stamps) // 2)
    for stamp in moved_stamps:
        ledger.remove(stamp)
    remaining = derive(
        [stamp for stamp in all_facts.stamps if stamp not in moved_stamps],
        all_facts.corrections,
        all_facts.voids,
        rules,
    )
    assert {entry.id: entry for entry in remaining.entries} == ledger.entries


@given(facts(), dated_rules(), st.integers(1, 400))
def test_what_happens_weeks_later_changes_nothing_before(all_facts: Facts, rules: DatedRules, weeks: int) -> None:
    later = [
        stamp._replace(id=f"later-{stamp.id}", at=stamp.at + timedelta(weeks=3 + weeks)) for stamp in all_facts.stamps
    ]
    entries_before = all_facts.sheet(rules).entries
    everything = derive([*all_facts.stamps, *later], all_facts.corrections, all_facts.voids, rules).entries
    assert everything[: len(entries_before)] == entries_before


@given(facts(), RULES, st.dates(date(2026, 10, 19), date(2026, 10, 31)))
def test_a_setting_that_changes_nothing_changes_nothing(all_facts: Facts, rules: Rules, day: date) -> None:
    assert all_facts.sheet(DatedRules([(None, rules)])) == all_facts.sheet(
        DatedRules([(None, rules), (day, replace(rules))])
    )
