"""Uploads of a file in a form (multipart): read into memory, and never onto a disk, where it would lie unencrypted.

A public file is written to a disk as it comes, and may be larger (`file_on_disk`).
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO, cast

from fastapi import Request
from starlette.datastructures import FormData, Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from stempelwerk_cloud.kit.http.off_loop import off_loop
from stempelwerk_cloud.kit.http.problems import Problem, invalid

ROOM_FOR_FORM = 64 * 1024
"""Bytes that a form needs around its file, at most."""
_MOST_FIELDS = 20


class _InMemory(MultiPartParser):
    spool_max_size = 1 << 40


async def uploaded_file(request: Request, field: str, max_bytes: int, too_large: Problem) -> bytes:
    """Returns the content of the file in that field. Raises 422 without one; `too_large` for more than `max_bytes`
    bytes.
    """
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise _missing(field)
    body = await request.body()
    try:
        form = await off_loop(len(body), _parsed, request.headers, body)
    except MultiPartException:
        raise _unreadable(field) from None
    try:
        file = form.get(field)
        if not isinstance(file, UploadFile):
            raise _missing(field)
        content = await file.read(max_bytes + 1)
    finally:
        await form.close()
    if len(content) > max_bytes:
        raise too_large
    return content


@asynccontextmanager
async def file_on_disk(request: Request, field: str) -> AsyncIterator[BinaryIO]:
    """Yields the file in that field as an unnamed temporary file, which is removed afterwards. Raises 422 without one.

    The room declares its size limit (`streamed_bodies`).
    """
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise _missing(field)
    parser = MultiPartParser(
        request.headers, request.stream(), max_files=1, max_fields=_MOST_FIELDS, max_part_size=ROOM_FOR_FORM
    )
    try:
        form = await parser.parse()
    except MultiPartException:
        raise _unreadable(field) from None
    try:
        file = form.get(field)
        if not isinstance(file, UploadFile):
            raise _missing(field)
        yield file.file
    finally:
        await form.close()


def _parsed(headers: Headers, body: bytes) -> FormData:
    """Parses a form on the calling thread: the parser is asynchronous only for a body that is incomplete.
    MultiPartException.
    """

    async def single_chunk() -> AsyncGenerator[bytes, None]:
        yield body

    parsing = _InMemory(
        headers, single_chunk(), max_files=2, max_fields=_MOST_FIELDS, max_part_size=ROOM_FOR_FORM
    ).parse()
    try:
        parsing.send(None)
    except StopIteration as done:
        return cast(FormData, done.value)
    raise AssertionError("The parser waits for something.")


def _unreadable(field: str) -> Problem:
    return invalid(field, "Das Formular ist nicht lesbar.")


def _missing(field: str) -> Problem:
    return invalid(field, "Bitte eine Datei auswählen.")
