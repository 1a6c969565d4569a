"""Whether a table that holds years is slower: the product with a past of many stamps beside one that is fresh.

The past is put there with SQL, as the merge would have left it: earlier years of the same people and of others, with
receipts and entries. Both products take the same load in turns.
"""

from __future__ import annotations

from sqlalchemy import Connection, create_engine, text

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import PRODUCT, Finding, at_least
from stempelwerk_tools.bench.measures.rates import NEW
from stempelwerk_tools.bench.sides.side import Void, take_turns

_NAME = "product with a past"
_OTHERS = 1200  # people beside those of the clocks
_FIRST_S = 1.0

# Everybody of the past taps twice a day until two months before the first tap of the load. `k` counts their taps.
_PAST = """CREATE TEMPORARY TABLE past AS
    WITH facts AS (SELECT min(at) - 60 * 86400000::bigint AS until, min(tag_no) AS tags FROM stamps),
         taps AS (SELECT n, n % :people AS person, (n / :people)::bigint AS k FROM generate_series(0, :past - 1) AS n)
    SELECT tags + person AS tag_no, person, k, until - k * 43200000 + person * 1000 AS at,
        (lpad(to_hex(until - k * 43200000 + person * 1000), 12, '0') || '7' || left(md5(n::text), 3)
         || 'a' || substr(md5(n::text), 4, 15))::uuid AS id
    FROM taps, facts ORDER BY k DESC, person"""
_STAMPS = """INSERT INTO stamps (company_id, tag_no, at, id, boottime_ms, seq, received_at, stream_no, reported_bits,
        status, waits, unsettled)
    SELECT s.company_id, p.tag_no, p.at, p.id, s.boottime_ms, s.seq, p.at + 1000, s.stream_no, s.reported_bits,
        s.status, false, false FROM past p, (SELECT * FROM stamps ORDER BY at LIMIT 1) AS s"""
_RECEIPTS = """INSERT INTO receipts (digest, device_no, tag_no, id)
    SELECT hashtextextended(p.id::text, 0), r.device_no, p.tag_no, p.id
    FROM past p, (SELECT device_no FROM receipts LIMIT 1) AS r"""
_ENTRIES = """INSERT INTO entries (company_id, person_no, date, id, start_at, end_at, device_no, start_minute,
        end_minute, raw_minutes, break_minutes, flags, is_correction)
    SELECT e.company_id, no.least + p.person, to_timestamp(p.at / 1000)::date, p.id, p.at, p.at + 28800000,
        e.device_no, 480, 960, 480, 30, 0, false
    FROM past p, (SELECT company_id, device_no FROM entries LIMIT 1) AS e,
        (SELECT min(person_no) AS least FROM entries) AS no WHERE p.k % 2 = 1"""
_TABLES = ("stamps", "receipts", "entries")


def measure(field: Field, rounds: int, seconds: float, past: int) -> list[Finding]:
    """The rate with that many stamps of the past against the rate without. Raises Void."""
    fresh, _ = field.product()
    old, installed = field.product(_NAME)
    old.slice(NEW, _FIRST_S)  # everybody has tapped: the past finds their numbers
    field.say(f"writing {past:,} stamps of the past")
    engine = create_engine(installed.database_url, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            _write(connection, past)
    finally:
        engine.dispose()
    if old.rows() < past:
        raise Void(f"{old.rows()} stamps where {past} of the past should stand")
    turns = take_turns([fresh, old], NEW, rounds=rounds, seconds=seconds)
    goal = f"{NEW.name}: rate with {past:,} stamps in the table against fresh"
    field.say(f"{PRODUCT}: {turns.rate(PRODUCT):,.0f} fresh, {turns.rate(_NAME):,.0f} with the past")
    return [Finding(goal, at_least(0.8), turns.rate_ratio(_NAME, PRODUCT))]


def _write(connection: Connection, past: int) -> None:
    people = connection.execute(text("SELECT count(DISTINCT tag_no) FROM stamps")).scalar_one() + _OTHERS
    connection.execute(text(_PAST), {"people": people, "past": past})
    for statement in (_STAMPS, _RECEIPTS, _ENTRIES):
        connection.execute(text(statement))
    for table in _TABLES:
        connection.execute(text(f"VACUUM ANALYZE {table}"))
    connection.execute(text("CHECKPOINT"))
