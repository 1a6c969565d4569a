"""The laws of merging, with facts as nasty as they come: any order, any batching, any repetition, several clocks.

A history is a set of facts: stamps of three clocks, one of them in another firm, anchors, a tag that is given, a
release, decisions. It is played in two orders, batch by batch or several at once, into the same firms (emptied in
between) and must give the same rows, each id in one firm at most; and a state that was reached step by step must equal
a derivation from all facts. Stamps covered by corrections that made their shifts are inside their bounds.
"""

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.instants import MINUTE, from_ms
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding
from stempelwerk_cloud.timekeeping.status_bits import REASON, reason_number
from stempelwerk_cloud.timekeeping.times.held import held
from stempelwerk_cloud.timekeeping.tx import MEMORY
from stempelwerk_tools.postgres import PostgresServer
from stempelwerk_tools.untimed import examples

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock, iso, uuid7
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, add_clock, as_call
from cloud.tests.world import Firm, World

pytestmark = ON_BOTH

FOUND = "04AA55AA"
"""A tag without a holder until Ben is given it."""
WITHDRAWN = "04CC55CC"
"""A tag that Anna had until the second day."""
START = datetime(2026, 11, 16, 5, 0, tzinfo=UTC)
EVENING = MORNING + timedelta(hours=12)
STAMP_TABLES = [
    "receipts",
    "stamp_claims",
    "batches",
    "boots",
    "anchors",
    "epochs",
    "streams",
    "unassigned_stamps",
    "quarantined_stamps",
    "releases",
    "tag_numbers",
    "stamps",
    "resolutions",
    "person_numbers",
    "entries",
    "people_changes",
    "corrections",
    "voids",
    "counters",
]


