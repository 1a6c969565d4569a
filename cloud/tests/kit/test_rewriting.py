"""What good files show, the files that are made of them show as well."""

import io
import zlib

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject, StreamObject
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.rewriting import images, pdf_scan, pdfs
from stempelwerk_cloud.kit.files.rewriting.pdf_images import stripped
from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused
from stempelwerk_cloud.kit.http.problems import Problem

from cloud.tests.planning.hostile_files import document, stream
from cloud.tests.planning.plain_files import jpeg, pdf, picture, png, saved, webp

RED, WHITE = (200, 30, 40), (255, 255, 255)


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(one, other, strict=True))


def corners(image: Image.Image) -> list[bool]:
    """Whether each corner is red: upper left, upper right, lower left, lower right."""
    right, low = image.width - 3, image.height - 3
    return [near(image.getpixel(at), RED) for at in ((2, 2), (right, 2), (2, low), (right, low))]  # type: ignore[arg-type]


def document_again(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdfs.rewritten(content, "application/pdf")), strict=True)


def test_images_and_documents_stay_what_they_are() -> None:
    for content, media_type in (
        (jpeg(), "image/jpeg"),
        (png(), "image/png"),
        (webp(), "image/webp"),
        (pdf(), "application/pdf"),
    ):
        made = checking.checked(content)
        assert made.media_type == checking.kind_of(made.content) == media_type


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
    held = picture() if orientation == 1 else picture().transpose(undo[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = opened(images.rewritten(saved(held, kind, exif=exif), f"image/{kind.lower()}"))
    assert (image.size, corners(image)) == ((60, 40), [True, False, False, False])


def test_deep_and_transparent_images_stay_legible() -> None:
    deep = Image.new("I;16", (60, 40), 60_000)
    deep.putpixel((2, 2), 1_000)
    grey = opened(images.rewritten(saved(deep, "PNG"), "image/png"))
    assert grey.getpixel((2, 2)) < (20, 20, 20)  # type: ignore[operator]
    assert grey.getpixel((50, 30)) > (200, 200, 200)  # type: ignore[operator]
    clear = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), (0, 0, 30, 20))
    shown = opened(images.rewritten(saved(clear, "PNG"), "image/png"))
    assert [shown.getpixel((2, 2)), shown.getpixel((50, 30))] == [(0, 0, 0), WHITE]


def test_a_cmyk_photo_keeps_its_colours() -> None:
    assert corners(opened(images.rewritten(saved(picture("CMYK"), "JPEG"), "image/jpeg"))) == [
        True,
        False,
        False,
        False,
    ]


def test_forty_megapixels_are_taken_and_no_more() -> None:
    large = saved(Image.new("1", (8000, 5000)), "PNG")
    assert checking.checked(large).media_type == "image/png"
    photo = saved(Image.new("RGB", (8000, 5000), RED), "JPEG")
    assert opened(checking.checked(photo).content).size == (8000, 5000)
    with pytest.raises(Problem, match="zu viele Bildpunkte"):
        checking.checked(saved(Image.new("1", (8000, 5001)), "PNG"))


def test_as_many_values_as_a_document_may_have_are_taken_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_scan, "MOST_NODES", 4)

    def scan(numbers: int) -> None:
        pdf_scan.check(DictionaryObject({NameObject("/Kids"): ArrayObject([NumberObject(1)] * numbers)}))

    scan(2)
    with pytest.raises(Refused) as refused:
        scan(3)
    assert refused.value.reason is Reason.TOO_COMPLEX


def test_a_jpeg_that_is_stripped_has_the_same_pixels() -> None:
    for more in ({"progressive": True}, {"comment": b"x", "quality": 30}, {"restart_marker_blocks": 1}):
        content = saved(picture(), "JPEG", **more)
        assert opened(stripped(content)).tobytes() == opened(content).tobytes()
    cmyk = saved(picture("CMYK"), "JPEG")
    assert Image.open(io.BytesIO(stripped(cmyk))).getpixel((2, 2)) == Image.open(io.BytesIO(cmyk)).getpixel((2, 2))


@pytest.mark.parametrize("length", [0, 1])
def test_a_jpeg_whose_pixels_begin_with_less_than_a_length_is_refused(length: int) -> None:
    before, _, after = jpeg().partition(b"\xff\xda")
    with pytest.raises(Refused):
        stripped(before + b"\xff\xda" + length.to_bytes(2) + after[2:])


@pytest.mark.parametrize("mode", ["RGB", "L", "1", "CMYK", "P"])
def test_a_scanned_page_shows_the_same_picture(mode: str) -> None:
    image = picture("L").point(lambda value: 255 * (value > 128), "1") if mode == "1" else picture(mode)
    page = document_again(saved(image, "PDF")).pages[0]
    assert corners(page.images[0].image.convert("RGB"))[1:] == [False, False, False]  # type: ignore[union-attr]
    red_or_black = page.images[0].image.convert("RGB").getpixel((2, 2))  # type: ignore[union-attr]
    assert red_or_black != WHITE


