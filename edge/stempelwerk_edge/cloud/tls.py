"""TLS to the cloud: which certificate authorities are trusted, and when they are reloaded.

The agent runs for months, and the authorities on the disk change meanwhile. So `TlsTransport` compares their files
before each request, and reads them again when they have changed or a certificate was refused.
"""

import logging
import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

log = logging.getLogger(__name__)

X509_V_FLAG_NO_CHECK_TIME = 0x200000
REREAD_S = 60.0  # after a refused certificate, at most so often: reading the system's list takes a clock 200 ms

_DAY = timedelta(days=1)

FileState = tuple[tuple[str, int, int, int, int] | None, ...]
"""For each file or folder its path, inode, size, and times of content and attributes; None if it does not exist."""


@dataclass(frozen=True, slots=True)
class Validity:
    """The validity of a certificate: its first and last instant."""

    not_before: datetime
    not_after: datetime

    @classmethod
    def from_response(cls, response: httpx.Response) -> "Validity | None":
        """Returns the validity of the server's certificate on the response's open connection; None without a legible
        certificate.
        """
        stream = response.extensions.get("network_stream")
        tls = None if stream is None else stream.get_extra_info("ssl_object")
        if tls is None:
            return None
        try:
            certificate = tls.getpeercert()
            not_before, not_after = (ssl.cert_time_to_seconds(certificate[name]) for name in ("notBefore", "notAfter"))
            return cls(datetime.fromtimestamp(not_before, UTC), datetime.fromtimestamp(not_after, UTC))
        except (KeyError, TypeError, ValueError, OverflowError, OSError):
            return None

    def days(self, now: datetime) -> tuple[int, int]:
        """Returns the whole days until the certificate expires, at least 0, and the days of its whole lifetime."""
        return max(self.not_after - now, timedelta(0)) // _DAY, (self.not_after - self.not_before) // _DAY


def tls_context(ca_file: Path | None, *, check_dates: bool) -> ssl.SSLContext:
    """Returns the context for the cloud: the system's authorities, or only those in `ca_file`. Raises OSError if that
    is unreadable.
    """
    context = ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
    if ca_file is None and not context.cert_store_stats()["x509_ca"]:
        context.load_verify_locations(cafile=_bundled_authorities())
    if not check_dates:
        context.verify_flags |= ssl.VerifyFlags(X509_V_FLAG_NO_CHECK_TIME)
    return context


def _bundled_authorities() -> str:
    import certifi  # noqa: PLC0415 - only for a system that has no authorities of its own

    return certifi.where()


def causes(fault: BaseException | None) -> Iterator[BaseException]:
    """Yields the exception and the exceptions that caused it, the outermost first."""
    cause = fault
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


class TlsTransport(httpx.AsyncBaseTransport):
    """An httpx transport that trusts the authorities that are on the disk now. Used by one event loop.

    They are reloaded when their files change, and after a refused certificate, but then at most once in `REREAD_S`. If
    the files cannot be read, the authorities from before stay. A request under way keeps its connection until its end.
    """

    def __init__(
        self,
        ca_file: Path | None,
        proxy: str | None,
        *,
        check_dates: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ca_file, self._proxy, self._check_dates = ca_file, proxy, check_dates
        self._monotonic = monotonic
        self._pool: _Pool | None = None
        self._files: FileState = ()
        self._read_at = 0.0
        self._refused = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request. Raises httpx.TransportError, OSError."""
        pool = await self._current_pool()
        try:
            return await pool.send(request)
        except httpx.ConnectError as fault:
            self._refused |= any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes(fault))
            raise

    async def aclose(self) -> None:
        """Closes the connections that no request uses, the others with their requests."""
        if self._pool is not None:
            await self._pool.retire()

    async def _current_pool(self) -> "_Pool":
        files, now = _state_of(_sources(self._ca_file)), self._monotonic()
        is_due = files != self._files or (self._refused and now - self._read_at >= REREAD_S)
        if self._pool is not None and not is_due:
            return self._pool
        self._files, self._read_at, self._refused = files, now, False
        previous_pool = self._pool
        try:
            context = tls_context(self._ca_file, check_dates=self._check_dates)
        except OSError as fault:
            if previous_pool is None:
                raise
            log.warning("the certificate authorities cannot be read, those from before stay: %s", fault)
            return previous_pool
        self._pool = _Pool(httpx.AsyncHTTPTransport(verify=context, proxy=self._proxy))
        if previous_pool is not None:
            log.info("the certificate authorities were reloaded")
            await previous_pool.retire()
        return self._pool


def _sources(ca_file: Path | None) -> tuple[Path, ...]:
    """Returns the files and folders that OpenSSL reads for `tls_context`."""
    if ca_file is not None:
        return (ca_file,)
    default = ssl.get_default_verify_paths()
    file = os.environ.get(default.openssl_cafile_env, default.openssl_cafile)
    folder = os.environ.get(default.openssl_capath_env, default.openssl_capath)
    return (Path(file), Path(folder))


def _state_of(paths: tuple[Path, ...]) -> FileState:
    return tuple(_file_state(path) for path in paths)


def _file_state(path: Path) -> tuple[str, int, int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


class _Pool:
    """A transport with a count of its requests. Once it is retired, it closes when the last request has ended."""

    def __init__(self, transport: httpx.AsyncHTTPTransport) -> None:
        self._transport = transport
        self._requests = 0
        self._retired = False

    async def send(self, request: httpx.Request) -> httpx.Response:
        self._requests += 1
        try:
            response = await self._transport.handle_async_request(request)
        except BaseException:
            await self._ended()
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _CountedStream(response.stream, self._ended)
        return response

    async def retire(self) -> None:
        self._retired = True
        if self._requests == 0:
            await self._transport.aclose()

    async def _ended(self) -> None:
        self._requests -= 1
        if self._retired and self._requests == 0:
            await self._transport.aclose()


class _CountedStream(httpx.AsyncByteStream):
    """A response's body that reports its end once."""

    def __init__(self, stream: httpx.AsyncByteStream, on_end: Callable[[], Awaitable[object]]) -> None:
        self._stream, self._on_end = stream, on_end
        self._is_open = True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        try:
            await self._stream.aclose()
        finally:
            await self._on_end()
