"""Pictures inside of a PDF: what is a file of its own there (JPEG, JPEG 2000, fax) is read and written anew.

A JPEG keeps its compressed pixels; its comments, its metadata and what stands behind its end go. A format that cannot
be read here (JBIG2, which has no safe reader) is refused.
"""

import io
from collections.abc import Callable
from typing import Any, NamedTuple

from PIL import Image
from pypdf.filters import FlateDecode
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    EncodedStreamObject,
    NameObject,
    NumberObject,
    StreamObject,
)

from stempelwerk_cloud.kit.files.rewriting import images
from stempelwerk_cloud.kit.files.rewriting.pdf_values import items, member, plain
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

_JPEG, _JPEG2000, _FAX = "/DCTDecode", "/JPXDecode", "/CCITTFaxDecode"
_SHORT = {"/DCT": _JPEG, "/CCF": _FAX}
READABLE = {"/FlateDecode", "/Fl", "/LZWDecode", "/LZW", "/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx"} | {
    "/RunLengthDecode",
    "/RL",
}
"""Filters that pack bytes, of whatever kind."""


class Kept(NamedTuple):
    """A picture's new stream with the members that are different now, and those of the old one that no longer hold."""

    stream: EncodedStreamObject
    unsaid: tuple[str, ...] = ()


def rewritten(found: StreamObject, content_of: Callable[[StreamObject], bytes]) -> Kept | None:
    """The picture; None: its pixels stand in a plain stream, which is encoded anew like all others. Refused."""
    width, height = member(found, "/Width"), member(found, "/Height")
    if isinstance(width, int) and isinstance(height, int):
        images.check_size(width, height)
    names = filters_of(found)
    last = _SHORT.get(names[-1], names[-1]) if names else ""
    if any(name not in READABLE for name in names[:-1]):
        raise Refused(Reason.UNSUPPORTED)
    if last == _JPEG:
        return Kept(_jpeg(_peeled(found, names, content_of), _parameters(found, len(names) - 1)))
    if last == _JPEG2000:
        return _from_jpeg2000(_peeled(found, names, content_of))
    if last == _FAX:
        return _from_fax(found, len(names) - 1, content_of)
    if last and last not in READABLE:
        raise Refused(Reason.UNSUPPORTED)
    return None


def stripped(jpeg: bytes) -> bytes:
    """The JPEG without what is no part of its picture: application data, comments, a tail.

    Adobe's word on its colours stays. Refused if it is none.
    """
    if jpeg[:2] != b"\xff\xd8":
        raise Refused(Reason.DAMAGED)
    out, at = bytearray(b"\xff\xd8"), 2
    while True:
        marker, at = _marker(jpeg, at)
        if marker == 0xD9:
            return bytes(out) + b"\xff\xd9"
        length = int.from_bytes(jpeg[at : at + 2])
        segment = jpeg[at : at + length]
        if length < 2 or len(segment) < length:
            raise Refused(Reason.DAMAGED)
        at += length
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            out += bytes((0xFF, marker)) + segment
        elif marker == 0xEE and segment[2:7] == b"Adobe":
            out += b"\xff\xee\x00\x0e" + segment[2:14]
        if marker == 0xDA:
            end = _end_of_scan(jpeg, at)
            out += jpeg[at:end]
            at = end


def _marker(jpeg: bytes, at: int) -> tuple[int, int]:
    """The marker that stands there, and what follows it. Refused if there is none."""
    if jpeg[at : at + 1] != b"\xff":
        raise Refused(Reason.DAMAGED)
    while jpeg[at : at + 1] == b"\xff":
        at += 1
    if at >= len(jpeg) or jpeg[at] in {0x00, 0x01, 0xD8} or 0xD0 <= jpeg[at] <= 0xD7:
        raise Refused(Reason.DAMAGED)
    return jpeg[at], at + 1


