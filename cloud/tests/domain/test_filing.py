"""The filing day of stamps: one for a whole shift, a deleted entry by its beginning, exactly one for each stamp."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.entries.deletions import void_of
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.filing import filing_days
from stempelwerk_cloud.domain.entries.islands import span_of, window
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import day_end, day_start

from cloud.tests.domain.days import BERLIN, DEFAULT, correction, instant_of, sheet, taps

LAST, FIRST = "2026-10-31", "2026-11-01"


def days(stamps: list[Stamp], corrections: list[Correction] | None = None, voids: list[Void] | None = None) -> str:
    """The days' numbers, in the order of the stamps."""
    day_by_stamp = filing_days(stamps, sheet(stamps, corrections or [], voids or []), DEFAULT)
    return " ".join(str(day_by_stamp[stamp.id].day) for stamp in stamps)


def deleted(entry_id: str, stamps: list[Stamp], corrections: list[Correction] | None = None) -> Void:
    derived = sheet(stamps, corrections or [])
    entry = next(entry for entry in derived.entries if entry.id == entry_id)
    return void_of(entry, derived, stamps, DEFAULT, void_id="v1", decided_at=instant_of("2026-11-25 09:00"))


def test_a_night_is_filed_by_the_day_on_which_it_began_with_its_break_and_its_double_taps() -> None:
    stamps = taps(f"{LAST} 22:00", f"{FIRST} 00:30", "01:00", "01:00:30", "06:00", "22:00", "2026-11-02 06:00")
    assert days(stamps) == "31 31 31 31 31 1 1"


def test_a_replaced_stamp_goes_with_the_one_that_replaced_it() -> None:
    assert days(taps(f"{LAST} 23:59:50 out", f"{FIRST} 00:00:10 in", "06:00")) == "1 1 1"


def test_what_a_correction_covers_goes_with_its_shift_also_beyond_its_bounds() -> None:
    stamps = taps(f"{LAST} 21:00", f"{FIRST} 05:00")
    request = correction(LAST, "17:00", "23:00", requested=f"{FIRST} 12:00")
    assert days(stamps, [request]) == "31 31"


def test_a_deleted_night_is_filed_whole_by_its_beginning_and_what_comes_late_into_it_too() -> None:
    stamps = taps(f"{LAST} 22:00", f"{FIRST} 06:00", "22:00")
    void = deleted("s1", stamps)
    late = Stamp("late", instant_of(f"{FIRST} 02:00"), "auto", "clock", "epoch", 9)
    assert days([*stamps, late], voids=[void]) == "31 31 1 31"


def test_a_deleted_correction_is_filed_by_its_beginning() -> None:
    stamps = taps(f"{LAST} 21:00", f"{FIRST} 05:00")
    request = correction(LAST, "17:00", "23:00", requested=f"{FIRST} 12:00")
    assert days(stamps, [request], [deleted(sheet(stamps, [request]).entries[0].id, stamps, [request])]) == "31 31"


NIGHTS = st.lists(
    st.tuples(st.integers(0, 14 * 24 * 60), st.sampled_from(["auto", "auto", "auto", "in", "out"])), max_size=30
)


@given(NIGHTS, st.none() | st.integers(23, 31), st.none() | st.integers(0, 9))
def test_both_months_file_every_stamp_alike_though_each_looks_around_itself_alone(
    minutes: list[tuple[int, str]], corrected: int | None, deleted_index: int | None
) -> None:
    """Over the change of the clocks on 25 October and the end of the month; each month by the stretch around it."""
    begin = instant_of("2026-10-23 12:00")
    stamps = sorted(
        (
            Stamp(f"s{n}", begin + timedelta(minutes=minute), direction, "clock", "epoch", n)
            for n, (minute, direction) in enumerate(minutes)
        ),
        key=lambda stamp: (stamp.at, stamp.seq),
    )
    on = date(2026, 10, corrected or 1)
    night = correction(f"{on}", "20:00", "04:00", end_day=f"{on + timedelta(1)}", requested="2026-11-20 12:00")
    corrections = [] if corrected is None else [night]
    entries = sheet(stamps, corrections).entries
    voids = (
        []
        if deleted_index is None or deleted_index >= len(entries)
        else [deleted(entries[deleted_index].id, stamps, corrections)]
    )
    day_by_stamp = filing_days(stamps, sheet(stamps, corrections, voids), DEFAULT)
    filed_ids: list[str] = []
    spans = [span_of(decision, DEFAULT) for decision in corrections]
    for first, last in ((date(2026, 10, 1), date(2026, 10, 31)), (date(2026, 11, 1), date(2026, 11, 30))):
        low, high = day_start(first, BERLIN), day_end(last, BERLIN)
        stretch = window([stamp.at for stamp in stamps], spans, low, high, DEFAULT)
        inside = [stamp for stamp in stamps if stretch.start <= stamp.at <= stretch.end]
        near = [decision for decision, span in zip(corrections, spans, strict=True) if stretch.holds(span)]
        month_days = filing_days(inside, sheet(inside, near, voids), DEFAULT)
        filed_ids += [stamp_id for stamp_id, day in month_days.items() if first <= day <= last]
        assert all(day_by_stamp[stamp_id] == day for stamp_id, day in month_days.items())
    assert sorted(filed_ids) == sorted(day_by_stamp)
