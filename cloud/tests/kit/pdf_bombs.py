"""Documents that cost more than they show, made by code; and unusual documents that people really have."""

import io
import zlib
from collections.abc import Callable

from PIL import Image
from pypdf import PdfWriter
from stempelwerk_cloud.kit.files.rewriting.refused import Reason

from cloud.tests.planning.hostile_pdfs import document, stream
from cloud.tests.planning.plain_files import pdf, picture, saved

FLATE = b"/Filter /FlateDecode"
FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 200 300] "
Maker = Callable[[], bytes]


def page_document(contents: bytes, **options: bytes) -> bytes:
    """Returns a document whose page has these contents, compressed."""
    return document(extra_objects={4: stream(zlib.compress(contents, 1), FLATE)}, **options)  # type: ignore[arg-type]


def zeros(gigabytes: int) -> bytes:
    """Returns gigabytes of zeros in a few megabytes: a compressed block is repeated."""
    packer = zlib.compressobj(9)
    begin = packer.compress(b"\0") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b"\0" * (1 << 26)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begin + block * (16 * gigabytes) + packer.flush()


def forms(count: int, contents: Callable[[int], bytes], start: bytes = b"/X0 Do") -> bytes:
    """Returns a document with `count` forms that refer to each other."""
    form_names = b" ".join(b"/X%d %d 0 R" % (number, 10 + number) for number in range(count))
    form_resources = b"/Resources << /XObject 9 0 R >>"
    form_objects = {10 + number: stream(contents(number), FORM + form_resources) for number in range(count)}
    return document(
        contents=start, resources=b"/XObject 9 0 R", extra_objects={9: b"<< " + form_names + b" >>", **form_objects}
    )


def scan(dots: int, pages: int = 20) -> bytes:
    """Returns pages of A4 with the noise of a scanner."""
    size = (827 * dots // 100, 1169 * dots // 100)
    grey = [Image.effect_noise(size, 20) for _ in range(3)]
    page = Image.merge("RGB", grey)
    out = io.BytesIO()
    page.save(out, "PDF", save_all=True, append_images=[page] * (pages - 1), resolution=dots, quality=20)
    return out.getvalue()


def jbig2(image: Image.Image) -> bytes:
    """Returns a scan as copiers send it: one region, coded like a fax."""
    tiff = saved(image.convert("L").point(lambda value: 255 * (value < 128), "1"), "TIFF", compression="group4")
    tags = Image.open(io.BytesIO(tiff)).tag_v2  # type: ignore[attr-defined]
    (offset,), (count,) = tags[273], tags[279]
    width, height = (side.to_bytes(4) for side in image.size)
    page = width + height + b"\0" * 8 + b"\0" + b"\0\0"
    region = width + height + b"\0" * 8 + b"\0" + b"\x01" + tiff[offset : offset + count]
    segments = [(48, page), (38, region)]
    coded = b"".join(
        number.to_bytes(4) + bytes((kind, 0, 1)) + len(data).to_bytes(4) + data
        for number, (kind, data) in enumerate(segments)
    )
    header = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 1" % image.size
    members = header + b" /ColorSpace /DeviceGray /Filter /JBIG2Decode"
    return document(
        contents=b"200 0 0 300 0 0 cm /Im Do",
        resources=b"/XObject << /Im 7 0 R >>",
        extra_objects={7: stream(coded, members)},
    )


def _packed_pdf() -> bytes:
    """Returns a PDF 2.0 with its objects in streams."""
    writer = PdfWriter()
    writer.pdf_header = "%PDF-2.0"
    writer.add_blank_page(200, 300)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _deep_tree(depth: int) -> bytes:
    levels = {10 + n: b"<< /Type /Pages /Count 1 /Kids [%d 0 R] >>" % (11 + n) for n in range(depth)}
    last = b"<< /Type /Page /MediaBox [0 0 200 300] >>"
    return document(extra_objects={2: b"<< /Type /Pages /Count 1 /Kids [10 0 R] >>", **levels, 10 + depth: last})


def _soft_masks(depth: int) -> bytes:
    """Returns forms that are each seen through the next one."""
    states = {
        100 + n: b"<< /Type /ExtGState /SMask << /S /Luminosity /G %d 0 R >> >>" % (201 + n) for n in range(depth)
    }
    layers = {
        200 + n: stream(
            b"/G gs 0 0 200 300 re f",
            FORM
            + b"/Group << /S /Transparency /CS /DeviceGray >> /Resources << /ExtGState << /G %d 0 R >> >>" % (100 + n),
        )
        for n in range(depth)
    }
    return document(
        contents=b"/X Do",
        resources=b"/XObject << /X 200 0 R >>",
        extra_objects={**states, **layers, 200 + depth: stream(b"1 g 0 0 200 300 re f", FORM)},
    )


def _image(side: int) -> bytes:
    members = b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray" % (
        side,
        side,
    )
    packed = stream(zlib.compress(b"\x80" * 1_000_000), members + b" " + FLATE)
    return document(
        contents=b"200 0 0 300 0 0 cm /Im Do", resources=b"/XObject << /Im 7 0 R >>", extra_objects={7: packed}
    )


