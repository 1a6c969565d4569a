"""A clock that has rescued another's card shows Kommen and Gehen like one that has taken all the stamps itself."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.cloud.wire import PEOPLE, STAMPS, PeopleChange, PersonRow
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import AnswerKind, Database
from stempelwerk_edge.storage import rescue
from stempelwerk_edge.storage.clock_state import ClockState, highest_row
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.outbox import Delivered, Outbox
from stempelwerk_edge.storage.rows import SEQ_BITS, Draft
from stempelwerk_edge.tap.history import AT_START, PER_TAG, History
from stempelwerk_edge.tap.presence import CloudState, PresenceState, Rules, Tap, state_of

from edge.tests.clockwork import MORNING, TAG, TestClock, TestIds, TestLog, draft
from edge.tests.rig import Rig
from edge.tests.test_journal import stamps
from edge.tests.test_tapping import Bench, bench

__all__ = ["bench"]  # a fixture

RULES = Rules(ZoneInfo("Europe/Berlin"))
TODAY = date(2026, 11, 20)
OTHER_TAG = "04C1D2E3F4A5B6"
NEVER = CloudState("out", None, 0, 0, TODAY)


def at_minute(minutes: float) -> datetime:
    return MORNING + timedelta(minutes=minutes)


def name(number: int) -> str:
    """The id of a stamp."""
    return f"01980000-0000-7000-8000-{number:012}"


def old_card(folder: Path, ids: TestIds, *starts: Sequence[Draft]) -> Path:
    """Makes a card with one start of the program for each list of stamps."""
    for drafts in starts:
        journal = Journal(folder, ids, TestLog(), reserve_bytes=4096)
        journal.open()
        for stamp_draft in drafts:
            journal.append(stamp_draft)
        journal.close()
    return folder


def rescued(folder: Path, journal: Journal, ids: TestIds) -> None:
    file = rescue.journal_on(folder)
    assert file is not None
    with tempfile.TemporaryDirectory() as scratch:
        contents = rescue.read_copy(file, Path(scratch), connect_sqlite)
    journal.write(lambda database: rescue.take(database, contents, ids.new))


def deliver(journal: Journal, count: int | None = None) -> set[str]:
    """Marks the first `count` waiting stamps as delivered, or all. Returns their ids."""
    outbox, seen_rows = Outbox(journal), set()
    while (count is None or len(seen_rows) < count) and (cut := outbox.cut(1)) is not None:
        (row,) = cut.rows
        values = (row.row,)
        journal.write(lambda db, values=values: db.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", values))
        seen_rows.add(row.draft.id)
    return seen_rows


def picture(journal: Journal, cloud_state: CloudState, tags: Iterable[str] = (TAG,)) -> PresenceState:
    """Returns the person's state as a clock shows it that has just started on this journal."""
    state = ClockState(journal)
    history = History(TrustedTime(TestClock()))
    history.load(state.recent(AT_START, PER_TAG))
    return state_of(history.taps_of(tuple(tags), state.unreflected()), cloud_state, RULES)


def reflected_state(journal: Journal, cloud_state: CloudState) -> CloudState:
    """Returns a person's row of a list that is fetched now."""
    delivered = Outbox(journal).delivered()
    ClockState(journal).store_unreflected(delivered.waiting)
    return replace(cloud_state, reflects=delivered.up_to)


# ---- the day of a swap


def test_who_came_at_the_old_clock_goes_at_the_new_one(bench: Bench, tmp_path: Path, ids: TestIds) -> None:
    bench.clock.advance(hours=9)
    rescued(old_card(tmp_path / "old", ids, [draft(name(1), tapped_at=at_minute(0))]), bench.journal, ids)
    bench.tapper.load()
    answer = bench.tapper.on_tag(TAG)
    assert answer is not None
    assert answer.kind is AnswerKind.OUT


