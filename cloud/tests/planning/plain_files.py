"""Good files: what an employee would hand in."""

import io
from functools import cache

from PIL import Image
from pypdf import PdfWriter


@cache
def picture(mode: str = "RGB", size: tuple[int, int] = (60, 40)) -> Image.Image:
    """Something with an upper left corner that differs from the others."""
    image = Image.new("RGB", size, "white")
    image.paste((200, 30, 40), (0, 0, size[0] // 2, size[1] // 2))
    return image.convert(mode)


@cache
def jpeg() -> bytes:
    return saved(picture(), "JPEG")


@cache
def png() -> bytes:
    return saved(picture(), "PNG")


@cache
def webp() -> bytes:
    return saved(picture(), "WEBP")


@cache
def pdf(pages: int = 1) -> bytes:
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(200, 300)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()
