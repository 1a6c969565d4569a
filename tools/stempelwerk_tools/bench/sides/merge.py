"""The one statement that both limits measure: a whole batch merged at once, without changing existing rows.

The rows have every member of a stamp as the contract has it, so that both limits move the same bytes as the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_TYPES = {
    "id": "uuid",
    "seq": "bigint",
    "assignment": "uuid",
    "tag": "text",
    "direction": "text",
    "wall": "text",
    "boot": "uuid",
    "boottimeMs": "bigint",
    "quality": "text",
    "via": "text",
    "shown": "text",
}
_NAMES = ", ".join(f'"{name}"' for name in _TYPES)

TABLE = f"""CREATE TABLE stamp (
    {", ".join(f'"{name}" {kind} NOT NULL' for name, kind in _TYPES.items())}, PRIMARY KEY (id))"""

MERGE = f"""INSERT INTO stamp ({_NAMES})
    SELECT * FROM unnest({", ".join(f"%({name})s::{kind}[]" for name, kind in _TYPES.items())})
    ON CONFLICT DO NOTHING RETURNING id"""  # noqa: S608 - names of this file only


def columns(stamps: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Returns the batch as one array for each column."""
    return {name: [stamp[name] for stamp in stamps] for name in _TYPES}
