"""The small numbers that stand for tags and people in rows. A number never changes, so processes remember those they
have read.

Numbers that a transaction has drawn itself are remembered only in its session, because it may be rolled back.
"""

from collections.abc import Collection
from typing import Literal

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import READS_ONLY, Lock
from stempelwerk_cloud.kit.database.statements import Statement, as_rows
from stempelwerk_cloud.timekeeping.tx import Tx

Kind = Literal["tag", "person"]
UNNUMBERED = 0
"""Stands for a missing number in a transaction that only reads. No row has this number."""

_NONE: dict[str, int] = {}

_FIND = {
    "tag": Statement(
        "SELECT t.tag, t.no FROM @rows(wanted: name text)"
        " @lookup(t: tag_numbers WHERE t.company_id = :company::uuid AND t.tag = wanted.name)"
    ),
    "person": Statement(
        "SELECT p.user_id::text, p.no FROM @rows(wanted: name uuid)"
        " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = wanted.name)"
    ),
}
_GIVE = {
    "tag": Statement(
        "INSERT INTO tag_numbers (company_id, tag, no) SELECT :company::uuid, name, no"
        " FROM @rows(fresh: name text, no int) WHERE true ON CONFLICT DO NOTHING"
    ),
    "person": Statement(
        "INSERT INTO person_numbers (company_id, user_id, no) SELECT :company::uuid, name, no"
        " FROM @rows(fresh: name uuid, no int) WHERE true ON CONFLICT DO NOTHING"
    ),
}
_DRAW = Statement(
    "INSERT INTO counters (kind, last) VALUES (:kind, :count)"
    " ON CONFLICT (kind) DO UPDATE SET last = counters.last + excluded.last RETURNING last"
)


class NotRemembered(Exception):
    """Raised when a transaction that may only use memory (`Tx.from_memory`) would have to read or draw a number."""


def numbers(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    """Returns the numbers of these tags or users of the company. Draws the missing ones; a reading transaction gets
    `UNNUMBERED`.

    A transaction that may draw must hold the lock on the company's rules. Otherwise it could wait for a transaction
    that holds them and needs a number itself. Raises NotRemembered.
    """
    key = (kind, company_id)
    remembered = tx.memory.numbers.get(key, _NONE)
    missing = sorted({name for name in names if name not in remembered})
    if not missing:
        return {name: remembered[name] for name in names}
    if tx.from_memory:
        raise NotRemembered
    new_numbers: dict[str, int] = tx.session.info.setdefault(("numbers", *key), {})
    unread = [name for name in missing if name not in new_numbers]
    read = _find(tx, kind, company_id, unread) if unread else {}
    tx.memory.numbers[key] = remembered = {**remembered, **read}
    fresh = [name for name in unread if name not in read]
    if fresh and tx.session.info.get(READS_ONLY):
        return (
            dict.fromkeys(names, UNNUMBERED)
            | new_numbers
            | {name: remembered[name] for name in names if name in remembered}
        )
    if fresh:
        new_numbers.update(_give(tx, kind, company_id, fresh))
    return {name: remembered[name] if name in remembered else new_numbers[name] for name in names}


def existing_numbers(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    """Returns the numbers of those of these tags or users that have a number."""
    key = (kind, company_id)
    remembered = tx.memory.numbers.get(key, _NONE)
    new_numbers: dict[str, int] = tx.session.info.get(("numbers", *key), _NONE)
    missing = sorted({name for name in names if name not in remembered and name not in new_numbers})
    if missing:
        tx.memory.numbers[key] = remembered = {**remembered, **_find(tx, kind, company_id, missing)}
    return {name: no for name in names if (no := remembered.get(name, new_numbers.get(name))) is not None}


def _find(tx: Tx, kind: Kind, company_id: str, names: Collection[str]) -> dict[str, int]:
    name_rows = as_rows([{"name": name} for name in names])
    return {row[0]: row[1] for row in tx.sql.rows(_FIND[kind], {"company": company_id, "wanted": name_rows})}


def _give(tx: Tx, kind: Kind, company_id: str, names: list[str]) -> dict[str, int]:
    locks.take(tx.session, Lock.NUMBERS)  # one lock for both kinds
    ((last,),) = tx.sql.rows(_DRAW, {"kind": kind, "count": len(names)})
    fresh = [{"name": name, "no": last - index} for index, name in enumerate(reversed(names))]
    tx.sql.do(_GIVE[kind], {"company": company_id, "fresh": as_rows(fresh)})
    # Another transaction may have inserted some of them first; then its numbers hold.
    return _find(tx, kind, company_id, names)
