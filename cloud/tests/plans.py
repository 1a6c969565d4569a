"""Reads plans of PostgreSQL: finds look-ups that do not use the best index.

A look-up compares columns, in the index condition or in a later filter. It uses the whole key if no other index of the
table begins with more of these columns, and the chosen one begins with as many in its condition. Conditions of
row-level security (one company or a bypass, `OR`) do not count.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

Plan = dict[str, Any]

_INDEXES = text(
    "SELECT t.relname, i.relname, x.indpred IS NOT NULL, array_agg(a.attname::text ORDER BY k.n)"
    " FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid"
    " JOIN pg_namespace s ON s.oid = t.relnamespace,"
    " unnest(x.indkey) WITH ORDINALITY AS k(attnum, n) JOIN pg_attribute a ON a.attnum = k.attnum"
    " WHERE a.attrelid = x.indrelid AND s.nspname = current_schema() GROUP BY 1, 2, 3"
)


class Index(NamedTuple):
    table: str
    partial: bool
    columns: tuple[str, ...]


def indexes_of(connection: Connection) -> dict[str, Index]:
    """All indexes of the schema, by name."""
    return {
        name: Index(table, partial, tuple(columns)) for table, name, partial, columns in connection.execute(_INDEXES)
    }


def faults(plan: Plan, indexes: dict[str, Index]) -> list[str]:
    """The accesses of a plan (EXPLAIN with VERBOSE and FORMAT JSON) that do not go by index with all that is known."""
    nodes = list(_nodes(plan))
    filters = [part for node in nodes for name in ("Filter", "Join Filter") for part in _conjuncts(node.get(name, ""))]
    return [fault for node in nodes if (fault := _fault(node, filters, indexes)) is not None]


def scans(plan: Plan) -> set[str]:
    """The tables that a plan reads from one end to the other."""
    return {node["Relation Name"] for node in _nodes(plan) if node["Node Type"].endswith("Seq Scan")}


def rows_read(plan: Plan, table: str) -> Iterator[float]:
    """How many rows each look into a table found (EXPLAIN with ANALYZE), with those that a filter threw away."""
    for node in _nodes(plan):
        if node.get("Relation Name") == table:
            yield node["Actual Rows"] + node.get("Rows Removed by Filter", 0)


def _nodes(plan: Plan) -> Iterator[Plan]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


def _fault(node: Plan, filters: list[str], indexes: dict[str, Index]) -> str | None:
    kind, table = node["Node Type"], node.get("Relation Name")
    if table is None or not kind.endswith("Scan") or kind == "Tid Scan":
        return None
    if not kind.startswith("Index"):
        return f"{kind} on {table}"
    alias, index = node["Alias"], indexes[node["Index Name"]]
    asked = {column for part in _conjuncts(node.get("Index Cond", "")) for column in _compared(alias, part)}
    known = asked | {column for part in filters for column in _compared(alias, part)}
    taken = _begins_with(index, asked)
    best = max(_begins_with(one, known) for one in indexes.values() if one.table == table and not one.partial)
    if taken and taken >= best:
        return None
    return f"{kind} on {table} by {taken} columns of {node['Index Name']}, {sorted(known)} known"


def _begins_with(index: Index, columns: set[str]) -> int:
    """How many of the index's columns, from its beginning, are among these."""
    for count, column in enumerate(index.columns):
        if column not in columns:
            return count
    return len(index.columns)


def _compared(alias: str, part: str) -> set[str]:
    """The columns of a relation that a condition compares with something."""
    column = rf'\(*{re.escape(alias)}\."?(\w+)"?\)*(?:::\w+)?\)*'
    found = re.findall(rf"{column} (?:=|<|>|<=|>=) ", part) + re.findall(rf" (?:=|<|>|<=|>=) {column}", part)
    return set(found)


def _conjuncts(condition: str) -> list[str]:
    """Returns the conditions that must hold together; without alternatives."""
    whole = _bare(condition)
    parts = _split(whole, " AND ")
    if len(parts) > 1:
        return [one for part in parts for one in _conjuncts(part)]
    return [] if not whole or len(_split(whole, " OR ")) > 1 else [whole]


def _bare(condition: str) -> str:
    while condition.startswith("(") and _end_of(condition) == len(condition):
        condition = condition[1:-1]
    return condition


def _end_of(condition: str) -> int:
    depth = 0
    for place, letter in enumerate(condition):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place + 1
    return len(condition)


def _split(condition: str, word: str) -> list[str]:
    parts, depth, begins = [], 0, 0
    for place, letter in enumerate(condition):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and condition.startswith(word, place):
            parts.append(condition[begins:place])
            begins = place + len(word)
    return [*parts, condition[begins:]]