def _tiling(step: float) -> bytes:
    pattern = b"/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep %f /YStep %f /Resources << >>"
    tile = stream(b"0 0 1 1 re f", pattern % (step, step))
    return document(
        contents=b"/Pattern cs /P scn 0 0 200 300 re f", resources=b"/Pattern << /P 8 0 R >>", extra_objects={8: tile}
    )


def _shading(tokens: int) -> bytes:
    """Returns a shading that computes each dot's colour by a program."""
    program = b"{ add " + b"dup mul sqrt " * (tokens // 3) + b"dup dup }"
    function = stream(program, b"/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]")
    shading = (
        b"<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Matrix [2000 0 0 2000 0 0] /Function 9 0 R >>"
    )
    return document(
        contents=b"/S sh",
        resources=b"/Shading << /S 8 0 R >>",
        page=b"/MediaBox [0 0 1190 1190]",
        extra_objects={8: shading, 9: function},
    )


TAKEN: dict[str, Maker] = {
    "200 bytes before the header": lambda: b"\n" * 200 + pdf(),
    "PDF 2.0": _packed_pdf,
    "JBIG2": lambda: jbig2(picture("L", (600, 400))),
    "a page of 14,400 points": lambda: document(page=b"/MediaBox [0 0 14400 14400]"),
    "a page of 14,400,000 points": lambda: document(page=b"/MediaBox [0 0 14400 14400] /UserUnit 1000"),
    "arrays 200,000 deep": lambda: document(page=b"/X " + b"[" * 200_000 + b"]" * 200_000),
    "60 nested soft masks": lambda: _soft_masks(60),
}
"""Documents that are drawn quickly."""

REFUSED: dict[str, tuple[Maker, Reason]] = {
    "no document behind its header": (lambda: b"%PDF-1.7\n" + bytes(range(256)) * 400, Reason.DAMAGED),
    "half a document": (lambda: (document_bytes := scan(50, 2))[: len(document_bytes) // 2], Reason.DAMAGED),
    "5,000 pages": (lambda: pdf(5000), Reason.TOO_MANY_PAGES),
    "a tree 3,000 deep": (lambda: _deep_tree(3000), Reason.DAMAGED),
    "4 GiB of zeros": (lambda: document(extra_objects={4: stream(zeros(4), FLATE)}), Reason.TOO_COMPLEX),
}
"""Documents that are refused at once."""

SLOW: dict[str, tuple[Maker, Reason | None]] = {
    "20 scanned pages": (lambda: scan(200), None),
    "20 finely scanned pages": (lambda: scan(300), None),
    "10,000 forms that share what they draw with": (
        lambda: forms(10_000, lambda _: b"0 0 1 1 re f", b" ".join(b"/X%d Do" % n for n in range(10_000))),
        None,
    ),
    "an image of 60,000 x 60,000": (lambda: _image(60_000), None),
    "2^40 forms": (lambda: forms(41, lambda n: b"/X%d Do " % (n + 1) * 2), Reason.TOO_COMPLEX),
    "a form drawn a million times": (
        lambda: forms(1, lambda _: b"0 0 1 1 re f", b"/X0 Do\n" * 1_000_000),
        Reason.TOO_COMPLEX,
    ),
    "3,000,000 states": (lambda: page_document(b"q\n" * 3_000_000), Reason.TOO_COMPLEX),
    "zeros in zeros": (
        lambda: document(extra_objects={4: stream(zlib.compress(zeros(4)), b"/Filter [/FlateDecode /FlateDecode]")}),
        Reason.TOO_COMPLEX,
    ),
    "tiles of a hundredth of a point": (lambda: _tiling(0.01), Reason.TOO_COMPLEX),
    "a program of 3,000 words a dot": (lambda: _shading(3000), Reason.TOO_COMPLEX),
}
"""Documents that take seconds of CPU; None: it is accepted."""
