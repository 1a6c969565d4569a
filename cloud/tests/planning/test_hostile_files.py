"""Nothing that is no image and no document is taken as one; what is taken is handed on without all it hides."""

import io
import re
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, StreamObject
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.checking import Checked
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.planning.farm import farm
from cloud.tests.planning.hostile import PAYLOAD, TEN_MB, Hostile
from cloud.tests.planning.hostile_files import all_files

FORBIDDEN = re.compile(
    rb"/(JavaScript|JS|AA|OpenAction|Launch|EmbeddedFiles?|Filespec|RichMedia|XFA|URI|Annots|Metadata)\b"
)
FORBIDDEN_WORDS = (b"Exif", b"http://ns.adobe.com", b"<?php", b"<script", b"PK\x03\x04", b"JFXX", b"8BIM", b"acsp")
AT_ONCE = 3
POOL = SubprocessPool()
RUN = checking.run
Fates = dict[Hostile, Checked | Problem]


def _outcome(hostile: Hostile) -> Checked | Problem:
    try:
        return checking.checked(POOL, hostile.content)
    except Problem as refused:
        return refused


@pytest.fixture(scope="module")
def fates() -> Iterator[Fates]:
    """Returns the outcome of each file, examined in its own forked process."""
    files = all_files()
    assert len({hostile.name for hostile in files}) == len(files) >= 200
    with (
        farm() as first_farm,
        farm() as second_farm,
        ThreadPoolExecutor(2) as pool,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(
            checking,
            "run",
            lambda _pool, content, kind: (first_farm if len(content) % 2 else second_farm).look(content, kind),
        )
        yield dict(zip(files, pool.map(_outcome, files), strict=True))


def test_in_processes_that_are_started_the_same_becomes_of_them(fates: Fates) -> None:
    """A sample of all, and whatever wants more than there is."""
    some = [hostile for number, hostile in enumerate(fates) if number % 16 == 0 or "bomb" in hostile.name]
    assert len(some) > 25
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(AT_ONCE) as pool:
        patch.setattr(checking, "run", RUN)
        for hostile, outcome in zip(some, pool.map(_outcome, some), strict=True):
            expected = fates[hostile]
            if isinstance(expected, Problem):
                assert isinstance(outcome, Problem), hostile.name
                assert (outcome.status, outcome.code) == (expected.status, expected.code), hostile.name
            else:
                assert isinstance(outcome, Checked), hostile.name
                assert outcome.media_type == expected.media_type, hostile.name


def test_what_is_no_image_and_no_document_is_refused(fates: Fates) -> None:
    accepted = [
        hostile.name for hostile, fate in fates.items() if hostile.fate == "REFUSED" and isinstance(fate, Checked)
    ]
    assert accepted == []


def test_each_refusal_says_in_german_what_is_wrong(fates: Fates) -> None:
    for hostile, refused in fates.items():
        if isinstance(refused, Problem):
            expected = (413, "too_large") if len(hostile.content) > TEN_MB else (422, refused.code)
            assert (refused.status, refused.code) == expected, hostile.name
            assert refused.message.endswith((".", "!")), hostile.name


def test_who_needs_a_password_is_told_so_and_who_sends_a_bomb_that_it_is_one(fates: Fates) -> None:
    for hostile, refused in fates.items():
        if isinstance(refused, Problem) and hostile.name.startswith("pdf encrypted"):
            assert refused.code == "file_encrypted", hostile.name
        if isinstance(refused, Problem) and hostile.name.startswith("pdf with") and "bomb" in hostile.name:
            assert refused.code == "file_too_complex", hostile.name


def test_what_hides_nothing_but_in_its_margins_is_taken(fates: Fates) -> None:
    """Photos with metadata and forms with scripts are common uploads. Files that few readers repair may be refused."""
    refused = {
        hostile.name for hostile, fate in fates.items() if hostile.fate == "CLEANED" and isinstance(fate, Problem)
    }
    assert refused <= MAY_BE_REFUSED


MAY_BE_REFUSED = {
    "pdf with no table",
    "png with a chunk zTXt",
    "png with a bomb of words",
    "png with a bomb of words in unicode",
    "png with a bomb as profile",
    "png with a thousand words",
    "png with a chunk that must be known",
    "png without an end",
}


def test_nothing_survives_but_what_a_file_shows(fates: Fates) -> None:
    accepted = {hostile: fate for hostile, fate in fates.items() if isinstance(fate, Checked)}
    assert len(accepted) > 80
    for hostile, checked in accepted.items():
        for part in _parts(checked):
            assert PAYLOAD not in part, hostile.name
            assert not [word for word in FORBIDDEN_WORDS if word in part], hostile.name
        if checked.media_type == "application/pdf":
            _check_document(checked.content, hostile.name)
        else:
            _check_image(checked, hostile.name)


def test_a_file_that_was_made_anew_is_taken_again(fates: Fates) -> None:
    some = [fate for fate in fates.values() if isinstance(fate, Checked)][::8]
    for checked in some:
        assert checking.checked(POOL, checked.content).media_type == checked.media_type


def _parts(checked: Checked) -> Iterator[bytes]:
    """The bytes of the file, and what they are when they are decoded."""
    yield checked.content
    if checked.media_type == "application/pdf":
        for part in _streams(PdfReader(io.BytesIO(checked.content))):
            yield part.get_data() if part.get("/Filter") == "/FlateDecode" else part._data
    if checked.media_type == "image/png":
        for name, data in _chunks(checked.content):
            assert name in {b"IHDR", b"IDAT", b"IEND", b"PLTE"}, name
            yield zlib.decompress(data) if name == b"IDAT" and data[:1] == b"x" and len(data) < 4000 else data


def _streams(reader: PdfReader) -> Iterator[StreamObject]:
    for number in reader.xref[0]:
        pdf_object = reader.get_object(number)
        if isinstance(pdf_object, StreamObject):
            yield pdf_object


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    offset = 8
    while offset < len(content):
        length = int.from_bytes(content[offset : offset + 4])
        yield content[offset + 4 : offset + 8], content[offset + 8 : offset + 8 + length]
        offset += length + 12
    assert offset == len(content), "something stands behind the end"


_DRAWN = re.compile(rb"q\n0 0 0 RG 0 0 0 rg 1 w 0 J 0 j\n/\w+ gs q ([0-9.]+ ){6}cm /\w+ Do Q\nQ\n")


def _check_document(content: bytes, name: str) -> None:
    """There are pages with a picture on each, and nothing else."""
    assert content.startswith(b"%PDF-"), name
    assert content.rstrip().endswith(b"%%EOF"), name
    assert content.count(b"%%EOF") == 1, name
    assert not FORBIDDEN.search(content), name
    reader = PdfReader(io.BytesIO(content), strict=True)
    assert 1 <= len(reader.pages) <= 20, name
    assert set(reader.trailer) <= {"/Root", "/Info", "/Size", "/ID"}, name
    assert set(reader.root_object) == {"/Type", "/Pages"}, name
    assert set(reader.metadata or ()) <= {"/Creator", "/CreationDate"}, name
    assert (reader.metadata or {}).get("/Creator") == "PDFium", name
    for page in reader.pages:
        assert set(page) == {"/Type", "/Parent", "/MediaBox", "/Rotate", "/Resources", "/Contents"}, name
        resources = page["/Resources"]
        assert isinstance(resources, DictionaryObject), name
        assert set(resources) <= {"/XObject", "/ProcSet", "/ExtGState"}, name
        assert _DRAWN.fullmatch(page.get_contents().get_data()), name  # type: ignore[union-attr]
    pictures = [stream_object for stream_object in _streams(reader) if stream_object.get("/Subtype") == "/Image"]
    assert len(pictures) == len(reader.pages), name
    assert len(list(_streams(reader))) == 2 * len(pictures), name
    for picture in pictures:
        assert picture["/Filter"] == "/DCTDecode", name
        _check_image(Checked(picture._data, "image/jpeg"), name)


def _check_image(checked: Checked, name: str) -> None:
    image = Image.open(io.BytesIO(checked.content))
    image.load()
    assert Image.MIME[image.format or ""] == checked.media_type, name
    assert getattr(image, "n_frames", 1) == 1, name
    assert image.mode in {"1", "L", "RGB"}, name
    assert not dict(image.getexif()), name
    allowed_info = {"jfif", "jfif_version", "jfif_unit", "jfif_density", "loop", "background", "timestamp", "duration"}
    assert set(image.info) <= allowed_info, (name, set(image.info))
    if checked.media_type == "image/jpeg":
        assert checked.content.endswith(b"\xff\xd9"), name
