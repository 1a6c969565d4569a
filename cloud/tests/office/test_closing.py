"""A company's end: all of it is given to it, kept as long as it must be, then gone, and a signed paper stays."""

import hashlib
import io
import json
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import FILES, JOBS, build_platform, metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain import statement as seals
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.operations import backup, service_time
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.closing import archive, purging
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.office.records.data import steps
from stempelwerk_cloud.office.statement import keys
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.directory.tables import Company, Tombstone, User
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.timekeeping.ledger.tables import UnassignedStamp

from cloud.tests.counting import statements_of
from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL, ON_SQLITE
from cloud.tests.device_client import states
from cloud.tests.office.people import booked, set_weekly, worked
from cloud.tests.planning.plain_files import jpeg
from cloud.tests.room import given, logged
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, hours
from cloud.tests.waiting import one_after_the_other

AT_THE_END = datetime(2029, 1, 1, 6, tzinfo=UTC)
"""The company of these tests is closed in November 2026, and keeps times for two years."""
Restored = Callable[[Callable[[], object]], AbstractContextManager[Platform]]
STAY = {"companies", "tombstones", "buried_assignments"}


def _rows(platform: Platform, company_id: str) -> dict[str, int]:
    """Returns the number of the company's rows in each table."""
    with platform.database.read(SYSTEM) as tx:
        counts = {
            table.name: tx.scalar(select(func.count()).select_from(table).where(table.c[column] == company_id))
            for table in Base.metadata.sorted_tables
            for column in ("company_id" if "company_id" in table.c else "id" if table.name == "companies" else None,)
            if column
        }
    return {name: count for name, count in counts.items() if count}


def _closed(site: Site) -> dict[str, Any]:
    (row,) = site.founder.get("/api/closed-companies").json()
    return dict(row)


def _purged(site: Site) -> dict[str, Any]:
    """Stamps, closes and purges the company; returns its row on the operator's page."""
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(NOBODY, MORNING))
    assert site.founder.delete(f"/api/companies/{site.firm.id}").status_code == 204
    site.clock.set(AT_THE_END)
    purging.go_round(site.world.platform)
    return _closed(site)


# -- the archive


@ON_BOTH
def test_the_archive_is_its_companys_and_holds_everybody_exports_times_and_papers(site: Site) -> None:
    firm = site.firm
    firm.boss, firm.anna = site.somebody(firm.boss), site.somebody(firm.anna)
    set_weekly(firm, 2400)
    worked(firm.anna, "2026-10-05", "08:00", "16:30")
    assert firm.boss.get(f"/api/companies/{firm.id}/export?month=2026-10&format=csv").status_code == 200
    assert site.founder.get(f"/api/companies/{firm.id}/archive").status_code == 403
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    answer = firm.boss.get(f"/api/companies/{firm.id}/archive")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    names = archive.namelist()
    assert len([name for name in names if name.endswith("/auskunft.html")]) == 3  # who was deleted, too
    assert {"papiere/verfahrensdokumentation.pdf", "papiere/auftragsverarbeitung.pdf"} <= set(names)
    assert [name for name in names if name.startswith("exporte/")] == ["exporte/0001-times_2026-10.csv"]
    assert "08:00" in archive.read("zeiten/zeiten-2026.csv").decode("utf-8-sig")
    entries = json.loads(archive.read("personen/0001-anna/daten/entries.json"))
    assert [row["date"] for row in entries] == ["2026-10-05"]
    (row,) = firm.boss.get(f"/api/companies/{firm.id}/archives").json()
    assert (row["done"], row["of"], row["begunBy"]) == (3, 3, "chefin")
    assert (row["bytes"], row["sha256"]) == (len(answer.content), hashlib.sha256(answer.content).hexdigest())
    body = site.founder.get(f"/api/companies/{firm.id}/closing").json()
    assert (body["purgeOn"], body["archive"]["sha256"]) == ("2032-12-31", row["sha256"])  # an export: six years
    assert "company.archived" in logged(firm.world, firm.id)


