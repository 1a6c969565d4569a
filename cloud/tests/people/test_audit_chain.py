"""The audit log: nothing in the program changes it, and tampering outside of the program is detected."""

import hashlib
import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit import chain, service
from stempelwerk_cloud.people.audit.service import Checked, ErasableText
from stempelwerk_cloud.people.audit.tables import AuditEntry, AuditWord
from stempelwerk_cloud.people.directory.tables import Company

from cloud.tests.databases import ON_BOTH
from cloud.tests.world import World

pytestmark = ON_BOTH

FIRST = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a51"
SECOND = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a52"
THIRD = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a53"
ANNA = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4aaa"

Tamper = Callable[[Session], object]


def _append(platform: Platform, company_id: str, count: int = 1) -> None:
    for number in range(count):
        with platform.database.write(of_company(company_id)) as tx:
            new_values = {"username": ErasableText(f"anna {number}"), "role": "user"}
            service.append(tx, platform, company_id, ANNA, "user.changed", ANNA, {"role": None}, new_values)


def _verify(platform: Platform, expected: dict[str, tuple[int, str]] | None = None) -> Checked:
    with platform.database.read(SYSTEM) as tx:
        return service.verify(tx, expected)


def _past_the_program(owner: Database, tamper: Tamper) -> None:
    """Changes the database like an owner who knows of the triggers."""
    with owner.write(SYSTEM) as tx:
        if owner.dialect == "postgresql":
            tx.execute(text("ALTER TABLE audit_entries DISABLE TRIGGER USER"))
        else:
            for name in ("unchanged", "undeleted", "unreplaced"):
                tx.execute(text(f"DROP TRIGGER audit_entries_{name}"))
        tamper(tx)


ALWAYS = (
    "UPDATE audit_entries SET action = 'user.deleted'",
    "UPDATE audit_entries SET no = no",
    "DELETE FROM audit_entries WHERE no = 2",
    "DELETE FROM audit_entries",
)
ALSO = {
    "postgresql": ("TRUNCATE audit_entries", "TRUNCATE audit_entries CASCADE"),
    "sqlite": (
        "INSERT OR REPLACE INTO audit_entries SELECT * FROM audit_entries WHERE no = 2",
        "REPLACE INTO audit_entries SELECT company_id, 9, id, at, actor, action, subject, before, after, hash"
        " FROM audit_entries WHERE no = 2",
    ),
}


def test_what_is_written_stays_whoever_asks(platform: Platform, owner: Database) -> None:
    _append(platform, FIRST, 3)
    for database in (platform.database, owner):
        for statement in (*ALWAYS, *ALSO[database.dialect]):
            with pytest.raises(DBAPIError), database.write(SYSTEM) as tx:
                tx.execute(text(statement))
    report = _verify(platform)
    assert (report.broken, report.heads[FIRST][0]) == (None, 3)


def test_a_decision_that_is_taken_back_leaves_no_entry(platform: Platform) -> None:
    def decide() -> None:
        with platform.database.write(SYSTEM) as tx:
            service.append(tx, platform, FIRST, None, "user.created", ANNA)
            raise LookupError

    with pytest.raises(LookupError):
        decide()
    assert _verify(platform).heads == {}


def test_every_member_and_the_entry_before_are_in_the_hash(platform: Platform) -> None:
    _append(platform, FIRST, 3)
    _append(platform, SECOND, 2)
    report = _verify(platform)
    assert report.broken is None
    assert {company: count for company, (count, _) in report.heads.items()} == {FIRST: 3, SECOND: 2}
    with platform.database.read(SYSTEM) as tx:
        rows = tx.scalars(select(AuditEntry).where(AuditEntry.company_id == FIRST).order_by(AuditEntry.no)).all()
    previous = "0" * 64
    for row in rows:  # a second implementation of the documentation
        at_ms = int(row.at.timestamp() * 1000)
        old_json, new_json = (str(each).replace('"', '\\"') for each in (row.before, row.after))
        text = (
            f'{{"action":"user.changed","actor":"{ANNA}","after":"{new_json}","at":{at_ms},"before":"{old_json}",'
            f'"companyId":"{FIRST}","id":"{row.id}","no":{row.no},"previous":"{previous}","subject":"{ANNA}"}}'
        )
        assert hashlib.sha256(text.encode()).hexdigest() == row.hash.hex()
        previous = row.hash.hex()
    assert report.heads[FIRST] == (3, previous)


