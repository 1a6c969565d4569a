"""Uploads for sick notes that are no image or more than one, and files that are neither image nor PDF."""

import base64
import gzip
import struct
import zlib
from collections.abc import Iterator

from PIL import Image, PngImagePlugin

from cloud.tests.planning.hostile import (
    HTML,
    PAYLOAD,
    PHP,
    TEN_MB,
    Hostile,
    jpeg_of,
    telling_exif,
    telling_profile,
    with_segment,
    zipped,
)
from cloud.tests.planning.plain_files import jpeg, pdf, picture, png, saved, webp


def hostile_images() -> Iterator[Hostile]:
    for make in (_no_images, _sizes, _tails, _jpegs, _pngs, _webps, _truncated):
        yield from make()


def _no_images() -> Iterator[Hostile]:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>' + PAYLOAD + b"</script></svg>"
    other_files = {
        "html": HTML,
        "html with doctype": b"<!doctype html>" + HTML,
        "xhtml": b'<?xml version="1.0"?>' + HTML,
        "svg": svg,
        "svg with declaration": b'<?xml version="1.0"?>' + svg,
        "svgz": gzip.compress(svg),
        "script": b"alert(1)//" + PAYLOAD,
        "php": PHP,
        "shell": b"#!/bin/sh\n" + PAYLOAD,
        "zip": zipped(),
        "zip bomb": zipped(b"\0" * 5_000_000),
        "nested zip bomb": zipped(zipped(b"\0" * 2_000_000)),
        "jar": zipped(name="META-INF/MANIFEST.MF"),
        "docx": zipped(name="word/document.xml"),
        "docm": zipped(name="word/vbaProject.bin"),
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
        "gifar": saved(picture("P"), "GIF") + zipped(),
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
        "zip before jpeg": zipped() + jpeg(),
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
        "pdf magic with zip": b"%PDF-1.7\n" + zipped(),
        "fdf": b"%FDF-1.2\n" + PAYLOAD,
    }
    yield from (Hostile(name, content, "REFUSED") for name, content in other_files.items())


def _sizes() -> Iterator[Hostile]:
    yield Hostile("empty", b"", "REFUSED")
    for name, content in {"jpeg": jpeg(), "png": png(), "pdf": pdf(), "zeros": b""}.items():
        yield Hostile(f"{name} of 10 MB and a byte", content + b"\0" * (TEN_MB + 1 - len(content)), "REFUSED")
    yield Hostile("jpeg of 10 MB", jpeg() + b"\0" * (TEN_MB - len(jpeg())), "CLEANED")


def _tails() -> Iterator[Hostile]:
    """Yields two files in one: extra bytes after the end."""
    tails = {
        "zip": zipped(),
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


def _jpegs() -> Iterator[Hostile]:
    plain = jpeg()
    for number in range(16):
        yield Hostile(f"jpeg with application data {number}", with_segment(plain, 0xE0 + number, PAYLOAD), "CLEANED")
    yield Hostile("jpeg with a comment", with_segment(plain, 0xFE, PHP), "CLEANED")
    yield Hostile("jpeg with a script as comment", with_segment(plain, 0xFE, b"*/=1;" + HTML), "CLEANED")
    yield Hostile("jpeg with xmp", with_segment(plain, 0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with iptc", with_segment(plain, 0xED, b"Photoshop 3.0\x008BIM" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with flashpix", with_segment(plain, 0xE2, b"FPXR\0" + PAYLOAD), "CLEANED")
    yield Hostile("jpeg with gps", saved(picture(), "JPEG", exif=telling_exif()), "CLEANED")
    yield Hostile("jpeg with a profile", saved(picture(), "JPEG", icc_profile=telling_profile()), "CLEANED")
    yield Hostile("jpeg with a broken profile", saved(picture(), "JPEG", icc_profile=PAYLOAD), "CLEANED")
    yield Hostile(
        "jpeg with broken exif", with_segment(plain, 0xE1, b"Exif\0\0MM\0*\xff\xff\xff\xff" + PAYLOAD), "CLEANED"
    )
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
        yield Hostile(f"jpeg that says {width} x {height}", jpeg_of(width, height), "REFUSED")
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
    yield Hostile("png with gps", saved(picture(), "PNG", exif=telling_exif()), "CLEANED")
    yield Hostile("png with a profile", saved(picture(), "PNG", icc_profile=telling_profile()), "CLEANED")
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
    yield Hostile("webp with gps", saved(picture(), "WEBP", exif=telling_exif()), "CLEANED")
    yield Hostile("webp with xmp", saved(picture(), "WEBP", xmp=PAYLOAD), "CLEANED")
    yield Hostile("webp with a profile", saved(picture(), "WEBP", icc_profile=telling_profile()), "CLEANED")
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
    # The end of a PNG contains nothing that is missed.
    for kind, content in {"jpeg": jpeg(), "png": png()[:-16], "webp": webp()}.items():
        for percent in (5, 20, 40, 60, 80, 90):
            yield Hostile(f"{kind} cut at {percent} %", content[: len(content) * percent // 100], "REFUSED")
    for percent in (5, 20, 40, 60, 80, 95):
        yield Hostile(f"pdf cut at {percent} %", pdf()[: len(pdf()) * percent // 100], "REFUSED")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _with_chunk(content: bytes, name: bytes, data: bytes) -> bytes:
    return _with_chunks(content, [(name, data)])


def _with_chunks(content: bytes, chunks: list[tuple[bytes, bytes]]) -> bytes:
    """Returns the PNG with more chunks after its head."""
    return content[:33] + b"".join(_chunk(name, data) for name, data in chunks) + content[33:]


def _png_of(
    width: int, height: int, depth: int, colour: int, pixels: bytes | None = None, *, squeeze: bool = True
) -> bytes:
    """Returns a PNG whose head claims this size."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    data = b"\0" * min(width * height, 1_000_000) if pixels is None else pixels
    parts = [_chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(data) if squeeze else data), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _riff(body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def _sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
