"""What a PDF may not have in it, found wherever it stands: scripts, actions that do something, attachments, media.

Names are compared as the parser has read them, so that `/J#61vaScript` is no other word. Only what can be reached from
the trailer is looked at: nothing else can be shown or run, and none of it is copied.
"""

from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, StreamObject

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

MOST_OBJECTS = 50_000
MOST_NODES = 1_000_000

_KEYS = frozenset(
    {
        "/AA",
        "/AF",
        "/Collection",
        "/EF",
        "/EmbeddedFile",
        "/EmbeddedFiles",
        "/JS",
        "/JavaScript",
        "/Launch",
        "/RF",
        "/RichMedia",
        "/RichMediaContent",
        "/RichMediaSettings",
        "/XFA",
    }
)
"""Members of dictionaries."""
_ACTIONS = frozenset(
    {
        "/GoTo3DView",
        "/GoToDp",
        "/GoToE",
        "/GoToR",
        "/Hide",
        "/ImportData",
        "/JavaScript",
        "/Launch",
        "/Movie",
        "/Rendition",
        "/ResetForm",
        "/RichMediaExecute",
        "/SetOCGState",
        "/Sound",
        "/SubmitForm",
        "/Trans",
    }
)
"""Actions (`/S`). What leads to a page or to an address is none of them: it is left out."""
_KINDS = frozenset(
    {
        "/3D",
        "/EmbeddedFile",
        "/F",
        "/FileAttachment",
        "/Filespec",
        "/Movie",
        "/RichMedia",
        "/Screen",
        "/Sound",
    }
)
"""Types and subtypes."""


def check(trailer: DictionaryObject) -> None:
    """Refused for what may not be there, and for more than a document needs."""
    waiting: list[Any] = [trailer]
    seen: set[tuple[int, int]] = set()
    nodes = 0
    while waiting:
        value = waiting.pop()
        nodes += 1
        if nodes > MOST_NODES or len(seen) > MOST_OBJECTS:
            raise Refused(Reason.TOO_COMPLEX)
        if isinstance(value, IndirectObject):
            place = (value.idnum, value.generation)
            if place not in seen:
                seen.add(place)
                waiting.append(value.get_object())
        elif isinstance(value, DictionaryObject):
            _check_dictionary(value)
            waiting += [value.raw_get(key) for key in value]
        elif isinstance(value, ArrayObject):
            waiting += list.__iter__(value)


def _check_dictionary(found: DictionaryObject) -> None:
    if not _KEYS.isdisjoint(found):
        raise Refused(Reason.ACTIVE)
    if _named(found, "/S") in _ACTIONS or _named(found, "/Type") in _KINDS or _named(found, "/Subtype") in _KINDS:
        raise Refused(Reason.ACTIVE)
    if isinstance(found, StreamObject) and ("/F" in found or "/FFilter" in found):  # it stands in another file
        raise Refused(Reason.ACTIVE)


def _named(found: DictionaryObject, key: str) -> str | None:
    value = found.raw_get(key) if key in found else None
    if isinstance(value, IndirectObject):
        value = value.get_object()
    return str(value) if isinstance(value, NameObject) else None