MEMBERS = {
    "id": f"'{SECOND}'",
    "at": "at + 1",
    "actor": "NULL",
    "action": "'user.role'",
    "subject": f"'{SECOND}'",
    "before": "NULL",
    "after": "'{}'",
    "company_id": f"'{SECOND}'",
}


@pytest.mark.parametrize("member", MEMBERS)
def test_a_changed_member_is_found_at_its_place(platform: Platform, owner: Database, member: str) -> None:
    _append(platform, FIRST, 4)
    _past_the_program(
        owner, lambda tx: tx.execute(text(f"UPDATE audit_entries SET {member} = {MEMBERS[member]} WHERE no = 3"))
    )
    broken = _verify(platform).broken
    assert broken is not None
    assert "entry 3" in broken


def _remove_middle(tx: Session) -> None:
    tx.execute(text("DELETE FROM audit_entries WHERE no = 2"))


def _remove_and_close_up(tx: Session) -> None:
    _remove_middle(tx)
    tx.execute(text("UPDATE audit_entries SET no = 2 WHERE no = 3"))
    tx.execute(text("UPDATE audit_entries SET no = 3 WHERE no = 4"))


def _swap(tx: Session) -> None:
    for old_no, new_no in ((2, 99), (3, 2), (99, 3)):
        tx.execute(text(f"UPDATE audit_entries SET no = {new_no} WHERE no = {old_no}"))


def _insert(tx: Session) -> None:
    for no in (4, 3, 2):
        tx.execute(text(f"UPDATE audit_entries SET no = {no + 1} WHERE no = {no}"))
    tx.execute(
        text(
            f"INSERT INTO audit_entries SELECT company_id, 2, '{SECOND}', at, actor, action, subject, before, after,"
            " hash FROM audit_entries WHERE no = 1"
        )
    )


@pytest.mark.parametrize("tamper", [_remove_middle, _remove_and_close_up, _swap, _insert])
def test_a_chain_that_somebody_has_been_at_breaks_at_the_first_place(
    platform: Platform, owner: Database, tamper: Tamper
) -> None:
    _append(platform, FIRST, 4)
    _append(platform, SECOND, 1)
    _past_the_program(owner, tamper)
    broken = _verify(platform).broken
    assert broken is not None
    assert f"company {FIRST}, entry 2" in broken


def test_a_tail_that_was_cut_off_is_missed_by_who_wrote_the_head_down(platform: Platform, owner: Database) -> None:
    _append(platform, FIRST, 4)
    _append(platform, SECOND, 2)
    written_down = _verify(platform).heads
    _append(platform, FIRST, 1)
    assert _verify(platform, written_down).broken is None
    _past_the_program(owner, lambda tx: tx.execute(text("DELETE FROM audit_entries WHERE no > 1")))
    assert _verify(platform).broken is None
    assert f"company {FIRST}, entry 2: is missing, 4 were written down" in str(_verify(platform, written_down).broken)
    _append(platform, FIRST, 4)  # an intact chain and another one
    assert f"company {FIRST}, entry 4: is not the one" in str(_verify(platform, written_down).broken)


def test_one_broken_chain_hides_no_other_and_no_other_break(platform: Platform, owner: Database) -> None:
    _append(platform, FIRST, 4)
    _append(platform, SECOND, 3)
    _append(platform, THIRD, 2)
    heads = _verify(platform).heads

    def tamper(tx: Session) -> None:
        tx.execute(text("DELETE FROM audit_entries WHERE no = 2 AND company_id = :one"), {"one": FIRST})
        tx.execute(text("DELETE FROM audit_entries WHERE no = 2 AND company_id = :one"), {"one": SECOND})

    _past_the_program(owner, tamper)
    report = _verify(platform, heads)
    assert {company_id: count for company_id, (count, _) in report.heads.items()} == {FIRST: 1, SECOND: 1, THIRD: 2}
    assert report.heads[THIRD] == heads[THIRD]
    assert str(report.broken).split("\n") == [
        f"company {FIRST}, entry 2: is missing, the next one there is entry 3.",
        f"company {SECOND}, entry 2: is missing, the next one there is entry 3.",
    ]