@dataclass
class Stage:
    """Two firms with three clocks, the last in the other one, on one database, for all examples."""

    site: Site
    other_firm: Firm
    clocks: list[Clock]
    assignments: list[str]
    restored: list[str] = field(default_factory=list)

    def empty(self) -> None:
        platform = self.site.world.platform
        with platform.database.write(SYSTEM) as tx:
            for table in STAMP_TABLES:
                tx.execute(text(f"DELETE FROM {table}"))
            tx.execute(text("DELETE FROM tag_holdings WHERE tag = :tag"), {"tag": FOUND})
            tx.execute(text("UPDATE derivation_revisions SET revision = revision + 1"))
        MEMORY.pop(platform)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Returns the conclusions, without the numbers that only link rows."""
        with self.site.world.platform.database.read(SYSTEM) as tx:
            return {name: [tuple(row) for row in tx.execute(text(query))] for name, query in _QUERIES.items()}


_QUERIES = {
    "stamps": "SELECT s.id, s.company_id, t.tag, s.at, coalesce(s.wall_ms, s.at), s.boottime_ms, s.seq,"
    " s.reported_bits, s.status, s.waits, s.via, b.boot, x.epoch, x.device_no FROM stamps s"
    " JOIN tag_numbers t ON t.no = s.tag_no JOIN streams x ON x.no = s.stream_no JOIN boots b ON b.no = x.boot_no"
    " ORDER BY s.id, s.company_id, t.tag, s.at",
    "unassigned": "SELECT id, device_no, at, certain FROM unassigned_stamps ORDER BY id, device_no",
    "claims": "SELECT id, device_no, digest FROM stamp_claims ORDER BY id, device_no, digest",
    "entries": "SELECT p.user_id, e.date, e.id, e.start_at, e.end_at, e.device_no, e.start_minute, e.end_minute,"
    " e.raw_minutes, e.break_minutes, e.flags, e.is_correction FROM entries e"
    " JOIN person_numbers p ON p.no = e.person_no ORDER BY p.user_id, e.date, e.id",
    "gaps": "SELECT device_no, epoch, received, last_seq FROM epochs ORDER BY device_no, epoch",
}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("laws")
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        shutil.copyfile(template, folder / "laws.db")
        url = f"sqlite:///{folder / 'laws.db'}"
    else:
        url = postgres_server.new_database(request.getfixturevalue("postgres_template"))
    clock = SettableClock()
    app = create_app(Settings(database_url=url, data_dir=folder, web_dir=folder), clock=clock)
    with QuickClient(app) as client:
        site = add_clock(World(client, app.state.platform), clock)
        other_firm = site.world.firm("Bäckerei Krume")
        clocks = [site.device, site.another_clock("SW-T-2", 2), site.another_clock("SW-T-3", 3, other_firm)]
        for stage_clock, firm in zip(clocks, [site.firm, site.firm, other_firm], strict=True):
            site.assign(stage_clock, firm.id, "2026-11-17T04:00:00.000Z")
        clock.set(START + timedelta(days=1))
        with app.state.platform.database.write(SYSTEM) as tx:
            user = find_user(tx, site.firm.id, site.firm.anna.id)
            users.tags.give(UnitOfWork(tx, app.state.platform), user, WITHDRAWN, None)
            users.tags.withdraw(UnitOfWork(tx, app.state.platform), user, [WITHDRAWN], START + timedelta(days=2))
        clock.set(EVENING)
        yield Stage(site, other_firm, clocks, [stage_clock.assignment or "" for stage_clock in clocks])


@dataclass(frozen=True)
class Step:
    """Something that reaches the service: a batch of a clock, or a decision. `joins`: together with the one before."""

    kind: str
    clock: int = 0
    stamps: tuple[dict[str, Any], ...] = ()
    anchors: tuple[dict[str, Any], ...] = ()
    epoch: str = ""
    decision: Any = None
    joins: bool = False


@dataclass(frozen=True)
class History:
    stamps: tuple[tuple[int, str, dict[str, Any]], ...]
    """(clock, epoch, stamp)"""
    anchors: tuple[tuple[int, dict[str, Any]], ...]
    decisions: tuple[Any, ...]


_TAGS = st.sampled_from([ANNA, ANNA, ANNA, BEN, BEN, NOBODY, FOUND, WITHDRAWN, "04:a1:b2:c3", "büro"])
_MINUTES = st.one_of(
    st.integers(0, 5 * 24 * 60),
    st.builds(
        lambda day, hour, minute: day * 1440 + hour * 60 + minute,
        st.integers(0, 4),
        st.integers(0, 12),
        st.integers(0, 3),
    ),
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    rng = random.Random(draw(st.integers(0, 10_000)))
    boots = [[str(uuid7(START, rng)) for _ in range(2)] for _ in range(3)]
    epochs = [[str(uuid7(START, rng)) for _ in range(2)] for _ in range(3)]
    stamps: list[tuple[int, str, dict[str, Any]]] = []
    for number in range(draw(st.integers(1, 14))):
        clock, boot, epoch = draw(st.integers(0, 2)), draw(st.integers(0, 1)), draw(st.integers(0, 1))
        true = START + timedelta(minutes=draw(_MINUTES), seconds=draw(st.sampled_from([0, 0, 20, 59])))
        quality = draw(st.sampled_from(["ntp", "ntp", "ntp", "rtc", "manual", "none"]))
        wrong = (
            draw(st.sampled_from([0, 0, 0, 1, 3, 400])) if quality != "ntp" else draw(st.sampled_from([0, 0, 0, 1, 3]))
        )
        stamp = {
            "id": uuid7(true, rng),
            "seq": draw(st.integers(1, 20)),
            "assignment": draw(st.sampled_from(["own", "own", "own", "own", "own", None, "other", "garbage"])),
            "tag": draw(_TAGS),
            "direction": draw(st.sampled_from(["auto", "auto", "auto", "in", "out"])),
            "wall": iso(true + timedelta(seconds=wrong)),
            "boot": boots[clock][boot],
            "boottimeMs": int((true - START) / timedelta(milliseconds=1)) + boot * 7_000_000,
            "quality": quality,
            "via": draw(st.sampled_from(["reader", "reader", "screen", "scanner:S1"])),
            "shown": draw(st.sampled_from([None, "in", "out", "double_tap"])),
        }
        stamps.append((clock, epochs[clock][epoch], stamp))
        kind = draw(st.sampled_from(["", "", "", "", "variant", "rival"])) if number < 4 else ""
        if kind == "variant":
            stamps.append((clock, epochs[clock][epoch], stamp | {"direction": "out", "seq": 19}))
        elif kind == "rival":
            stamps.append(((clock + 1) % 3, epochs[(clock + 1) % 3][epoch], dict(stamp)))
    anchors = []
    for _ in range(draw(st.integers(0, 4))):
        clock, boot = draw(st.integers(0, 2)), draw(st.integers(0, 1))
        true = START + timedelta(minutes=draw(_MINUTES))
        lie = draw(st.sampled_from([0, 0, 0, 1500, 5000]))
        anchors.append(
            (
                clock,
                {
                    "boot": boots[clock][boot],
                    "boottimeMs": int((true - START) / timedelta(milliseconds=1)) + boot * 7_000_000,
                    "serverTime": iso(true + timedelta(milliseconds=lie)),
                    "rttMs": draw(st.sampled_from([0, 20, 900])),
                },
            )
        )
    return History(tuple(stamps), tuple(anchors), draw(_decisions(tuple(stamps))))


def _decisions(stamps: tuple[tuple[int, str, dict[str, Any]], ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    days = st.integers(0, 4)

    def correction(number: int, day: int, first: int, length: int, stamp_index: int | None) -> Correction:
        start = START + timedelta(days=day, hours=first)
        decided = EVENING - timedelta(minutes=10 - number)
        name = f"00000000-0000-7000-8000-0000000000c{number}"
        shift = None if stamp_index is None else stamps[stamp_index % len(stamps)][2]["id"]
        end = start + timedelta(hours=length)
        return Correction(name, date(2026, 11, 16 + day), start, end, None, decided, decided, shift)

    def void(number: int, day: int, first: int, length: int, stamp_index: int) -> Void:
        start = START + timedelta(days=day, hours=first)
        decided = EVENING - timedelta(minutes=20 - number)
        ids = frozenset({stamps[stamp_index % len(stamps)][2]["id"]})
        return Void(
            f"00000000-0000-7000-8000-0000000000d{number}", start, start + timedelta(hours=length), decided, ids
        )

    some = st.one_of(st.none(), st.integers(0, 30))
    corrections = st.builds(correction, st.integers(0, 1), days, st.integers(0, 12), st.integers(1, 9), some)
    voids = st.builds(void, st.integers(0, 1), days, st.integers(0, 12), st.integers(0, 5), st.integers(0, 30))
    end = st.lists(st.sampled_from(["tag", "release"]), unique=True, max_size=2)
    decided = st.lists(st.one_of(corrections, voids), max_size=2, unique_by=lambda decision: decision.id)
    return st.builds(lambda some, other_steps: (*some, *other_steps), end, decided)


@st.composite
def plays(draw: st.DrawFn, history: History) -> list[Step]:
    """The history as steps in some order: cut into batches, some of them sent again, decisions in between."""
    order = draw(st.permutations(history.stamps))
    steps: list[Step] = []
    while order:
        count = draw(st.integers(1, 5))
        clock, epoch, _ = order[0]
        delivered = [row for row in order if row[:2] == (clock, epoch)][:count]
        order = [row for row in order if row not in delivered]
        anchors = [anchor for number, anchor in history.anchors if number == clock and draw(st.booleans())]
        steps.append(Step("batch", clock, tuple(row[2] for row in delivered), tuple(anchors), epoch))
    steps += [draw(st.sampled_from(steps)) for _ in range(draw(st.integers(0, 2)))]
    steps += [Step("decision", decision=decision) for decision in history.decisions]
    steps = [replace(step, joins=draw(st.booleans())) for step in draw(st.permutations(steps))]
    last = {step.clock: step for step in steps if step.kind == "batch"}
    return steps + [
        Step(
            "batch",
            clock,
            step.stamps,
            tuple(anchor for number, anchor in history.anchors if number == clock),
            step.epoch,
        )
        for clock, step in sorted(last.items())
    ]


def canonical(history: History) -> list[Step]:
    """The same in the plainest way: decisions last, everything of an epoch in one batch with all anchors."""
    groups: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for clock, epoch, stamp in history.stamps:
        groups.setdefault((clock, epoch), []).append(stamp)
    steps = [
        Step(
            "batch", clock, tuple(stamps), tuple(anchor for number, anchor in history.anchors if number == clock), epoch
        )
        for (clock, epoch), stamps in sorted(groups.items())
    ]
    return steps + [Step("decision", decision=decision) for decision in history.decisions]


def play(stage: Stage, steps: list[Step]) -> None:
    stage.empty()
    crowd: list[Step] = []
    for step in steps:
        if crowd and not (step.kind == "batch" and step.joins):
            _deliver(stage, crowd)
            crowd = []
        if step.kind == "batch":
            crowd.append(step)
        else:
            _decide(stage, step.decision)
    _deliver(stage, crowd)


def _deliver(stage: Stage, steps: Sequence[Step]) -> None:
    """All of these at once."""
    calls = [as_call(stage.clocks[step.clock], _batch(stage, step)) for step in steps]
    for answer in merge(stage.site.world.platform, calls):
        assert isinstance(answer, bytes), answer
        results = json.loads(answer)["results"]
        assert all(row["outcome"] in {"stored", "duplicate", "variant"} for row in results)


def _batch(stage: Stage, step: Step) -> dict[str, Any]:
    clock = stage.clocks[step.clock]
    names = {"own": stage.assignments[step.clock], "other": stage.assignments[(step.clock + 1) % 3]}
    stamps = [stamp | {"assignment": names.get(stamp["assignment"], stamp["assignment"])} for stamp in step.stamps]
    return clock.batch(*stamps, epoch=step.epoch, anchors=list(step.anchors), lease=None, previous=None)


def _decide(stage: Stage, decision: Any) -> None:
    platform, firm = stage.site.world.platform, stage.site.firm
    with platform.database.write(SYSTEM) as tx:
        if decision == "tag":
            ben = find_user(tx, firm.id, firm.ben.id)
            users.give_tag(UnitOfWork(tx, platform), ben, FOUND, START + timedelta(days=1))
        elif decision == "release":
            device = stage.clocks[0].device_id
            ends_at = START + timedelta(days=3)
            held.release(UnitOfWork(tx, platform), device, START - timedelta(days=1), ends_at, firm.id)
        elif isinstance(decision, Correction):
            deciding.correct(UnitOfWork(tx, platform), firm.id, firm.anna.id, decision)
        else:
            deciding.void(UnitOfWork(tx, platform), firm.id, firm.anna.id, decision)


def differences(
    first_state: dict[str, list[tuple[Any, ...]]], second_state: dict[str, list[tuple[Any, ...]]]
) -> dict[str, Any]:
    """The rows that are only in one of two states."""
    differing = {
        name: (
            sorted(set(first_state[name]) - set(second_state[name])),
            sorted(set(second_state[name]) - set(first_state[name])),
        )
        for name in first_state
    }
    return {name: rows for name, rows in differing.items() if rows != ([], [])}


def _corrected(rows: dict[str, list[tuple[Any, ...]]]) -> list[datetime]:
    """When the stamps were made that corrections cover; a double tap goes with the stamp that it belongs to."""
    return [from_ms(row[3]) for row in rows["stamps"] if row[8] & REASON == reason_number("corrected")]


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_comes_to_the_same_rows_and_equals_a_rebuild(stage: Stage, data: st.DataObject) -> None:
    history = data.draw(histories())
    play(stage, data.draw(plays(history)))
    reached = stage.rows()
    ids = [row[0] for row in reached["stamps"]]
    assert len(ids) == len(set(ids))
    for firm in (stage.site.firm, stage.other_firm):
        with stage.site.world.platform.database.write(SYSTEM) as tx:
            rebuilt = deciding.rebuild(UnitOfWork(tx, stage.site.world.platform), firm.id)
        assert (rebuilt.entries, rebuilt.stamps) == ((), ())
    corrections = [decision for decision in history.decisions if isinstance(decision, Correction)]
    if all(correction.shift is None for correction in corrections):
        for stamped_at in _corrected(reached):
            assert any(
                correction.new_start - MINUTE <= stamped_at <= correction.new_end + MINUTE for correction in corrections
            )
    play(stage, canonical(history))
    assert differences(stage.rows(), reached) == {}
