"""Locks are taken in the order of their enumeration; any other order fails, on either database."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import stempelwerk_cloud
from sqlalchemy import text
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock, WrongOrder
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.people import work as work_module
from stempelwerk_cloud.people.directory.companies import lock_open_shared, lock_rules
from stempelwerk_cloud.people.users import service as users

from cloud.tests.databases import ON_BOTH
from cloud.tests.world import PASSWORD, Firm

pytestmark = ON_BOTH

SERVICE = Path(stempelwerk_cloud.__file__).parent
TAKING = ("FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE", "pg_advisory_xact_lock")
UNNAMED = {
    "kit/database/locks.py": "takes what the others name",
    "kit/database/rows.py": "passes over what is locked, and so never waits",
    "kit/outbox/queue.py": "passes over what is locked, and so never waits",
    "kit/database/schema.py": "is the only lock of its transaction, which is nobody's session",
}
A, B = "00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b"


@pytest.fixture
def tx(database: Database) -> Iterator[Session]:
    with database.write(SYSTEM) as session:
        yield session


@pytest.fixture
def refused(wrong_orders: list[WrongOrder]) -> Callable[[], list[str]]:
    """Returns the refusals so far, which the test expects."""

    def drain_messages() -> list[str]:
        messages = [str(error) for error in wrong_orders]
        wrong_orders.clear()
        return messages

    return drain_messages


def test_a_lock_that_comes_before_one_that_is_held_fails_and_both_are_named(
    tx: Session, refused: Callable[[], list[str]]
) -> None:
    locks.take(tx, Lock.RULES, A)
    with pytest.raises(WrongOrder, match=f"COMPANY '{A}' is taken while RULES '{A}' is held"):
        locks.take(tx, Lock.COMPANY, A, shared=True)
    assert len(refused()) == 1


def test_a_row_that_comes_before_an_advisory_lock_fails_likewise(tx: Session, refused: Callable[[], list[str]]) -> None:
    locks.take(tx, Lock.RULES, A, shared=True)
    with pytest.raises(WrongOrder, match="DEVICE 7 is taken while RULES"):
        locks.record_row_lock(tx, Lock.DEVICE, [7])
    assert len(refused()) == 1


def test_within_a_kind_smaller_keys_come_first(tx: Session, refused: Callable[[], list[str]]) -> None:
    locks.record_row_lock(tx, Lock.PERSON, [(A, "1"), (A, "2"), (B, "1")])
    with pytest.raises(WrongOrder):
        locks.record_row_lock(tx, Lock.PERSON, [(A, "3")])
    assert len(refused()) == 1


def test_several_locks_of_one_statement_are_put_in_order(tx: Session) -> None:
    locks.take_all(tx, [(Lock.ENTRIES, A, False), (Lock.RULES, B, True), (Lock.RULES, A, True)])
    assert locks.held_locks(tx) == [(Lock.RULES, A), (Lock.RULES, B), (Lock.ENTRIES, A)]


def test_a_shared_lock_cannot_be_upgraded(tx: Session, refused: Callable[[], list[str]]) -> None:
    locks.take(tx, Lock.RULES, A, shared=True)
    with pytest.raises(WrongOrder, match="alone"):
        locks.take(tx, Lock.RULES, A)
    assert len(refused()) == 1


def test_a_held_lock_can_be_taken_again_at_any_time(tx: Session) -> None:
    locks.take(tx, Lock.COMPANY, A, shared=True)
    locks.take(tx, Lock.RULES, A)
    locks.take(tx, Lock.AUDIT, A)
    locks.take(tx, Lock.COMPANY, A, shared=True)
    locks.take(tx, Lock.RULES, A)
    locks.take(tx, Lock.RULES, A, shared=True)
    assert locks.held_locks(tx) == [(Lock.COMPANY, A), (Lock.RULES, A), (Lock.AUDIT, A)]


@pytest.mark.parametrize("end", [Session.commit, Session.rollback])
def test_nothing_is_held_any_more_after_the_transaction(database: Database, end: Callable[[Session], None]) -> None:
    with database.write(SYSTEM) as session:
        session.execute(text("SELECT 1"))
        locks.take(session, Lock.AUDIT, A)
        end(session)
        assert locks.held_locks(session) == []


def test_locks_of_a_savepoint_go_with_its_rollback(tx: Session) -> None:
    locks.take(tx, Lock.COMPANY, A)
    step = tx.begin_nested()
    locks.take(tx, Lock.COMPANY, A)
    locks.take(tx, Lock.AUDIT, A)
    step.rollback()
    assert locks.held_locks(tx) == [(Lock.COMPANY, A)]
    locks.take(tx, Lock.RULES, A)


def test_locks_of_a_released_savepoint_stay(tx: Session, refused: Callable[[], list[str]]) -> None:
    outer = tx.begin_nested()
    inner = tx.begin_nested()
    locks.take(tx, Lock.AUDIT, A)
    inner.commit()
    with pytest.raises(WrongOrder):
        locks.take(tx, Lock.RULES, A)
    assert len(refused()) == 1
    outer.rollback()
    assert locks.held_locks(tx) == []


def test_without_the_order_check_nothing_is_recorded(tx: Session) -> None:
    locks.enable_order_check(None)
    locks.take(tx, Lock.RULES, A)
    locks.take(tx, Lock.COMPANY, A)
    locks.record_row_lock(tx, Lock.DEVICE, [7])
    assert locks.held_locks(tx) == []


def test_a_use_case_that_takes_two_locks_the_wrong_way_round_fails(
    firm: Firm, monkeypatch: pytest.MonkeyPatch, refused: Callable[[], list[str]]
) -> None:
    body = {"username": "clara", "password": PASSWORD, "tagId": "04ABCDEF", "role": "user"}
    original, locked = lock_open_shared, lock_rules
    monkeypatch.setattr(work_module, "lock_open_shared", locked)
    monkeypatch.setattr(users, "lock_rules", original)
    assert firm.boss.post("/api/users", json=body).status_code == 500
    assert refused() == [f"COMPANY '{firm.id}' is taken while RULES '{firm.id}' is held"]


def _of_service() -> list[tuple[str, ast.Module]]:
    files = sorted(SERVICE.rglob("*.py"))
    return [(str(file.relative_to(SERVICE)), ast.parse(file.read_text())) for file in files]


def _takings(tree: ast.Module) -> int:
    """Counts the statements that lock rows, or take an advisory lock; docstrings do not count."""
    expression_values = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return sum(
        (
            isinstance(node, ast.Attribute | ast.keyword)
            and (node.attr if isinstance(node, ast.Attribute) else node.arg) == "with_for_update"
        )
        or (isinstance(node, ast.Attribute) and node.attr.startswith("pg_advisory_xact_lock"))
        or (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in expression_values
            and any(words in node.value for words in TAKING)
        )
        for node in ast.walk(tree)
    )


def _notings(tree: ast.Module) -> int:
    return sum(
        isinstance(node, ast.Call) and ast.unparse(node.func) == "locks.record_row_lock" for node in ast.walk(tree)
    )


def test_every_statement_that_locks_is_named() -> None:
    calls_by_path = {path: (_takings(tree), _notings(tree)) for path, tree in _of_service()}
    locking = {path: both for path, both in calls_by_path.items() if both[0]}
    assert locking.keys() >= UNNAMED.keys() | {"people/directory/people.py", "device_api/delivery/opening.py"}
    assert [path for path, (takings, notings) in locking.items() if path not in UNNAMED and takings != notings] == []


def test_every_name_is_used() -> None:
    used = {
        node.attr
        for path, tree in _of_service()
        if path != "kit/database/locks.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Lock"
    }
    assert used == set(Lock.__members__)
