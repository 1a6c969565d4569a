"""The review, newest first: flagged entries and those that were left open, whatever has been swept before."""

import random
import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, or_, select, text
from sqlalchemy.orm import Session
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import lock_rules
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding
from stempelwerk_cloud.timekeeping.ledger.tables import DerivationRevision, PersonNumber, TimeEntry
from stempelwerk_cloud.timekeeping.status_bits import FLAGS, LEFT_OPEN, flag_words
from stempelwerk_cloud.timekeeping.times.reading.times import is_running
from stempelwerk_cloud.timekeeping.times.review import review

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.timekeeping.test_partial_indexes import plans
from cloud.tests.world import Firm

HOUR_MS = 3_600_000
SEEDS = range(4)
SWEEP = next(job for job in JOBS if job.name == "sweep_open_entries")
ReviewRows = list[tuple[str, str, str, list[str]]]


def by_the_old_rule(
    platform: Platform, company_id: str, now: datetime, limit: int, before_id: str | None
) -> ReviewRows:
    """Reads all that is flagged or open, and looks at each."""
    statement = select(TimeEntry, PersonNumber.user_id).join(
        PersonNumber, (PersonNumber.company_id == TimeEntry.company_id) & (PersonNumber.no == TimeEntry.person_no)
    )
    statement = statement.where(
        TimeEntry.company_id == company_id, or_(TimeEntry.flags != 0, TimeEntry.end_at.is_(None))
    )
    rows: ReviewRows = []
    with platform.database.read(SYSTEM) as tx:
        rules = settings.rules_of(tx, company_id)
        for entry, user_id in tx.execute(statement.order_by(TimeEntry.id.desc())):
            flags = flag_words(entry.flags)
            running = entry.start_at is not None and is_running(ms_of(entry.start_at), rules, now)
            if entry.end_at is None and "missing_out" not in flags and not running:
                flags.append("missing_out")
            if flags and (before_id is None or entry.id < before_id):
                rows.append((entry.id, user_id, str(entry.date), flags))
    return rows[:limit]


def page(
    platform: Platform, company_id: str, limit: int, before_id: str | None = None
) -> tuple[ReviewRows, str | None]:
    with platform.database.read(of_company(company_id)) as tx:
        rows, next_id = review.page(tx, company_id, platform.clock.now(), limit, before_id)
    return [(row.entry_id, row.user_id, str(row.date), row.flags) for row in rows], next_id


def swept(platform: Platform) -> None:
    with platform.database.write(SYSTEM) as tx:
        review.sweep(tx, platform.clock.now())


def _entry(rng: random.Random, people: Sequence[PersonNumber], now_ms: int, n: int) -> dict[str, Any]:
    """Most are complete and unflagged; some have begun a few hours ago, around where a shift is too long."""
    start = (
        now_ms
        - rng.choice([rng.randrange(1, 40) * HOUR_MS, rng.randrange(1, 400) * 8 * HOUR_MS])
        + rng.randrange(3)
        - 1
    )
    is_open = rng.random() < 0.3
    return {
        "company_id": people[0].company_id,
        "person_no": rng.choice(people).no,
        "date": from_ms(start + HOUR_MS).date(),
        "id": str(uuid.UUID(int=start << 80 | n << 40 | rng.getrandbits(40))),
        "start_at": None if not is_open and rng.random() < 0.1 else from_ms(start),
        "end_at": None if is_open else from_ms(start + 8 * HOUR_MS),
        "flags": 1 << rng.randrange(len(FLAGS)) if rng.random() < 0.2 else 0,
        "is_correction": False,
    }