@ON_BOTH
def test_an_archive_holds_nothing_of_switched_off_modules_nor_what_is_somebodys_own(site: Site) -> None:
    firm = site.firm
    firm.boss, firm.anna = site.somebody(firm.boss), site.somebody(firm.anna)
    with site.world.platform.database.write(SYSTEM) as tx:
        file_id = store.store(tx, site.world.platform, firm.id, jpeg(), "image/jpeg")
    given(firm.anna, Absence, date="2026-11-16", kind="sick", status="open", file_id=file_id)
    assert firm.boss.get(f"/api/companies/{firm.id}/export?month=2026-10&format=csv").status_code == 200

    def names() -> set[str]:
        answer = firm.boss.get(f"/api/companies/{firm.id}/archive")
        return {name.rpartition("/")[2] for name in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()}

    all_names = names()
    assert {"absences.json", "duties.json", "krankmeldung-2026-11-16-1.jpg", "0001-times_2026-10.csv"} <= all_names
    assert all_names.isdisjoint(
        {"web_sessions.json", "messages.json", "notice_choices.json", "push_subscriptions.json"}
    )
    assert logged(firm.world, firm.id, "absence.note_read") == ["absence.note_read"]
    site.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    visible_names = names()
    assert visible_names < all_names | {"was-hier-fehlt.txt"}
    assert {"entries.json", "stamps.json", "zeiten-2026.csv", "was-hier-fehlt.txt"} <= visible_names
    assert visible_names.isdisjoint(
        {"absences.json", "duties.json", "krankmeldung-2026-11-16-1.jpg", "0001-times_2026-10.csv"}
    )
    assert logged(firm.world, firm.id, "absence.note_read") == ["absence.note_read"]


@ON_BOTH
def test_an_archive_holds_of_each_person_what_their_own_file_holds(site: Site) -> None:
    firm = site.firm
    firm.boss, firm.anna, firm.ben = (site.somebody(person) for person in (firm.boss, firm.anna, firm.ben))
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(BEN, MORNING))
    for person, day in ((firm.ben, "2026-10-05"), (firm.anna, "2026-10-06"), (firm.ben, "2026-10-07")):
        worked(person, day, "08:00", "16:30")
        booked(person, day, 30, "Ausgleich")
    assert firm.boss.put(f"/api/users/{firm.ben.id}", json={"username": "benno"}).status_code == 200

    def file(path: str) -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(firm.boss.get(path).content))

    archived = file(f"/api/companies/{firm.id}/archive")
    for folder, user_id, entries in (("0001-anna", firm.anna.id, 2), ("0002-benno", firm.ben.id, 3)):
        alone = file(f"/api/users/{user_id}/data")
        contents = {name: archived.read(f"personen/{folder}/{name}") for name in alone.namelist()}
        log = "daten/audit_entries.json"
        stays = contents.keys() - {log, "auskunft.html"}
        assert {name: contents[name] for name in stays} == {name: alone.read(name) for name in stays}
        decisions = json.loads(contents[log])
        assert json.loads(alone.read(log))[: len(decisions)] == decisions != []
        assert [len(json.loads(contents[f"daten/{name}.json"])) for name in ("stamps", "entries")] == [1, entries]


@ON_BOTH
def test_nine_people_of_an_archive_are_read_by_as_many_statements_as_two(site: Site) -> None:
    platform, firm = site.world.platform, site.firm
    boss = site.somebody(firm.boss)
    with platform.database.read(SYSTEM) as tx:
        caller = sessions.caller_of(tx, boss.token, platform.clock.now())
    assert caller is not None
    for number in range(9):
        booked(firm.world.user(firm.id, f"person {number}"), "2026-11-17", 30, "Ausgleich")
    people = archive.begin(platform, caller[0]).people[-9:]
    few = statements_of(platform, lambda: list(steps(platform, people[:2])))
    many = statements_of(platform, lambda: list(steps(platform, people)))
    assert 20 < few == many