def test_a_company_whose_log_is_gone_is_missed(platform: Platform, owner: Database) -> None:
    _append(platform, SECOND, 2)
    written_down = _verify(platform).heads
    _past_the_program(owner, lambda tx: tx.execute(text("DELETE FROM audit_entries")))
    assert f"company {SECOND}, entry 1: is missing" in str(_verify(platform, written_down).broken)


def test_a_company_without_entries_is_shown_with_none_and_awaited_with_none(world: World) -> None:
    company = world.company("Neu")
    assert _verify(world.platform).heads[company][0] == 1
    with world.platform.database.write(SYSTEM) as tx:  # like a company that is older than the log
        tx.add(Company(id=SECOND, name="Alt", name_key="alt", created_at=world.platform.clock.now()))
    report = _verify(world.platform)
    assert report.broken is None
    assert report.heads[SECOND] == (0, "0" * 64)
    assert _verify(world.platform, report.heads).broken is None
    _append(world.platform, SECOND, 2)
    assert _verify(world.platform, report.heads).broken is None


def test_words_can_be_erased_and_not_forged(platform: Platform) -> None:
    _append(platform, FIRST, 2)
    with platform.database.read(SYSTEM) as tx:
        words = tx.scalars(select(AuditWord)).all()
        entries = tx.scalars(select(AuditEntry)).all()
    assert {word.word for word in words} == {"anna 0", "anna 1"}
    assert not any(word.word in (entry.after or "") for word in words for entry in entries)
    with platform.database.write(SYSTEM) as tx:
        tx.execute(text("UPDATE audit_words SET word = 'ben' WHERE word = 'anna 1'"))
    assert "is not the one that was sealed" in str(_verify(platform).broken)
    with platform.database.write(SYSTEM) as tx:
        service.erase_words(tx, FIRST, ANNA)
    assert _verify(platform).broken is None


def test_many_at_once_make_one_chain_each_and_never_wait_in_a_circle(platform: Platform) -> None:
    failures: list[BaseException] = []
    begin = threading.Barrier(8)

    def work(worker: int) -> None:
        order = [FIRST, SECOND] if worker % 2 else [SECOND, FIRST]
        try:
            begin.wait()
            for _ in range(5):
                with platform.database.write(SYSTEM) as tx:
                    for company_id in order:
                        service.append(tx, platform, company_id, None, "user.changed", ANNA)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = _verify(platform)
    assert failures == []
    assert (report.broken, {count for count, _ in report.heads.values()}) == (None, {40})


def test_two_entries_never_share_a_number(platform: Platform) -> None:
    _append(platform, FIRST, 1)
    with platform.database.read(SYSTEM) as tx:
        row = tx.scalars(select(AuditEntry)).one()
    twin = {name: getattr(row, name) for name in row.__table__.columns.keys()} | {"id": SECOND}  # noqa: SIM118
    with pytest.raises(IntegrityError), platform.database.write(SYSTEM) as tx:
        tx.add(AuditEntry(**twin))


def test_the_seal_of_a_word_tells_nothing_without_its_salt() -> None:
    assert chain.seal("a", "anna") != chain.seal("b", "anna")
    assert len(chain.seal("a", "anna")) == 64


def test_the_command_prints_heads_and_takes_them_back(
    platform: Platform,
    owner: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", settings.database_url)
    _append(platform, FIRST, 3)
    assert main(["verify-audit"]) == 0
    printed = capsys.readouterr().out
    heads = tmp_path / "heads.txt"
    heads.write_text(printed)
    assert printed == f"{FIRST} 3 {_verify(platform).heads[FIRST][1]}\n"
    assert main(["verify-audit", "--heads", str(heads)]) == 0
    _past_the_program(owner, lambda tx: tx.execute(text("DELETE FROM audit_entries WHERE no = 3")))
    assert main(["verify-audit"]) == 0
    capsys.readouterr()
    assert main(["verify-audit", "--heads", str(heads)]) == 1
    output = capsys.readouterr()
    assert output.err == f"The audit log is broken: company {FIRST}, entry 3: is missing, 3 were written down.\n"
    heads.write_text("nonsense\n")
    assert main(["verify-audit", "--heads", str(heads)]) == 1
    assert "does not hold what" in capsys.readouterr().err
    assert io.StringIO(output.out).readline().startswith(f"{FIRST} 2 ")
