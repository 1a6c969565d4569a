"""What has been put onto a page, such as the values of a form or a stamp, becomes part of the page; the rest goes.

A mark is drawn by its own appearance (ISO 32000-1, 12.5.5). Links lose their effect, and notes that are closed, or
shown on a screen alone, were nothing that one sees on paper.
"""

from typing import Any, NamedTuple

from pypdf.generic import DictionaryObject, IndirectObject, StreamObject

from stempelwerk_cloud.kit.files.rewriting.pdf_values import items, member, numbers, plain
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

MOST = 2000
_DRAWN = frozenset(
    {
        "/Circle",
        "/FreeText",
        "/Highlight",
        "/Ink",
        "/Line",
        "/PolyLine",
        "/Polygon",
        "/Square",
        "/Squiggly",
        "/Stamp",
        "/StrikeOut",
        "/Underline",
        "/Widget",
    }
)
_HIDDEN = 0b100010
"""The flags Hidden and NoView."""


class Mark(NamedTuple):
    """What draws the mark (a form of the old document), and the matrix that puts it in its place."""

    form: Any
    matrix: tuple[float, float, float, float, float, float]


def marks_of(page: DictionaryObject) -> list[Mark]:
    """In the order in which they are drawn. Refused if a field has a value that nothing shows."""
    found = items(member(page, "/Annots"))
    if len(found) > MOST:
        raise Refused(Reason.TOO_COMPLEX)
    made = (_mark(plain(one)) for one in found)
    return [mark for mark in made if mark is not None]


def _mark(found: Any) -> Mark | None:
    if not isinstance(found, DictionaryObject) or member(found, "/Subtype") not in _DRAWN:
        return None
    flags = member(found, "/F")
    if isinstance(flags, int) and flags & _HIDDEN:
        return None
    form = _appearance(found)
    if form is None:
        if member(found, "/FT") == "/Tx" and member(found, "/V"):
            raise Refused(Reason.UNSUPPORTED)
        return None
    matrix = _placed(plain(form), numbers(member(found, "/Rect"), 4))
    return None if matrix is None else Mark(form, matrix)


def _appearance(found: DictionaryObject) -> Any:
    """The form that draws it as it is now, by reference where it is one; None: there is none."""
    looks = member(found, "/AP")
    if not isinstance(looks, DictionaryObject) or "/N" not in looks:
        return None
    normal: Any = looks.raw_get("/N")
    if isinstance(plain(normal), StreamObject):
        return normal
    states, state = plain(normal), member(found, "/AS")
    if not isinstance(states, DictionaryObject) or not isinstance(state, str) or state not in states:
        return None
    chosen = states.raw_get(state)
    return chosen if isinstance(chosen, IndirectObject) and isinstance(plain(chosen), StreamObject) else None


def _placed(form: StreamObject, rect: list[float] | None) -> tuple[float, float, float, float, float, float] | None:
    box, matrix = numbers(member(form, "/BBox"), 4), numbers(member(form, "/Matrix"), 6)
    if box is None or rect is None:
        return None
    a, b, c, d, e, f = matrix or (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    if right - left <= 0 or high - low <= 0:
        return None
    across = (max(rect[0], rect[2]) - min(rect[0], rect[2])) / (right - left)
    up = (max(rect[1], rect[3]) - min(rect[1], rect[3])) / (high - low)
    return across, 0.0, 0.0, up, min(rect[0], rect[2]) - left * across, min(rect[1], rect[3]) - low * up