def test_stamps_of_unknown_tags_leave_everybody_else_as_they_are(bench: Bench, tmp_path: Path, ids: TestIds) -> None:
    bench.clock.advance(hours=1)
    rescued(old_card(tmp_path / "old", ids, [draft(name(1), OTHER_TAG, at_minute(0))]), bench.journal, ids)
    bench.tapper.load()
    kinds = [answer.kind for tag in (OTHER_TAG, TAG) if (answer := bench.tapper.on_tag(tag)) is not None]
    assert kinds == [AnswerKind.UNKNOWN, AnswerKind.IN]


def test_a_list_that_reflects_the_rescued_stamps_wins(bench: Bench, tmp_path: Path, ids: TestIds) -> None:
    bench.clock.advance(hours=9)
    rescued(old_card(tmp_path / "old", ids, [draft(name(1), tapped_at=at_minute(0))]), bench.journal, ids)
    bench.tapper.load()
    deliver(bench.journal)
    delivered = Outbox(bench.journal).delivered()
    without_entries = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, 0, 0, -30)  # the company has deleted it
    bench.people.apply(PeopleChange("2", True, (without_entries,), ()), delivered.up_to, TODAY)
    bench.state.store_unreflected(delivered.waiting)
    answer = bench.tapper.on_tag(TAG)
    assert answer is not None
    assert answer.kind is AnswerKind.IN


def test_a_newer_rescued_stamp_counts_beside_many_older_ones_of_this_clock(
    journal: Journal, tmp_path: Path, ids: TestIds
) -> None:
    own_drafts = [
        draft(name(n + 2), tapped_at=at_minute(10 * n), shown=("in", "out")[n % 2]) for n in range(2 * PER_TAG)
    ]
    for stamp_draft in own_drafts:
        journal.append(stamp_draft)
    rescued(old_card(tmp_path / "old", ids, [draft(name(1), tapped_at=at_minute(1000))]), journal, ids)
    assert picture(journal, NEVER).open is not None


def test_a_card_that_was_used_on_counts_again_after_a_list_between_two_rescues(
    journal: Journal, tmp_path: Path, ids: TestIds
) -> None:
    with closing(Journal(tmp_path / "old", ids, TestLog(), reserve_bytes=4096)) as used_on:
        used_on.open()
        used_on.append(draft(name(1), tapped_at=at_minute(0)))
        rescued(tmp_path / "old", journal, ids)
        deliver(journal)
        cloud_state = reflected_state(journal, CloudState("in", at_minute(0), 0, 0, TODAY))
        assert picture(journal, cloud_state).direction == "in"
        used_on.append(draft(name(2), tapped_at=at_minute(60), shown="out"))
        rescued(tmp_path / "old", journal, ids)
    assert stamps(journal) == [name(1), name(2)]
    assert picture(journal, cloud_state).direction == "out"


def test_the_picture_stays_after_further_starts(rig: Rig, tmp_path: Path) -> None:
    rig.wait(minutes=5)
    rig.crash()
    ids = rig.ids
    with closing(Journal(rig.directory, ids, TestLog())) as journal:
        journal.open()
        rescued(old_card(tmp_path / "old", ids, [draft(name(1), tapped_at=MORNING)]), journal, ids)
    rig.has_luck("down")
    for _ in range(2):
        rig.start()
        rig.wait(minutes=1)
        rig.crash()
    rig.start()
    assert rig.tap().kind is AnswerKind.OUT


# ---- the list after the delivery


def rescue_between_starts(rig: Rig, tmp_path: Path) -> None:
    """Lets the old clock's Kommen of 07:00 come to a clock that has its list, while its revision stays the same."""
    rig.wait(minutes=65)
    rig.crash()
    ids = rig.ids
    with closing(Journal(rig.directory, ids, TestLog())) as journal:
        journal.open()
        rescued(old_card(tmp_path / "old", ids, [draft(name(1), tapped_at=MORNING)]), journal, ids)


