"""Good files show the same after they are rebuilt."""

import io

import pytest
from PIL import Image
from pypdf import PageObject, PdfReader, PdfWriter
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.rewriting import images, pdfs
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.kit.pdf_bombs import jbig2
from cloud.tests.planning.hostile_pdfs import document, encrypted, stream
from cloud.tests.planning.plain_files import jpeg, pdf, picture, png, saved, webp

POOL = SubprocessPool()
RED, WHITE = (200, 30, 40), (255, 255, 255)


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def near(colour: tuple[int, ...], other_colour: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(colour, other_colour, strict=True))


def corners(image: Image.Image) -> list[bool]:
    """Returns whether each corner is red: upper left, upper right, lower left, lower right."""
    right, low = image.width - 3, image.height - 3
    return [near(image.getpixel(point), RED) for point in ((2, 2), (right, 2), (2, low), (right, low))]  # type: ignore[arg-type]


def rewritten_pdf(content: bytes) -> PdfReader:
    """Returns the rebuilt document; it contains only pictures."""
    return PdfReader(io.BytesIO(pdfs.rewritten(content, "application/pdf")), strict=True)


def page_images(content: bytes) -> list[Image.Image]:
    """Returns the pictures of its pages."""
    pictures = [list(page.images) for page in rewritten_pdf(content).pages]
    assert {len(page_pictures) for page_pictures in pictures} == {1}
    return [page_picture.image.convert("RGB") for (page_picture,) in pictures]  # type: ignore[union-attr]


def darkest(image: Image.Image, box: tuple[float, float, float, float]) -> int:
    """Returns the least brightness within a box on a page of 200 x 300 points."""
    left, low, right, high = (round(point * 150 / 72) for point in box)
    return image.convert("L").crop((left, image.height - high, right, image.height - low)).getextrema()[0]  # type: ignore[return-value]


def refusal(content: bytes) -> Reason:
    with pytest.raises(Refused) as refused:
        pdfs.rewritten(content, "application/pdf")
    return refused.value.reason


def test_images_and_documents_stay_what_they_are() -> None:
    for content, media_type in (
        (jpeg(), "image/jpeg"),
        (png(), "image/png"),
        (webp(), "image/webp"),
        (pdf(), "application/pdf"),
    ):
        remade = checking.checked(POOL, content)
        assert remade.media_type == checking.kind_of(remade.content) == media_type


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_image_shows_the_same_pixels(kind: str) -> None:
    image = opened(images.rewritten(saved(picture(), kind), f"image/{kind.lower()}"))
    assert image.size == (60, 40)
    assert corners(image) == [True, False, False, False]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_stands_upright(kind: str, orientation: int) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored_picture = picture() if orientation == 1 else picture().transpose(undo[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = opened(images.rewritten(saved(stored_picture, kind, exif=exif), f"image/{kind.lower()}"))
    assert (image.size, corners(image)) == ((60, 40), [True, False, False, False])


def test_deep_and_transparent_images_stay_legible() -> None:
    deep = Image.new("I;16", (60, 40), 60_000)
    deep.putpixel((2, 2), 1_000)
    grey = opened(images.rewritten(saved(deep, "PNG"), "image/png"))
    assert grey.getpixel((2, 2)) < (20, 20, 20)  # type: ignore[operator]
    assert grey.getpixel((50, 30)) > (200, 200, 200)  # type: ignore[operator]
    clear = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), (0, 0, 30, 20))
    flattened = opened(images.rewritten(saved(clear, "PNG"), "image/png"))
    assert [flattened.getpixel((2, 2)), flattened.getpixel((50, 30))] == [(0, 0, 0), WHITE]


def test_a_cmyk_photo_keeps_its_colours() -> None:
    assert corners(opened(images.rewritten(saved(picture("CMYK"), "JPEG"), "image/jpeg"))) == [
        True,
        False,
        False,
        False,
    ]