def _write(platform: Platform, rng: random.Random, firm: Firm, now_ms: int, count: int) -> None:
    with platform.database.write(SYSTEM) as tx:
        people = tx.scalars(select(PersonNumber).where(PersonNumber.company_id == firm.id)).all()
        tx.execute(insert(TimeEntry), [_entry(rng, people, now_ms, n) for n in range(count)])


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_tell_what_the_old_rule_tells_however_far_was_swept(
    firm: Firm, platform: Platform, clock: SettableClock, seed: int
) -> None:
    rng = random.Random(seed)
    settings = {
        "maxShiftHours": rng.choice([8, 12, 24]),
        "validFrom": f"{START - timedelta(days=rng.randrange(3)):%Y-%m-%d}",
    }
    firm.boss.put(f"/api/companies/{firm.id}/settings", json=settings)
    _write(platform, rng, firm, ms_of(START), 150)
    for _ in range(3):
        whole_list = by_the_old_rule(platform, firm.id, clock.now(), 1000, None)
        assert len(whole_list) > 30
        for limit in (1, 7, len(whole_list) - 1, len(whole_list), 1000):
            read_rows, before_id = page(platform, firm.id, limit)
            while before_id is not None:
                assert before_id == read_rows[-1][0]
                next_rows, before_id = page(platform, firm.id, limit, before_id)
                assert len(next_rows) == limit or before_id is None
                read_rows += next_rows
            assert read_rows == whole_list
        somewhere = str(uuid.UUID(int=rng.getrandbits(127)))
        for place in (rng.choice(whole_list)[0], somewhere):
            expected = by_the_old_rule(platform, firm.id, clock.now(), 5, place)
            assert page(platform, firm.id, 5, place)[0] == expected
        swept(platform)
        clock.advance(hours=rng.randrange(1, 60))


def test_who_is_working_is_not_to_be_looked_at(site: Site) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(8)))
    assert site.boss.get(f"/api/companies/{site.firm.id}/review").json() == []


def _reviewed(site: Site) -> list[tuple[str, list[str]]]:
    rows = site.boss.get(f"/api/companies/{site.firm.id}/review").json()
    return [(row["date"], row["flags"]) for row in rows]


@ON_BOTH
def test_a_page_of_the_review_begins_behind_an_own_entry_alone_also_one_that_is_settled(
    site: Site,
) -> None:
    other_firm = site.world.firm("Andere")
    company, foreign = f"/api/companies/{site.firm.id}/review", f"/api/companies/{other_firm.id}/review"
    site.device.deliver(*(site.device.tap(tag, MORNING) for tag in (ANNA, "04D4E5F6")))
    clock = site.another_clock(firm=other_firm)
    clock.deliver(clock.tap(ANNA, MORNING))
    site.clock.advance(days=5)
    (strange,) = (row["entryId"] for row in site.somebody(other_firm.boss).get(foreign).json())
    newest, oldest = (row["entryId"] for row in site.boss.get(company).json())
    answer = site.boss.get(f"{company}?before={strange}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "before")
    site.boss.post(f"{company}/{newest}/confirm", json={"flags": ["missing_out"], "comment": ""})
    rows = site.boss.get(f"{company}?before={newest}").json()
    assert [row["entryId"] for row in rows] == [oldest]


def test_an_entry_that_was_left_open_is_shown_the_same_before_and_after_it_is_marked(
    site: Site, platform: Platform
) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    site.clock.advance(days=5)
    times, reviewed = site.times(), _reviewed(site)
    assert reviewed == [("2026-11-20", ["missing_out"])]
    swept(platform)
    assert (site.times(), _reviewed(site)) == (times, reviewed)
    assert _marks(platform) == [LEFT_OPEN]


def _marks(platform: Platform) -> list[int]:
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(TimeEntry.flags)))


def test_what_comes_late_for_a_day_that_was_swept_is_seen_at_once_and_settled_by_its_end(
    site: Site, platform: Platform
) -> None:
    late = [site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(8))]
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(10)))
    site.clock.advance(days=9)
    swept(platform)
    site.device.deliver(late[0])
    assert (site.spans(), _marks(platform)[0] & LEFT_OPEN) == ([("2026-11-20", "07:00", "17:00")], 0)
    site.device.deliver(late[1])
    assert _reviewed(site) == [("2026-11-20", ["missing_out"])]
    assert site.spans() == [("2026-11-20", "07:00", "15:00"), ("2026-11-20", "17:00", None)]


def test_a_rebuild_finds_nothing_after_a_sweep(site: Site, platform: Platform) -> None:
    site.device.deliver(*(site.device.tap(ANNA, MORNING + hours(n)) for n in (0, 4, 5)))
    site.clock.advance(days=5)
    swept(platform)
    with platform.database.write(SYSTEM) as tx:
        assert deciding.rebuild(UnitOfWork(tx, platform), site.firm.id).entries == ()