def test_a_list_comes_after_the_rescued_rows_though_the_revision_is_the_same(rig: Rig, tmp_path: Path) -> None:
    rescue_between_starts(rig, tmp_path)
    rig.has_luck("down", STAMPS)
    lists = len(rig.requests(PEOPLE))
    rig.start()
    rig.wait(minutes=10)
    assert len(rig.requests(PEOPLE)) == lists
    rig.has_luck("ok")
    rig.wait(minutes=80)
    assert rig.cloud.revision == "1"
    assert len(rig.requests(PEOPLE)) == lists + 1
    assert rig.tap().kind is AnswerKind.IN  # the company has deleted the entries


def test_a_list_comes_where_a_crash_kept_that_it_reflects_the_rescued_rows(rig: Rig, tmp_path: Path) -> None:
    rescue_between_starts(rig, tmp_path)
    with closing(Journal(rig.directory, rig.ids, TestLog())) as journal:
        journal.open()
        deliver(journal)
        assert ClockState(journal).unreflected()
    rig.start()
    rig.wait(minutes=1)
    assert rig.tap().kind is AnswerKind.IN


def test_a_list_that_is_lost_is_asked_for_again(rig: Rig, tmp_path: Path) -> None:
    rescue_between_starts(rig, tmp_path)
    rig.has_luck("down", PEOPLE)
    rig.start()
    rig.wait(minutes=30)
    rig.has_luck("ok")
    rig.wait(minutes=30)
    assert rig.tap().kind is AnswerKind.IN


# ---- how much is read


def rescued_rows(journal: Journal, count: int, waiting: int) -> None:
    """Puts rows of another card into the journal. The last ones wait for delivery."""
    first = -1 << SEQ_BITS
    rows = [(first + n, name(n), None, TAG, "auto", n, "boot", n, "ntp", "reader", "in") for n in range(1, count + 1)]

    def work(database: Database) -> None:
        database.execute("INSERT INTO epochs VALUES (-1, 'another epoch', NULL, 0, 0)")
        for row in rows:
            database.execute(f"INSERT INTO stamps VALUES ({', '.join('?' * 11)})", row)
        for row in rows[: count - waiting]:
            database.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (row[0],))

    journal.write(work)


def steps_of(folder: Path, rows: int, waiting: int, read: Callable[[Journal, Outbox], object]) -> int:
    """Returns how many steps SQLite takes for a reading of a journal whose backlog has been counted."""
    connections: list[sqlite3.Connection] = []
    steps = 0

    def connect(path: Path) -> sqlite3.Connection:
        connections.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        return connections[-1]

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with closing(Journal(folder / f"{rows}-{waiting}", TestIds(), TestLog(), connect, reserve_bytes=4096)) as journal:
        rescued_rows(journal, rows, waiting)
        outbox = Outbox(journal)
        outbox.backlog()
        connections[-1].set_progress_handler(count, 1)
        read(journal, outbox)
    assert steps
    return steps


def test_a_list_reads_no_more_of_a_long_backlog_than_of_a_short_one(tmp_path: Path) -> None:
    short, long = (steps_of(tmp_path, rows, rows - 9, lambda _, outbox: outbox.delivered()) for rows in (100, 5000))
    assert long == short


def test_a_start_reads_no_more_of_a_long_card_than_of_a_short_one(tmp_path: Path) -> None:
    short, long = (
        steps_of(tmp_path, rows, 1, lambda journal, _: ClockState(journal).recent(10, PER_TAG)) for rows in (500, 5000)
    )
    assert long == short


def test_what_waits_goes_from_the_first_row_that_waits_to_the_last_of_other_cards(journal: Journal) -> None:
    rescued_rows(journal, 5, 2)
    journal.append(draft(name(99)))
    outbox = Outbox(journal)
    assert outbox.delivered() == Delivered(journal.read(highest_row) - 1, ((-(1 << SEQ_BITS) + 4, -1),))
    deliver(journal, 2)
    outbox = Outbox(journal)
    assert outbox.delivered() == Delivered(journal.read(highest_row) - 1, ())


