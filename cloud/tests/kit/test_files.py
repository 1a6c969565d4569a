"""The file store: encrypted for one company and one file, and gone with the company's key."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import delete, func, select, update
from stempelwerk_cloud.app import FILES, build_platform, metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.store import NoSuchFile, Unreadable
from stempelwerk_cloud.kit.files.tables import CompanyKey, FileContent, StoredFile
from stempelwerk_cloud.kit.operations import backup
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH

SECRET = b"Diagnose: nichts, was jemanden angeht. " * 100
ONE, OTHER = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def keep(platform: Platform, company_id: str = ONE, content: bytes = SECRET) -> str:
    with platform.database.write(of_company(company_id)) as tx:
        return store.store(tx, platform, company_id, content, "image/png")


def opened(platform: Platform, file_id: str, company_id: str = ONE) -> tuple[bytes, str]:
    with platform.database.read(SYSTEM) as tx:
        return store.read(tx, platform, company_id, file_id)


def test_another_company_reads_nothing(platform: Platform) -> None:
    file_id = keep(platform)
    keep(platform, OTHER)
    with pytest.raises(NoSuchFile):
        opened(platform, file_id, OTHER)


def test_the_database_without_the_key_reveals_nothing(platform: Platform, tmp_path: Path) -> None:
    file_id = keep(platform)
    with platform.database.read(SYSTEM) as tx:
        stored_bytes = [
            tx.scalars(select(table)).one() for table in (CompanyKey.sealed, StoredFile.wrapped, FileContent.content)
        ]
    assert not [content for content in stored_bytes if SECRET[:20] in content]
    thief = build_platform(Settings(database_url=platform.settings.database_url, data_dir=tmp_path / "elsewhere"))
    with thief.database, pytest.raises(Unreadable):
        opened(thief, file_id)


def test_a_row_that_was_moved_does_not_open(platform: Platform) -> None:
    """To another company, or to another id; nor with another type, nor altered."""
    file_id, second, foreign = keep(platform), keep(platform, content=b"second"), keep(platform, OTHER)

    def moved(table: type[StoredFile] | type[FileContent], company_id: str, target: str, **changes: object) -> None:
        with platform.database.write(SYSTEM) as tx:
            file_column = table.id if table is StoredFile else FileContent.file_id
            tx.execute(update(table).where(table.company_id == company_id, file_column == target).values(**changes))
            with pytest.raises(Unreadable):
                store.read(tx, platform, company_id, target)
            tx.rollback()

    with platform.database.read(SYSTEM) as tx:
        content, wrapped = (
            tx.scalars(select(column).where(where)).one()
            for column, where in (
                (FileContent.content, FileContent.file_id == file_id),
                (StoredFile.wrapped, StoredFile.id == file_id),
            )
        )
    for company_id, target in ((ONE, second), (OTHER, foreign)):
        moved(FileContent, company_id, target, content=content)
        moved(StoredFile, company_id, target, wrapped=wrapped)
    moved(StoredFile, ONE, file_id, media_type="text/html")
    for broken in (content[:-1], content[:5], b"", content[:-1] + bytes([content[-1] ^ 1])):
        moved(FileContent, ONE, file_id, content=broken)
    assert opened(platform, file_id) == (SECRET, "image/png")


def test_a_company_key_is_no_good_for_another_company(platform: Platform) -> None:
    file_id = keep(platform)
    keep(platform, OTHER)
    with platform.database.write(SYSTEM) as tx:
        sealed = tx.scalars(select(CompanyKey.sealed).where(CompanyKey.company_id == OTHER)).one()
        tx.execute(update(CompanyKey).where(CompanyKey.company_id == ONE).values(sealed=sealed))
        with pytest.raises(Unreadable):
            store.read(tx, platform, ONE, file_id)
        tx.rollback()


def test_a_file_comes_back_as_it_was_kept(platform: Platform) -> None:
    for content in (b"", b"\0" * 10, SECRET, bytes(10 * 1024 * 1024)):
        file_id = keep(platform, content=content)
        assert opened(platform, file_id) == (content, "image/png")
    with platform.database.read(SYSTEM) as tx:
        assert store.media_types(tx, ONE, [file_id, OTHER]) == {file_id: "image/png"}
        assert store.media_types(tx, OTHER, [file_id]) == {}


def test_removing_a_file_removes_no_other(platform: Platform) -> None:
    first, second, foreign = keep(platform), keep(platform), keep(platform, OTHER)
    with platform.database.write(SYSTEM) as tx:
        store.remove(tx, ONE, [first, foreign, OTHER])
        assert tx.scalar(select(func.count()).select_from(FileContent)) == 2
    with pytest.raises(NoSuchFile):
        opened(platform, first)
    assert opened(platform, second)[0] == opened(platform, foreign, OTHER)[0] == SECRET


def test_files_of_a_company_without_its_key_are_unreadable(platform: Platform) -> None:
    forgotten, retained_file = keep(platform), keep(platform, OTHER)
    with platform.database.write(SYSTEM) as tx:
        tx.execute(delete(CompanyKey).where(CompanyKey.company_id == ONE))
    with pytest.raises(Unreadable):
        opened(platform, forgotten)
    assert opened(platform, retained_file, OTHER)[0] == SECRET
    later = keep(platform)
    assert opened(platform, later)[0] == SECRET
    with pytest.raises(Unreadable):
        opened(platform, forgotten)


def test_two_first_files_at_once_make_one_key(platform: Platform) -> None:
    start = Barrier(4)

    def first(_: int) -> str:
        start.wait(60)
        return keep(platform)

    with ThreadPoolExecutor(4) as pool:
        file_ids = list(pool.map(first, range(4)))
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(CompanyKey)) == 1
    assert {opened(platform, file_id)[0] for file_id in file_ids} == {SECRET}


@ON_BOTH
def test_files_come_back_from_a_backup(platform: Platform, empty: Database, tmp_path: Path) -> None:
    """With the installation's key, which belongs to it; on either database."""
    file_id, archive = keep(platform), tmp_path / "backup.tar.gz"
    backup.backup(platform.database, metadata(), platform.settings.data_dir, archive, files=FILES)
    backup.restore(empty, tmp_path / "restored", archive)
    url = empty.engine.url.render_as_string(hide_password=False)
    restored = build_platform(Settings(database_url=url, data_dir=tmp_path / "restored"))
    with restored.database:
        assert opened(restored, file_id) == (SECRET, "image/png")