def test_forty_megapixels_are_taken_and_no_more() -> None:
    large = saved(Image.new("1", (8000, 5000)), "PNG")
    assert checking.checked(POOL, large).media_type == "image/png"
    photo = saved(Image.new("RGB", (8000, 5000), RED), "JPEG")
    assert opened(checking.checked(POOL, photo).content).size == (8000, 5000)
    with pytest.raises(Problem, match="zu viele Bildpunkte"):
        checking.checked(POOL, saved(Image.new("1", (8000, 5001)), "PNG"))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("mode", "kind"), [("LA", "PNG"), ("RGBA", "PNG"), ("I;16", "PNG"), ("RGB", "WEBP"), ("RGBA", "WEBP")]
)
def test_forty_megapixels_of_every_kind_are_taken(mode: str, kind: str) -> None:
    """Turned, too: a WebP of that size needs more memory than a document has."""
    exif = Image.Exif()
    exif[0x0112] = 6
    content = saved(Image.new(mode, (8000, 5000)), kind, exif=exif)
    assert opened(checking.checked(POOL, content).content).size == (5000, 8000)


# --- documents ------------------------------------------------------------------------------------------------------

FONT = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>"


@pytest.mark.parametrize("mode", ["RGB", "L", "1", "CMYK", "P"])
def test_a_scanned_page_shows_the_same_picture(mode: str) -> None:
    image = picture("L").point(lambda value: 255 * (value > 128), "1") if mode == "1" else picture(mode)
    (page,) = page_images(saved(image, "PDF"))
    assert page.getpixel((5, 5)) < (210, 100, 100)  # type: ignore[operator]
    assert [near(page.getpixel(point), WHITE) for point in ((115, 5), (5, 75), (115, 75))] == [True] * 3  # type: ignore[arg-type]


@pytest.mark.parametrize("black_is_1", [False, True])
def test_a_fax_shows_the_same_picture(*, black_is_1: bool) -> None:
    """Pillow writes a white point as the code's black one: BlackIs1 shows the picture correctly."""
    tiff = saved(picture("L").point(lambda value: 255 * (value > 128), "1"), "TIFF", compression="group4")
    tags = Image.open(io.BytesIO(tiff)).tag_v2  # type: ignore[attr-defined]
    (offset,), (count,) = tags[273], tags[279]
    how = b"/K -1 /Columns 60 /Rows 40" + (b" /BlackIs1 true" if black_is_1 else b"")
    members = b"/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << " + how + b" >>"
    (page,) = page_images(_with_picture(tiff[offset : offset + count], members))
    assert tags[262] == 1
    assert _corners_black(page) == ([True, False] if black_is_1 else [False, True])


def test_a_picture_of_jpeg_2000_is_shown() -> None:
    (page,) = page_images(_with_picture(saved(picture(), "JPEG2000"), b"/Filter /JPXDecode"))
    assert near(page.getpixel((5, 5)), RED)  # type: ignore[arg-type]
    assert near(page.getpixel((400, 600)), WHITE)  # type: ignore[arg-type]


def test_a_scan_of_jbig2_is_shown() -> None:
    (page,) = page_images(jbig2(picture("L", (600, 400))))
    assert _corners_black(page) == [True, False]


def _with_picture(content: bytes, members: bytes) -> bytes:
    """Returns a page that is a picture of 60 x 40."""
    image_header = b"/Type /XObject /Subtype /Image /Width 60 /Height 40 " + members
    return document(
        contents=b"200 0 0 300 0 0 cm /Im Do",
        resources=b"/XObject << /Im 7 0 R >>",
        extra_objects={7: stream(content, image_header)},
    )


def _corners_black(page: Image.Image) -> list[bool]:
    return [near(page.getpixel(point), (0, 0, 0)) for point in ((5, 5), (400, 600))]  # type: ignore[arg-type]


def test_words_are_seen_and_can_no_longer_be_selected() -> None:
    text = b"BT /F1 12 Tf 20 100 Td (Arbeitsunf\\344hig bis 27.11.) Tj ET"
    content = document(contents=text, resources=FONT)
    (page,) = page_images(content)
    assert darkest(page, (20, 98, 160, 112)) < 60
    assert darkest(page, (0, 150, 200, 300)) > 240
    assert rewritten_pdf(content).pages[0].extract_text() == ""


