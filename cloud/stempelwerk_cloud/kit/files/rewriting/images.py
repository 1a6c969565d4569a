"""The rebuilding of images: the result has the same pixels, upright, without transparency, metadata, profile or
comments.
"""

import io

from PIL import Image

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

Image.preinit()  # Pillow would do this at the first image, when the process may no longer open files
Image.MAX_IMAGE_PIXELS = None  # `check_size` raises a clearer error

MOST_PIXELS = 40_000_000
LONGEST_SIDE = 16_000
_QUALITY = 88
_ORIENTATION = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_READ_AS = {"image/jpeg": ("JPEG", "MPO"), "image/png": ("PNG",), "image/webp": ("WEBP",)}
"""Pillow's parsers that may read each media type. MPO is what some phones make: JPEG with a second picture."""


def rewritten(content: bytes, media_type: str) -> bytes:
    """Returns the file's first image as a new file of the same type. Raises Refused."""
    clean = _opened(content, _READ_AS[media_type])
    out = io.BytesIO()
    if media_type == "image/png":
        clean.save(out, "PNG")
    elif media_type == "image/webp":
        clean.convert("RGB").save(out, "WEBP", quality=_QUALITY, method=2)
    else:
        clean.convert("L" if clean.mode == "1" else clean.mode).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def check_size(width: int, height: int) -> None:
    """Raises Refused for an image that is larger than any use needs, or that has no pixels."""
    if width < 1 or height < 1:
        raise Refused(Reason.DAMAGED)
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise Refused(Reason.TOO_MANY_PIXELS)


def _opened(content: bytes, formats: tuple[str, ...]) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(content), formats=formats)
    except Exception as error:  # parsers raise any exception
        raise Refused(Reason.DAMAGED) from error
    check_size(*image.size)
    try:
        image.load()
        pixels = _plain(image)
        turn = _UPRIGHT.get(_orientation(image))
        return pixels if turn is None else pixels.transpose(turn)
    except Refused:
        raise
    except MemoryError as error:
        raise Refused(Reason.TOO_COMPLEX) from error
    except Exception as error:
        raise Refused(Reason.DAMAGED) from error


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # the orientation may be invalid
        return 1


def _plain(image: Image.Image) -> Image.Image:
    """Returns a new image of mode 1, L or RGB, with nothing but the pixels."""
    if image.has_transparency_data:
        layered = image.convert("RGBA")
        plain = Image.new("RGB", image.size, "white")
        plain.paste(layered, mask=layered.getchannel("A"))
        return plain
    if image.mode in {"I;16", "I;16B"}:  # conversion would cut what is brighter than 255
        flat = Image.frombytes("L", image.size, image.tobytes()[image.mode == "I;16" :: 2])
    else:
        flat = image.convert(image.mode if image.mode in {"1", "L", "RGB"} else "RGB")
    plain = Image.new(flat.mode, flat.size)
    plain.paste(flat)
    return plain
