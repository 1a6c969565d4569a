"""A PDF becomes another one with the same pages: what they draw, and nothing else of the file.

There are no links, forms, layers, outlines, attachments, scripts or metadata in the new one, and no byte that stood
between the objects of the old one. A document with something active in it is refused rather than mended: whoever sent
it may not know what they have there.
"""

import io
import math
from typing import Any

from pypdf import Configuration, PdfReader, PdfWriter, apply_configuration
from pypdf.errors import LimitReachedError
from pypdf.generic import (
    DictionaryObject,
    FloatObject,
    IndirectObject,
    NameObject,
    NumberObject,
    RectangleObject,
    StreamObject,
)

from stempelwerk_cloud.kit.files.rewriting import pdf_scan
from stempelwerk_cloud.kit.files.rewriting.pdf_copy import Copier
from stempelwerk_cloud.kit.files.rewriting.pdf_marks import marks_of
from stempelwerk_cloud.kit.files.rewriting.pdf_values import items, member, numbers, plain
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

MOST_PAGES = 20
LONGEST_SIDE = 14_400
"""Points: what a page can measure at most."""
_MOST_NODES = 200
_A4 = (0.0, 0.0, 595.0, 842.0)
_INHERITED = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
_DECODED = 130_000_000
"""Bytes of one stream: a page of 600 dots an inch in colour."""


def rewritten(content: bytes, _media_type: str) -> bytes:
    """The document's pages as a new document. Refused."""
    apply_configuration(
        Configuration(
            maximum_declared_stream_length=_DECODED,
            zlib_maximum_output_length=_DECODED,
            lzw_maximum_output_length=_DECODED,
            run_length_maximum_output_length=_DECODED,
        )
    )
    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        is_encrypted = reader.is_encrypted
    except LimitReachedError as error:
        raise Refused(Reason.TOO_COMPLEX) from error
    except Exception as error:  # parsers raise whatever they like
        raise Refused(Reason.ENCRYPTED if b"/Encrypt" in content else Reason.DAMAGED) from error
    if is_encrypted:
        raise Refused(Reason.ENCRYPTED)
    try:
        pdf_scan.check(reader.trailer)
        return _written(_pages(reader.root_object))
    except LimitReachedError as error:
        raise Refused(Reason.TOO_COMPLEX) from error


def _pages(root: DictionaryObject) -> list[DictionaryObject]:
    """The pages in their order, each with what it inherits."""
    found: list[DictionaryObject] = []
    waiting: list[tuple[Any, dict[str, Any]]] = [(root.raw_get("/Pages") if "/Pages" in root else None, {})]
    nodes, above = 0, set[tuple[int, int]]()
    while waiting:
        reference, inherited = waiting.pop()
        node = plain(reference)
        nodes += 1
        if not isinstance(node, DictionaryObject):
            continue
        own = inherited | {key: node.raw_get(key) for key in _INHERITED if key in node}
        if "/Kids" not in node:
            page = DictionaryObject(node)
            page.update({NameObject(key): value for key, value in own.items()})
            found.append(page)
        else:
            if isinstance(reference, IndirectObject):
                place = (reference.idnum, reference.generation)
                if place in above:  # a branch that stands in the tree twice, or above itself
                    raise Refused(Reason.DAMAGED)
                above.add(place)
            waiting += [(kid, own) for kid in reversed(items(member(node, "/Kids"))[: _MOST_NODES + 1])]
        if len(found) > MOST_PAGES or nodes + len(waiting) > _MOST_NODES * 10:
            raise Refused(Reason.TOO_MANY_PAGES)
    if not found:
        raise Refused(Reason.NO_PAGES)
    return found


def _written(pages: list[DictionaryObject]) -> bytes:
    writer = PdfWriter()
    copier = Copier(writer)
    for page in pages:
        _add(writer, copier, page)
    writer.metadata = None
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _add(writer: PdfWriter, copier: Copier, page: DictionaryObject) -> None:
    media = _box(page, "/MediaBox") or _A4
    made = writer.add_blank_page(width=1, height=1)
    made[NameObject("/MediaBox")] = RectangleObject(media)
    crop = _box(page, "/CropBox")
    if crop is not None:
        made[NameObject("/CropBox")] = RectangleObject(crop)
    turn = member(page, "/Rotate")
    if isinstance(turn, int) and turn % 90 == 0:
        made[NameObject("/Rotate")] = NumberObject(turn % 360)
    unit = member(page, "/UserUnit")
    if isinstance(unit, int | float) and 0.1 <= unit <= 1000:
        made[NameObject("/UserUnit")] = FloatObject(unit)
    if "/Group" in page:
        made[NameObject("/Group")] = copier.copy(page.raw_get("/Group"))
    resources = copier.resources(page.raw_get("/Resources") if "/Resources" in page else None)
    drawing = copier.drawing(page.raw_get("/Contents") if "/Contents" in page else None)
    marked = _marked(copier, page, resources)
    made[NameObject("/Contents")] = copier.added(b"q\n" + drawing + b"\nQ\n" + marked if marked else drawing)
    made[NameObject("/Resources")] = resources


def _marked(copier: Copier, page: DictionaryObject, resources: DictionaryObject) -> bytes:
    """Instructions that draw the page's marks, whose forms become part of its resources."""
    found = marks_of(page)
    if not found:
        return b""
    forms = resources.setdefault(NameObject("/XObject"), DictionaryObject())
    lines = []
    for number, mark in enumerate(found):
        name = NameObject(f"/StwMark{number}")
        form = copier.copy(mark.form)
        made = plain(form)
        if not isinstance(forms, DictionaryObject) or not isinstance(made, StreamObject):
            raise Refused(Reason.DAMAGED)
        made[NameObject("/Type")], made[NameObject("/Subtype")] = NameObject("/XObject"), NameObject("/Form")
        forms[name] = form
        lines.append(f"q {' '.join(f'{one:.5f}' for one in mark.matrix)} cm {name} Do Q")
    return "\n".join(lines).encode()


def _box(page: DictionaryObject, key: str) -> tuple[float, float, float, float] | None:
    found = numbers(page.raw_get(key), 4) if key in page else None
    if found is None:
        return None
    left, right = sorted((found[0], found[2]))
    low, high = sorted((found[1], found[3]))
    if not 1 <= right - left <= LONGEST_SIDE or not 1 <= high - low <= LONGEST_SIDE:
        return None
    return (left, low, right, high) if all(math.fabs(one) <= 10 * LONGEST_SIDE for one in found) else None