def test_pages_keep_their_order_and_size_and_stand_as_they_stood() -> None:
    writer = PdfWriter()
    for width in (100, 200, 300):
        writer.add_blank_page(width, 400).rotate(90 if width == 200 else 0)
    out = io.BytesIO()
    writer.write(out)
    assert [_size(page) for page in rewritten_pdf(out.getvalue()).pages] == [(100, 400), (400, 200), (300, 400)]
    inherited = {
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 77 88] /Rotate 270 >>",
        3: b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
    }
    (page,) = rewritten_pdf(document(extra_objects=inherited)).pages
    assert _size(page) == (88, 77)
    (page,) = rewritten_pdf(document(page=b"/CropBox [10 20 60 120]")).pages
    assert _size(page) == (50, 100)


def _size(page: PageObject) -> tuple[int, int]:
    assert page.rotation == 0
    return int(page.mediabox.width), int(page.mediabox.height)


def test_a_page_has_150_dots_an_inch_and_an_outsized_one_no_more_than_a_side_of_a3() -> None:
    assert [page.size for page in page_images(document())] == [(417, 625)]
    assert [page.size for page in page_images(document(page=b"/MediaBox [0 0 14400 7200]"))] == [(2480, 1240)]


def test_twenty_pages_are_taken_and_no_more() -> None:
    assert len(rewritten_pdf(pdf(20)).pages) == 20
    assert refusal(pdf(21)) is Reason.TOO_MANY_PAGES
    assert refusal(document(extra_objects={2: b"<< /Type /Pages /Kids [] /Count 0 >>"})) is Reason.DAMAGED


LOOK = b"/Tx BMC BT /F1 18 Tf 2 5 Td (AOK) Tj ET EMC"


@pytest.mark.parametrize("has_a_look", [True, False])
def test_the_values_of_a_filled_form_are_seen(*, has_a_look: bool) -> None:
    """Also if the program that filled it in left the drawing to the viewer."""
    look = stream(LOOK, b"/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << " + FONT + b" >>")
    field = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (AOK) /DA (/F1 18 Tf 0 g) /F 4 /Rect [50 60 150 80] "
    field += b"/AP << /N 8 0 R >> >>" if has_a_look else b">>"
    content = document(
        catalog=b"/AcroForm << /Fields [9 0 R] /DA (/F1 18 Tf 0 g) /DR << " + FONT + b" >> >>",
        page=b"/Annots [9 0 R]",
        extra_objects={8: look, 9: field},
    )
    (page,) = page_images(content)
    assert darkest(page, (50, 60, 150, 80)) < 60
    assert darkest(page, (50, 100, 150, 300)) > 240
    assert b"AOK" not in pdfs.rewritten(content, "application/pdf")


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"])
def test_who_may_not_print_it_may_hand_it_in_and_who_needs_a_password_is_told_so(algorithm: str) -> None:
    (page,) = page_images(encrypted(algorithm, ""))
    assert near(page.getpixel((5, page.height - 5)), (0, 0, 0))  # type: ignore[arg-type]
    assert refusal(encrypted(algorithm, "geheim")) is Reason.ENCRYPTED
    assert refusal(encrypted(algorithm, "geheim")[:-200]) is Reason.DAMAGED


@pytest.mark.parametrize("offset", [0, 1, 200, 1023])
def test_a_header_may_stand_anywhere_in_the_first_1024_bytes(offset: int) -> None:
    content = b"-" * offset + document()
    assert checking.kind_of(content) == "application/pdf"
    (page,) = page_images(content)
    assert near(page.getpixel((5, page.height - 5)), (0, 0, 0))  # type: ignore[arg-type]


def test_a_header_further_on_is_none() -> None:
    assert checking.kind_of(b"-" * 1024 + document()) is None
    assert refusal(b"-" * 1100 + document()) is Reason.DAMAGED
