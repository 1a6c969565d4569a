"""Copies what pages draw with (fonts, pictures, patterns) into a new PDF: known members alone, streams encoded anew.

A dictionary keeps the members that the standard gives it for drawing; strings stand only where drawing needs them. So
neither metadata nor anything that was hidden in a member of its own comes along.
"""

from typing import Any

from pypdf import PdfWriter
from pypdf.filters import FlateDecode, decode_stream_data
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    ByteStringObject,
    DictionaryObject,
    EncodedStreamObject,
    FloatObject,
    IndirectObject,
    NameObject,
    NullObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from stempelwerk_cloud.kit.files.rewriting import pdf_images
from stempelwerk_cloud.kit.files.rewriting.pdf_values import items, member, plain
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

MOST_DEPTH = 60
MOST_DECODED = 400_000_000
"""Bytes of all streams of a document together."""
NAME_LIMIT = 127
STRING_LIMIT = 128
TABLE_LIMIT = 1024
"""Bytes of a table of 256 colours, at most of four components."""

CATEGORIES = ("/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern", "/Shading")
"""Of a page's resources. What is left out says which layers are shown, or what text means; drawing needs neither."""

_MEMBERS = frozenset(
    f"/{name}"
    for names in (
        "Type Subtype",
        # fonts
        "BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts CIDSystemInfo DW W DW2 W2"
        " CIDToGIDMap FontBBox FontMatrix CharProcs Resources FontName FontStretch FontWeight Flags ItalicAngle Ascent"
        " Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3"
        " BaseEncoding Differences Registry Ordering Supplement CMapName WMode UseCMap Length1 Length2 Length3",
        # pictures and forms
        "Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask Matte FormType BBox"
        " Matrix Group S CS I K",
        # the state of drawing
        "LW LC LJ ML D RI OP op OPM Font FL SM SA BM CA ca AIS TK G BC TR TR2 BG BG2 UCR UCR2",
        # patterns, shadings, functions, colours
        "PatternType PaintType TilingType XStep YStep Shading ExtGState ShadingType Background AntiAlias Coords Domain"
        " Function Extend BitsPerCoordinate BitsPerFlag VerticesPerRow FunctionType Range Size BitsPerSample Order"
        " Encode C0 C1 N Functions Bounds WhitePoint BlackPoint Gamma",
    )
    for name in names.split()
)
_STRINGS = frozenset({"/Registry", "/Ordering"})
_DEVICE = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}


