"""A PDF becomes another one that shows the same pages: each is drawn, and the new document holds the pictures alone.

So nothing of the old file's objects is passed on, whatever they are. What cannot be drawn is left out without a word,
and text can no longer be selected or searched.
"""

import ctypes
import io

import pypdfium2 as pdfium
from PIL import Image
from pypdfium2 import raw

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

# What each would else do when it is first needed, and nothing can be opened any more. Where no memory may be both
# written and run, callbacks stand on a file that is opened for the first of them.
Image.preinit()
ctypes.CFUNCTYPE(None)(lambda: None)

MOST_PAGES = 20
DOTS_PER_POINT = 150 / 72
LONGEST_SIDE = 2480
"""Dots: what a page of A3 has. Larger ones are drawn with fewer dots an inch."""
_QUALITY = 75
_LOCKED = frozenset({raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY})


def rewritten(content: bytes, _media_type: str) -> bytes:
    """The document's pages as a new document. Refused; or the process dies by one of its limits."""
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