@ON_BOTH
def test_an_archive_that_nobody_takes_to_its_end_is_none(site: Site) -> None:
    boss = site.somebody(site.firm.boss)
    platform = site.world.platform
    with platform.database.read(SYSTEM) as tx:
        caller = sessions.caller_of(tx, boss.token, platform.clock.now())
    assert caller is not None
    begun = archive.begin(platform, caller[0])

    async def chunks() -> AsyncIterator[bytes]:
        yield b"some"
        yield b"last"

    async def break_off() -> bytes:
        async for chunk in archive.watched(platform, begun)(chunks()):
            return chunk
        return b""

    assert anyio.run(break_off) == b"some"
    (row,) = boss.get(f"/api/companies/{site.firm.id}/archives").json()
    assert (row["endedAt"], row["sha256"]) == (None, None)
    assert site.founder.get(f"/api/companies/{site.firm.id}/closing").json()["archive"] is None


# -- the purge


def test_nothing_goes_before_its_last_period_has_ended(site: Site) -> None:
    platform, firm = site.world.platform, site.firm
    given(site.somebody(firm.boss), Export, month="2026-10", format="csv", progress="done", keep_until="2032-12-31")
    site.founder.delete(f"/api/companies/{firm.id}")
    for instant, is_purged in (
        (AT_THE_END, False),
        (datetime(2032, 12, 31, 22, tzinfo=UTC), False),
        (datetime(2032, 12, 31, 23, 1, tzinfo=UTC), True),
    ):
        site.clock.set(instant)
        purging.go_round(platform)
        assert ("users" not in _rows(platform, firm.id)) == is_purged


def test_an_open_company_and_one_that_is_due_later_are_never_purged(site: Site) -> None:
    purging.purge(site.world.platform, site.firm.id)
    site.founder.delete(f"/api/companies/{site.firm.id}")
    purging.purge(site.world.platform, site.firm.id)
    assert "users" in _rows(site.world.platform, site.firm.id)
    assert _closed(site)["purgeOn"] == "2028-12-31"


def test_what_is_left_is_its_tombstone_and_other_companies_keep_all_of_theirs(site: Site) -> None:
    platform = site.world.platform
    other_firm = site.world.firm("Andere GmbH")
    booked(other_firm.anna, "2026-11-17", 30, "Ausgleich")
    initial = _rows(platform, other_firm.id)
    _purged(site)
    assert _rows(platform, site.firm.id).keys() == STAY
    assert _rows(platform, other_firm.id) == initial
    assert "company.purged" in logged(site.world, site.world.operator_id)


@ON_BOTH
def test_the_tombstone_says_what_went_and_its_signature_is_the_installations(site: Site) -> None:
    row = _purged(site)
    assert (row["purgeOn"], row["purgedAt"]) == (None, "2029-01-01T06:00:00.000Z")
    content = row["tombstone"].encode()
    paper = json.loads(content)
    assert paper["company"] == {"id": site.firm.id, "name": site.firm.name}
    assert (paper["rows"]["stamps"], paper["rows"]["users"]) == (2, 3)
    published = site.founder.get("/.well-known/stempelwerk-keys.json").json()["keys"]
    verify = keys.verifiers(published)[paper["kid"]]
    signature = keys._bytes(paper.pop("signature"))
    assert verify(signature, seals.canonical(paper))
    paper["rows"]["stamps"] = 1
    assert not verify(signature, seals.canonical(paper))
    assert seals.check(content, {paper["kid"]: verify}).code == "format"  # and it is no statement of a month


@ON_POSTGRESQL
def test_of_two_who_purge_at_once_one_does(site: Site, platform: Platform) -> None:
    site.founder.delete(f"/api/companies/{site.firm.id}")
    site.clock.set(AT_THE_END)
    row = select(Company.id).where(Company.id == site.firm.id).with_for_update()
    one_after_the_other(
        platform,
        lambda tx: tx.execute(row),
        lambda: purging.purge(platform, site.firm.id),
        lambda: purging.purge(platform, site.firm.id),
    )
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(Tombstone)) == 1
    assert logged(site.world, site.world.operator_id).count("company.purged") == 1


def test_the_audit_log_of_a_company_without_a_tombstone_stays(site: Site, platform: Platform) -> None:
    site.founder.delete(f"/api/companies/{site.firm.id}")
    postgres = platform.database.dialect == "postgresql"
    purged = (
        "SELECT bury_audit_entries(CAST(:id AS uuid))"
        if postgres
        else "DELETE FROM audit_entries WHERE company_id = :id"
    )
    with pytest.raises(DatabaseError, match="what is written stays"), platform.database.write(SYSTEM) as tx:
        tx.execute(text(purged), {"id": site.firm.id})