def test_own_rows_that_wait_again_are_not_with_the_cloud_while_rescued_ones_wait(journal: Journal) -> None:
    rescued_rows(journal, 2, 2)
    row = journal.append(draft(name(99))).row
    journal.write(lambda database: database.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (row,)))
    outbox = Outbox(journal)
    assert outbox.delivered().up_to == row
    outbox.repeat_row(row)
    assert outbox.delivered().up_to == row - 1


def test_the_newest_stamps_of_several_cards_are_read_whatever_the_order_of_their_epochs(
    journal: Journal, tmp_path: Path, ids: TestIds
) -> None:
    for number, minutes in enumerate(([0, 30, 60], [20, 10, 50], [40])):
        drafts = [draft(name(minute), OTHER_TAG, at_minute(minute)) for minute in minutes]
        rescued(old_card(tmp_path / f"old-{number}", ids, drafts), journal, ids)
    newest = [row.draft.id for row in ClockState(journal).recent(5)]
    assert newest == [name(minute) for minute in (20, 30, 40, 50, 60)]


# ---- in general

Minutes = st.lists(st.integers(0, 2000), unique=True, max_size=24)


@dataclass(frozen=True)
class Taken:
    """A stamp of a generated story: its time, whether this clock took it, and its shown direction."""

    id: str
    at: datetime
    own: bool
    shown: str | None

    def draft(self) -> Draft:
        return draft(self.id, tapped_at=self.at, shown=self.shown)

    def tap(self, row: int) -> Tap:
        return Tap(self.id, self.at, "auto", "reader", self.shown, row)


@st.composite
def stories(draw: st.DrawFn) -> list[Taken]:
    minutes = sorted(draw(Minutes))
    return [
        Taken(name(n), at_minute(minute), draw(st.booleans()), draw(st.sampled_from(["in", "out", "double_tap", None])))
        for n, minute in enumerate(minutes)
    ]


def latest(taps: Iterable[Tap]) -> list[Tap]:
    return sorted(taps, key=lambda tap: tap.at)[-PER_TAG:]


@given(
    stories(),
    st.integers(0, 24),
    st.integers(0, 24),
    st.lists(st.integers(1, 24), max_size=3),
    st.sampled_from(["in", "out"]),
    st.one_of(st.none(), st.integers(0, 2000)),
)
def test_the_picture_is_that_of_a_clock_which_has_taken_all_stamps_itself(
    story: list[Taken], listed_before: int, delivered_after: int, cuts: list[int], state: str, since: int | None
) -> None:
    ids = TestIds()
    cloud_state = CloudState(state, None if since is None else at_minute(since), 0, 0, TODAY)
    own_taps, theirs = [taken for taken in story if taken.own], [taken for taken in story if not taken.own]
    bounds = [0, *sorted({min(cut, len(theirs)) for cut in cuts}), len(theirs)]
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Journal(Path(folder) / "new", ids, TestLog(), reserve_bytes=4096)) as journal,
    ):
        journal.open()
        for taken in own_taps[:listed_before]:
            journal.append(taken.draft())
        reflected = deliver(journal)
        fetched = reflected_state(journal, cloud_state)
        for taken in own_taps[listed_before:]:
            journal.append(taken.draft())
        drafts_by_start = [[taken.draft() for taken in theirs[a:b]] for a, b in pairwise(bounds)]
        rescued(old_card(Path(folder) / "old", ids, *drafts_by_start), journal, ids)
        for attempt in range(2):
            # A clock with all the stamps in its own journal: what the list reflects comes first there.
            expected = [taken.tap(0 if taken.id in reflected else 1) for taken in story]
            assert picture(journal, fetched) == state_of(latest(expected), replace(cloud_state, reflects=0), RULES)
            if not attempt:
                reflected |= deliver(journal, delivered_after)
                fetched = reflected_state(journal, cloud_state)
