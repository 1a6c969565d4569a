"""Reading what stands in a PDF: references followed, numbers that are numbers."""

import math
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

_MOST_HOPS = 20


def plain(value: Any) -> Any:
    """What a reference refers to; anything else is itself."""
    for _ in range(_MOST_HOPS):
        if not isinstance(value, IndirectObject):
            return value
        value = value.get_object()
    raise Refused(Reason.TOO_COMPLEX)


def member(found: DictionaryObject, key: str) -> Any:
    """A dictionary's member, or None."""
    return plain(found.raw_get(key)) if key in found else None


def items(value: Any) -> list[Any]:
    """What stands in an array, references as they are; [] for anything else."""
    return list(list.__iter__(value)) if isinstance(value, ArrayObject) else []


def numbers(value: Any, count: int) -> list[float] | None:
    """So many finite numbers of an array; None: it has others."""
    found = [plain(one) for one in items(plain(value))]
    if len(found) != count or not all(isinstance(one, int | float) and math.isfinite(one) for one in found):
        return None
    return [float(one) for one in found]
