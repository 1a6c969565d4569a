"""Parts of hostile files, images and PDFs alike. Each carries `PAYLOAD` wherever it hides something."""

import io
import struct
import zipfile
from functools import cache
from typing import Literal, NamedTuple

from PIL import Image, ImageCms

from cloud.tests.planning.plain_files import jpeg

PAYLOAD = b"STW-PAYLOAD-7f3a91c2"
HTML = b"<html><script>alert('" + PAYLOAD + b"')</script></html>"
PHP = b"<?php system('" + PAYLOAD + b"'); ?>"
TEN_MB = 10 * 1024 * 1024
Fate = Literal["REFUSED", "CLEANED"]


class Hostile(NamedTuple):
    name: str
    content: bytes
    fate: Fate


def zipped(content: bytes = PAYLOAD, name: str = "evil.txt") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def telling_exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010F] = PAYLOAD.decode()
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0), 29: PAYLOAD.decode()})
    exif.get_ifd(0x8769)[0x9286] = PAYLOAD
    return exif


@cache
def telling_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes() + PAYLOAD


def with_segment(content: bytes, marker: int, data: bytes) -> bytes:
    """Returns the JPEG with an extra segment directly after its beginning."""
    return content[:2] + bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data + content[2:]


def jpeg_of(width: int, height: int) -> bytes:
    """Returns a JPEG that claims this size."""
    content = bytearray(jpeg())
    frame = content.index(b"\xff\xc0")
    content[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(content)