class Copier:
    """Copies into one document. What several pages share is copied once."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._made: dict[tuple[int, int], IndirectObject] = {}
        self._decoded = 0

    def resources(self, found: Any, depth: int = 0) -> DictionaryObject:
        """What pages and forms draw with, by its names."""
        found, made = plain(found), DictionaryObject()
        if isinstance(found, DictionaryObject):
            for category in CATEGORIES:
                named = member(found, category)
                if isinstance(named, DictionaryObject):
                    made[NameObject(category)] = self._named(named, depth)
        return made

    def drawing(self, contents: Any) -> bytes:
        """A page's instructions: those of all its streams, decoded."""
        contents = plain(contents)
        parts = [plain(one) for one in items(contents)] if isinstance(contents, ArrayObject) else [contents]
        if len(parts) > 1000:
            raise Refused(Reason.TOO_COMPLEX)
        return b"\n".join(self._text(part) for part in parts if isinstance(part, StreamObject))

    def added(self, content: bytes, members: DictionaryObject | None = None) -> IndirectObject:
        """A new stream of the document."""
        stream = _encoded(content)
        stream.update(members or {})
        return self._writer._add_object(stream)  # pypdf has no other way to add one

    def copy(self, value: Any, depth: int = 0) -> Any:
        """The value, as far as it may come along; streams and shared things as references."""
        if depth > MOST_DEPTH:
            raise Refused(Reason.TOO_COMPLEX)
        if isinstance(value, IndirectObject):
            return self._shared(value, depth)
        if isinstance(value, StreamObject):
            return self._writer._add_object(self._stream(value, depth))
        if isinstance(value, DictionaryObject):
            return self._dictionary(value, depth)
        if isinstance(value, ArrayObject):
            return self._array(value, depth)
        if isinstance(value, NameObject):
            return _name(value)
        return value if isinstance(value, NumberObject | FloatObject | BooleanObject) else NullObject()

    def _shared(self, reference: IndirectObject, depth: int) -> Any:
        place = (reference.idnum, reference.generation)
        known = self._made.get(place)
        if known is not None:
            return known
        found = reference.get_object()
        if not isinstance(found, DictionaryObject | ArrayObject):
            return self.copy(found, depth + 1)
        # Its place first: it may refer to itself.
        made = self._made[place] = self._writer._add_object(NullObject())
        copied = self._stream(found, depth) if isinstance(found, StreamObject) else self.copy(found, depth + 1)
        self._writer._replace_object(made, copied)
        return made

    def _named(self, found: DictionaryObject, depth: int) -> DictionaryObject:
        """A dictionary whose members are called as somebody liked."""
        return DictionaryObject({_name(key): self.copy(found.raw_get(key), depth + 1) for key in found})

    def _dictionary(self, found: DictionaryObject, depth: int) -> DictionaryObject:
        made = DictionaryObject()
        for key in found:
            if key in _MEMBERS:
                made[NameObject(key)] = self._member(key, found.raw_get(key), depth)
        return made

    def _member(self, key: str, value: Any, depth: int) -> Any:
        if key == "/Resources":
            return self.resources(value, depth + 1)
        if key == "/CharProcs":
            named = plain(value)
            return self._named(named, depth) if isinstance(named, DictionaryObject) else NullObject()
        if key in _STRINGS:
            return _string(plain(value), STRING_LIMIT)
        return self.copy(value, depth + 1)

    def _array(self, found: ArrayObject, depth: int) -> Any:
        parts = items(found)
        kind = plain(parts[0]) if parts else None
        if kind == "/ICCBased" and len(parts) > 1:
            return self._without_profile(plain(parts[1]))
        if kind == "/Indexed" and len(parts) == 4:
            table = plain(parts[3])
            colours = self.copy(parts[3], depth + 1) if isinstance(table, StreamObject) else _string(table, TABLE_LIMIT)
            return ArrayObject([*(self.copy(one, depth + 1) for one in parts[:3]), colours])
        return ArrayObject([self.copy(one, depth + 1) for one in parts])

    def _without_profile(self, profile: Any) -> NameObject:
        """The plain colours of as many components: a profile is a file of its own, with words in it."""
        count = member(profile, "/N") if isinstance(profile, DictionaryObject) else None
        if not isinstance(count, int) or count not in _DEVICE:
            raise Refused(Reason.DAMAGED)
        return NameObject(_DEVICE[count])

    def _stream(self, found: StreamObject, depth: int) -> StreamObject:
        members = self._dictionary(found, depth)
        if member(found, "/Subtype") == "/Image":
            kept = pdf_images.rewritten(found, self._content)
            if kept is not None:
                for name in kept.unsaid:
                    members.pop(name, None)
                made = kept.stream
                made.update({**members, **dict(made)})
                return made
        elif member(found, "/Subtype") == "/PS":
            raise Refused(Reason.ACTIVE)
        made = _encoded(self._text(found))
        made.update(members)
        return made

    def _text(self, stream: StreamObject) -> bytes:
        """The content of a stream that is no picture, and so has no picture's filter. Refused."""
        if any(name not in pdf_images.READABLE for name in pdf_images.filters_of(stream)):
            raise Refused(Reason.UNSUPPORTED)
        return self._content(stream)

    def _content(self, stream: StreamObject) -> bytes:
        """What stands in a stream, decoded; the bytes of all together are counted."""
        content = bytes(decode_stream_data(stream)) if isinstance(stream, EncodedStreamObject) else stream.get_data()
        self._decoded += len(content)
        if self._decoded > MOST_DECODED:
            raise Refused(Reason.TOO_COMPLEX)
        return content


def _encoded(content: bytes) -> EncodedStreamObject:
    stream = EncodedStreamObject()
    stream._data = FlateDecode.encode(content)  # what has a filter, pypdf sets only after reading it
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    return stream


def _name(name: Any) -> NameObject:
    if len(name) > NAME_LIMIT:
        raise Refused(Reason.DAMAGED)
    return NameObject(name)


def _string(value: Any, most: int) -> Any:
    if isinstance(value, TextStringObject):
        value = ByteStringObject(value.original_bytes)
    return value if isinstance(value, ByteStringObject) and len(value) <= most else NullObject()