def test_the_heads_that_somebody_wrote_down_may_be_of_a_company_that_is_no_more(site: Site, platform: Platform) -> None:
    with platform.database.read(SYSTEM) as tx:
        heads = audit.verify(tx).heads
    _purged(site)
    with platform.database.read(SYSTEM) as tx:
        report = audit.verify(tx, heads)
    assert report.broken is None
    assert report.heads[site.firm.id][0] == 0


@pytest.fixture
def restored(site: Site, database: Database, settings: Settings, empty: Database, tmp_path: Path) -> Restored:
    """Does something, restores a backup from before that into another database, and removes there what is over."""

    @contextmanager
    def after_action(action: Callable[[], object]) -> Iterator[Platform]:
        file = tmp_path / "backup.tar.gz"
        backup.backup(database, metadata(), settings.data_dir, file, files=FILES)
        action()
        backup.restore(empty, tmp_path / "restored", file)
        url = empty.engine.url.render_as_string(hide_password=False)
        restarted = build_platform(Settings(database_url=url, data_dir=tmp_path / "restored"))
        restarted.clock = site.clock
        try:
            assert _rows(restarted, site.firm.id)["stamps"] == 2
            service_time.confirm(restarted.database, site.clock.now())  # the backup is years old
            jobs.remove_over(restarted, JOBS)
            yield restarted
        finally:
            restarted.database.dispose()

    return after_action


@ON_SQLITE
def test_a_backup_from_before_the_purge_does_not_bring_the_company_back(site: Site, restored: Restored) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(NOBODY, MORNING))
    assert site.founder.delete(f"/api/companies/{site.firm.id}").status_code == 204

    def purge() -> None:
        site.clock.set(AT_THE_END)
        purging.go_round(site.world.platform)

    with restored(purge) as restarted:
        assert _rows(restarted, site.firm.id).keys() == STAY
        with restarted.database.read(SYSTEM) as session:
            paper = session.get_one(Tombstone, site.firm.id).content
        assert json.loads(paper)["purgedAt"] == format_instant(AT_THE_END)


@ON_SQLITE
def test_a_backup_brings_no_times_back_that_are_over_nor_who_was_erased(site: Site, restored: Restored) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(NOBODY, MORNING))
    assert site.somebody(site.firm.boss).delete(f"/api/users/{site.firm.anna.id}").status_code == 204
    with restored(lambda: site.clock.set(AT_THE_END)) as restarted:
        assert _rows(restarted, site.firm.id).keys().isdisjoint({"entries", "stamps"})
        with restarted.database.read(SYSTEM) as session:
            anna = session.get_one(User, (site.firm.id, site.firm.anna.id))
            assert anna.erased_at == AT_THE_END


def test_no_company_sees_a_foreign_tombstone(site: Site, platform: Platform) -> None:
    _purged(site)
    if platform.database.dialect == "postgresql":
        with platform.database.read(of_company(site.world.firm("Andere GmbH").id)) as tx:
            assert tx.scalar(select(func.count()).select_from(Tombstone)) == 0


# -- stamps that come later


def test_stamps_that_come_after_it_are_counted_once_and_not_kept(site: Site, platform: Platform) -> None:
    device = site.device
    late = [device.tap(ANNA, MORNING + hours(number)) for number in (1, 2)]
    _purged(site)
    assert states(device.deliver(*late)) == ["held_assignment"] * 2
    assert _closed(site)["lateStamps"] == 2
    device.deliver(*late)
    assert _closed(site)["lateStamps"] == 2
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(UnassignedStamp)) == 0
    assert site.founder.get("/api/held-stamps").json() == []
    assert _rows(platform, site.firm.id).keys() == STAY


def test_the_clock_serves_its_next_company_and_keeps_what_is_nobodys(site: Site) -> None:
    _purged(site)
    other_firm = site.world.firm("Andere GmbH")
    site.assign(site.device, other_firm.id)
    site.device.beat()
    assert states(site.device.deliver(site.device.tap(NOBODY, AT_THE_END))) == ["held_unknown_tag"]
    assert _closed(site)["lateStamps"] == 0