def _end_of_scan(jpeg: bytes, at: int) -> int:
    """Where the compressed pixels end that begin there: at a marker that is neither a zero nor a restart."""
    while True:
        at = jpeg.find(b"\xff", at)
        if at < 0 or at + 1 >= len(jpeg):
            raise Refused(Reason.DAMAGED)
        if jpeg[at + 1] != 0 and not 0xD0 <= jpeg[at + 1] <= 0xD7:
            return at
        at += 2


def _jpeg(content: bytes, parameters: Any) -> EncodedStreamObject:
    content = stripped(content)
    try:
        size = Image.open(io.BytesIO(content), formats=("JPEG",)).size
    except Exception as error:  # parsers raise whatever they like
        raise Refused(Reason.DAMAGED) from error
    images.check_size(*size)
    stream = _with_filter(content, _JPEG)
    turn = member(parameters, "/ColorTransform") if isinstance(parameters, DictionaryObject) else None
    if isinstance(turn, int):
        stream[NameObject("/DecodeParms")] = DictionaryObject({NameObject("/ColorTransform"): NumberObject(turn)})
    return stream


def _from_jpeg2000(content: bytes) -> Kept:
    jpeg, pixels = images.as_jpeg(content, ("JPEG2000",))
    stream = _with_filter(jpeg, _JPEG)
    stream[NameObject("/ColorSpace")] = NameObject("/DeviceGray" if pixels.mode == "L" else "/DeviceRGB")
    stream[NameObject("/BitsPerComponent")] = NumberObject(8)
    stream[NameObject("/Width")], stream[NameObject("/Height")] = map(NumberObject, pixels.size)
    return Kept(stream, ("/Decode",))


def _from_fax(found: StreamObject, place: int, content_of: Callable[[StreamObject], bytes]) -> Kept:
    parameters = _parameters(found, place)
    if isinstance(parameters, DictionaryObject):
        coding, aligned = member(parameters, "/K"), member(parameters, "/EncodedByteAlign")
        if (isinstance(coding, int | float) and coding > 0) or (aligned is not None and bool(aligned.value)):
            raise Refused(Reason.UNSUPPORTED)  # the reader would make stripes of it
    try:
        # The parser puts the lines into a TIFF; of that the bits are what the filter would have given.
        picture = Image.open(io.BytesIO(content_of(found)), formats=("TIFF",))
        images.check_size(*picture.size)
        picture.load()
    except Refused:
        raise
    except Exception as error:
        raise Refused(Reason.DAMAGED) from error
    stream = _with_filter(FlateDecode.encode(picture.convert("1").tobytes()), "/FlateDecode")
    stream[NameObject("/BitsPerComponent")] = NumberObject(1)
    stream[NameObject("/Width")], stream[NameObject("/Height")] = map(NumberObject, picture.size)
    return Kept(stream)


def _with_filter(content: bytes, name: str) -> EncodedStreamObject:
    stream = EncodedStreamObject()
    stream._data = content  # pypdf sets the content of such a stream only for one filter
    stream[NameObject("/Filter")] = NameObject(name)
    return stream


def _peeled(found: StreamObject, names: list[str], content_of: Callable[[StreamObject], bytes]) -> bytes:
    """What the last filter would get."""
    if len(names) == 1:
        return found._data  # the bytes as they are, which pypdf hands out decoded alone
    outer = EncodedStreamObject()
    outer._data = found._data
    outer[NameObject("/Filter")] = ArrayObject([NameObject(name) for name in names[:-1]])
    outer[NameObject("/DecodeParms")] = ArrayObject(
        [_parameters(found, place) or DictionaryObject() for place in range(len(names) - 1)]
    )
    return content_of(outer)


def filters_of(found: StreamObject) -> list[str]:
    """In the order in which they decode."""
    said = member(found, "/Filter")
    return [str(plain(one)) for one in items(said)] if isinstance(said, ArrayObject) else [str(said)] if said else []


def _parameters(found: StreamObject, place: int) -> Any:
    said = member(found, "/DecodeParms")
    if isinstance(said, ArrayObject):
        known = items(said)
        return plain(known[place]) if place < len(known) else None
    return said