@pytest.mark.parametrize("black_is_1", [False, True])
def test_a_fax_shows_the_same_picture(*, black_is_1: bool) -> None:
    """Pillow writes a white point as the code's black one: the picture is the right way round if BlackIs1."""
    written = saved(picture("L").point(lambda value: 255 * (value > 128), "1"), "TIFF", compression="group4")
    tags = Image.open(io.BytesIO(written)).tag_v2  # type: ignore[attr-defined]
    (offset,), (count,) = tags[273], tags[279]
    how = b"/K -1 /Columns 60 /Rows 40" + (b" /BlackIs1 true" if black_is_1 else b"")
    members = (
        b"/Type /XObject /Subtype /Image /Width 60 /Height 40 /BitsPerComponent 1 /ColorSpace /DeviceGray"
        b" /Filter /CCITTFaxDecode /DecodeParms << " + how + b" >>"
    )
    content = document(
        resources=b"/XObject << /Im 7 0 R >>", more={7: stream(written[offset : offset + count], members)}
    )
    image = document_again(content).pages[0]["/Resources"]["/XObject"]["/Im"]  # type: ignore[index]
    assert image["/Filter"] == "/FlateDecode"
    bits = Image.frombytes("1", (60, 40), image.get_data())
    assert tags[262] == 1
    assert [bits.getpixel((2, 2)), bits.getpixel((50, 30))] == ([0, 255] if black_is_1 else [255, 0])


def test_a_picture_of_jpeg_2000_becomes_a_jpeg() -> None:
    members = b"/Type /XObject /Subtype /Image /Width 60 /Height 40 /Filter /JPXDecode"
    again = document_again(
        document(resources=b"/XObject << /Im 7 0 R >>", more={7: stream(saved(picture(), "JPEG2000"), members)})
    )
    assert corners(again.pages[0].images[0].image.convert("RGB")) == [True, False, False, False]  # type: ignore[union-attr]


def test_a_page_says_the_same_words() -> None:
    text = b"BT /F1 12 Tf 20 100 Td (Arbeitsunf\\344hig bis 27.11.) Tj ET"
    font = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>"
    again = document_again(document(contents=text, resources=font))
    assert again.pages[0].extract_text() == "Arbeitsunfähig bis 27.11."


def test_pages_keep_their_order_their_size_and_what_they_inherit() -> None:
    writer = PdfWriter()
    for width in (100, 200, 300):
        writer.add_blank_page(width, 400).rotate(90 if width == 200 else 0)
    out = io.BytesIO()
    writer.write(out)
    again = document_again(out.getvalue())
    assert [(int(page.mediabox.width), page.rotation) for page in again.pages] == [(100, 0), (200, 90), (300, 0)]
    shared = document(
        more={
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 77 88] /Rotate 270 /Resources << /Font << /F1 <<"
            b" /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
            3: b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
        }
    )
    page = document_again(shared).pages[0]
    assert (int(page.mediabox.width), page.rotation, list(page["/Resources"]["/Font"])) == (77, 270, ["/F1"])  # type: ignore[index, call-overload]


def test_what_a_form_was_filled_in_with_stays_on_the_page() -> None:
    """Whose links and fields go."""
    look = stream(b"/Tx BMC BT /F1 9 Tf (AOK) Tj ET EMC", b"/Type /XObject /Subtype /Form /BBox [0 0 10 20]")
    marks = (
        b"/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /V (AOK) /Rect [50 60 70 80] /AP << /N 8 0 R >> >>"
        b" << /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org) >> >>]"
    )
    page = document_again(document(page=marks, more={8: look})).pages[0]
    assert "/Annots" not in page
    drawn = page.get_contents().get_data().decode()  # type: ignore[union-attr]
    assert "q 2.00000 0.00000 0.00000 1.00000 50.00000 60.00000 cm /StwMark0 Do Q" in drawn
    assert b"(AOK)" in page["/Resources"]["/XObject"]["/StwMark0"].get_data()  # type: ignore[index]


def test_a_filled_field_that_nothing_shows_is_refused_rather_than_lost() -> None:
    marks = b"/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /V (AOK) /Rect [50 60 70 80] >>]"
    with pytest.raises(Refused) as refused:
        pdfs.rewritten(document(page=marks), "application/pdf")
    assert refused.value.reason is Reason.UNSUPPORTED


def test_what_pages_share_is_kept_once() -> None:
    writer = PdfWriter()
    image = StreamObject()
    image._data = zlib.compress(bytes(range(256)) * 300)
    image.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Image"),
            NameObject("/Width"): NumberObject(256),
            NameObject("/Height"): NumberObject(100),
            NameObject("/BitsPerComponent"): NumberObject(8),
            NameObject("/ColorSpace"): NameObject("/DeviceRGB"),
            NameObject("/Filter"): NameObject("/FlateDecode"),
            NameObject("/Decode"): ArrayObject([FloatObject(one) for one in (0, 1, 0, 1, 0, 1)]),
        }
    )
    shared = writer._add_object(image)
    for _ in range(5):
        page = writer.add_blank_page(100, 100)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/XObject"): DictionaryObject({NameObject("/Im"): shared})}
        )
    out = io.BytesIO()
    writer.write(out)
    again = document_again(out.getvalue())
    assert len({page["/Resources"]["/XObject"].raw_get("/Im").idnum for page in again.pages}) == 1  # type: ignore[index]
