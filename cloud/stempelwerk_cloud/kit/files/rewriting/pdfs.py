"""Converts a PDF into another one that shows the same pages: each is drawn, and the new document holds only the
pictures.

So no object of the old file is passed on. Objects that cannot be drawn are left out silently, and text can no longer be
selected or searched.
"""

import ctypes
import io

import pypdfium2 as pdfium
from PIL import Image
from pypdfium2 import raw

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

# Work that each library would do at first use, when no file can be opened any more. Where no memory may be both written
# and executed, ctypes opens a file for the first callback.
Image.preinit()
ctypes.CFUNCTYPE(None)(lambda: None)

MOST_PAGES = 20
DOTS_PER_POINT = 150 / 72
LONGEST_SIDE = 2480
"""Dots: what a page of A3 has. Larger ones are drawn with fewer dots an inch."""
_QUALITY = 75
_LOCKED = frozenset({raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY})


def rewritten(content: bytes, _media_type: str) -> bytes:
    """Returns the document's pages as a new document. Refused; or the process dies by one of its limits."""
    old = _opened(content)
    new = pdfium.PdfDocument.new()
    for page in old:
        _draw(page, new)
    out = io.BytesIO()
    new.save(out)
    return out.getvalue()


def _opened(content: bytes) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(content)
        document.init_forms()  # before anything of its pages, or what their fields were filled in with is missing
    except pdfium.PdfiumError as error:
        raise Refused(Reason.ENCRYPTED if error.err_code in _LOCKED else Reason.DAMAGED) from error
    if len(document) < 1:
        raise Refused(Reason.DAMAGED)
    if len(document) > MOST_PAGES:
        raise Refused(Reason.TOO_MANY_PAGES)
    return document


def _draw(page: pdfium.PdfPage, new: pdfium.PdfDocument) -> None:
    width, height = page.get_size()
    scale = min(DOTS_PER_POINT, LONGEST_SIDE / max(width, height))
    jpeg = io.BytesIO()
    page.render(scale=scale, rev_byteorder=True).to_pil().save(jpeg, "JPEG", quality=_QUALITY)
    jpeg.seek(0)
    picture = pdfium.PdfImage.new(new)
    picture.load_jpeg(jpeg, inline=True)
    picture.set_matrix(pdfium.PdfMatrix().scale(width, height))
    target_page = new.new_page(width, height)
    target_page.insert_obj(picture)
    target_page.gen_content()