def test_every_company_has_its_turn_and_none_a_second_one_on_a_day(site: Site, platform: Platform) -> None:
    other_firm = site.world.firm("Andere")
    device = site.another_clock("SW-T-3", 3, other_firm)
    for clock in (site.device, device):
        clock.deliver(clock.tap(ANNA, MORNING))
    site.clock.advance(days=5)
    for _ in range(3):
        swept(platform)
    with platform.database.read(SYSTEM) as tx:
        revisions = tx.execute(select(DerivationRevision.company_id, DerivationRevision.swept_to)).all()
        all_revisions = tx.scalars(select(DerivationRevision.revision)).all()
    assert {row.company_id: row.swept_to for row in revisions} == {
        site.firm.id: date(2026, 11, 22),
        other_firm.id: date(2026, 11, 22),
    }
    swept(platform)
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(DerivationRevision.revision)).all() == all_revisions
    assert _marks(platform) == [LEFT_OPEN] * 2


@pytest.fixture
def three(site: Site) -> list[str]:
    """Firms, each with an entry that was left open, in the order of their turns."""
    firms = [site.firm, *(site.world.firm(name) for name in ("Andere", "Dritte"))]
    clocks = [site.device, *(site.another_clock(f"SW-T-{n}", n, firm) for n, firm in enumerate(firms[1:], 3))]
    for clock in clocks:
        clock.deliver(clock.tap(ANNA, MORNING))
    site.clock.advance(days=5)
    return sorted(firm.id for firm in firms)


def _swept(platform: Platform) -> list[str]:
    """The companies whose entries are marked, and noted as swept."""
    with platform.database.read(SYSTEM) as tx:
        marked = set(tx.scalars(select(TimeEntry.company_id).where(TimeEntry.flags >= LEFT_OPEN)))
        noted = set(tx.scalars(select(DerivationRevision.company_id).where(DerivationRevision.swept_to.is_not(None))))
    assert marked == noted
    return sorted(marked)


def test_one_turn_of_the_job_sweeps_every_company_that_is_due(three: list[str], platform: Platform) -> None:
    jobs.run_once(platform, SWEEP)
    assert _swept(platform) == three


def test_each_company_is_swept_in_a_transaction_of_its_own(
    three: list[str], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = lock_rules

    def locked(tx: Session, company_id: str) -> None:
        assert company_id != three[2]
        lock(tx, company_id)

    with monkeypatch.context() as then:
        then.setattr(review, "lock_rules", locked)
        jobs.run_once(platform, SWEEP)
    assert _swept(platform) == three[:2]
    jobs.run_once(platform, SWEEP)
    assert _swept(platform) == three


def test_companies_that_several_processes_sweep_at_once_have_one_turn_each(
    three: list[str], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[object] = []
    monkeypatch.setattr(jobs.log, "error", lambda _event, exc_info, **_: failed.append(exc_info))
    revisions_before = _revisions(platform)
    gate = threading.Barrier(4)

    def turn(_: int) -> None:
        gate.wait(60)
        jobs.run_once(platform, SWEEP)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(turn, range(4)))
    assert (failed, _swept(platform)) == ([], three)
    assert _revisions(platform) == {company: revision + 1 for company, revision in revisions_before.items()}


def _revisions(platform: Platform) -> dict[str, int]:
    with platform.database.read(SYSTEM) as tx:
        return {row.company_id: row.revision for row in tx.scalars(select(DerivationRevision))}


def test_a_page_reads_about_as_many_entries_as_it_tells(
    firm: Firm, platform: Platform, owner: Database, clock: SettableClock
) -> None:
    rng = random.Random(1)
    _write(platform, rng, firm, ms_of(START) - 30 * 24 * HOUR_MS, 6000)
    swept(platform)
    with owner.engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    with platform.database.read(of_company(firm.id)) as tx, plans(tx) as plan_lines:
        assert len(review.page(tx, firm.id, START, 10, None)[0]) == 10
        assert "ix_entries_flagged" in plan_lines()
