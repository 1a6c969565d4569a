"""The touchscreen's local server: the page, its stream of view models, and the few things that a finger may do.

It listens on the loopback interface only and keeps nothing. A failure here costs the picture, never a tap.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from stempelwerk_edge.configuration import DisplaySettings
from stempelwerk_edge.display.door import Door, own_address
from stempelwerk_edge.display.pages import Pages, page_folder
from stempelwerk_edge.display.problems import problem
from stempelwerk_edge.display.signs import SignsOfLife
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.display.view import view
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.ports import Direction, Touch
from stempelwerk_edge.version import program_version

KEEP_ALIVE_S = 15.0
_MAX_BODY_BYTES = 4096
_STOP_S = 2


class Display:
    """The application that serves the page: reads `state`, hands touches to `touch`."""

    def __init__(self, state: ScreenState, touch: Touch, pages: Pages, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        self._state, self._touch, self._pages = state, touch, pages
        self._keep_alive_s = keep_alive_s
        self._version = program_version()
        # One thread, shared with nothing: presses wait for a disk at most, and count in the order of their arrival.
        self._presses = ThreadPoolExecutor(1, thread_name_prefix="presses")
        self._streams: set[asyncio.Event] = set()
        self._signs = SignsOfLife(state.monotonic)
        self._closing = False

    def app(self) -> Starlette:
        """Returns the ASGI application."""
        routes = [
            Route("/events", self._events),
            Route("/choice", self._choice, methods=["POST"]),
            Route("/answer", self._answer, methods=["POST"]),
            Route("/adopt", self._adopt, methods=["POST"]),
            Route("/forget", self._forget, methods=["POST"]),
            Route("/dismiss", self._dismiss, methods=["POST"]),
            Route("/alive", self._alive, methods=["POST"]),
            Route("/alive", self._signs_of, methods=["GET"]),
            Route("/", self._pages.serve),
            Route("/{path:path}", self._pages.serve),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Door)])

    def close_streams(self) -> None:
        """Ends every open stream, and each that would still begin."""
        self._closing = True
        for wake in self._streams:
            wake.set()

    async def _events(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=headers)

    async def _stream(self) -> AsyncIterator[str]:
        loop, wake = asyncio.get_running_loop(), asyncio.Event()

        def changed() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended; so has the stream
                loop.call_soon_threadsafe(wake.set)

        unsubscribe = self._state.subscribe(changed)
        self._streams.add(wake)
        try:
            yield "retry: 1000\n\n"
            while not self._closing:
                wake.clear()
                snapshot, monotonic_s = self._state.snapshot(), self._state.monotonic()
                # The version shows the page that it comes from an older agent.
                rendered = view(snapshot, monotonic_s, self._state.now()) | {"version": self._version}
                yield f"data: {json.dumps(rendered, ensure_ascii=False)}\n\n"
                while not await self._changed(wake, snapshot.next_change(monotonic_s)):
                    yield ": still here\n\n"
        finally:
            self._streams.discard(wake)
            unsubscribe()

    async def _changed(self, wake: asyncio.Event, ends_at: float | None) -> bool:
        """Waits for a change, for the end of something shown, or (False) until a sign of life is due."""
        due = self._state.monotonic() + self._keep_alive_s
        wake_at = due if ends_at is None else min(ends_at, due)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, wake_at - self._state.monotonic())):
                await wake.wait()
        return wake.is_set() or wake_at is not due

    async def _choice(self, request: Request) -> Response:
        body = await _body(request)
        if body is None or "direction" not in body or not _is_choice(body["direction"]):
            return problem(422, "invalid", "Erwartet wird direction: „in“, „out“ oder null.")
        direction, after_key = _direction(body), body.get("after")
        if not isinstance(after_key, str | None):
            return problem(422, "invalid", "Erwartet wird after: der Schlüssel der letzten Antwort.")
        if not await self._press(body, lambda late_ms: self._touch.choose(direction, after_key, late_ms)):
            return problem(409, "too_late", "Diese Auswahl kam zu spät und zählt nicht.")
        return Response(status_code=204)

    async def _answer(self, request: Request) -> Response:
        body = await _body(request) or {}
        stamp_id, new_end = body.get("stampId"), body.get("newEnd")
        if (
            not isinstance(stamp_id, str)
            or not isinstance(new_end, str | None)
            or not _is_choice(body.get("direction"))
        ):
            return problem(422, "invalid", "Erwartet werden stampId und eines von direction und newEnd.")
        direction = _direction(body)
        if (direction is None) == (new_end is None):
            return problem(422, "invalid", "Erwartet wird genau eines von direction und newEnd.")
        if not await self._press(body, lambda late_ms: self._touch.answer(stamp_id, direction, new_end, late_ms)):
            return problem(409, "no_question", "Diese Frage ist nicht mehr offen.")
        self._state.answered(stamp_id)
        return Response(status_code=204)

    async def _adopt(self, request: Request) -> Response:
        body = await _body(request) or {}
        stamp_id = body.get("stampId")
        if "stampId" not in body or not isinstance(stamp_id, str | None):
            return problem(422, "invalid", "Erwartet wird stampId: der gezeigte Stempel, oder null.")
        if not await self._press(body, lambda late_ms: self._touch.adopt(stamp_id, late_ms)):
            return problem(409, "too_late", "Das kam zu spät und zählt nicht.")
        if stamp_id is not None:
            self._state.dismiss(stamp_id)
        return Response(status_code=204)

    async def _forget(self, request: Request) -> Response:
        body = await _body(request) or {}
        serial = body.get("serial")
        if not isinstance(serial, str):
            return problem(422, "invalid", "Erwartet wird serial: die Nummer des Scanners.")
        if not await self._press(body, lambda _late_ms: self._touch.forget(serial)):
            return problem(409, "not_forgotten", "Dieser Scanner gehört nicht zu dieser Uhr, oder die Seite ist zu.")
        return Response(status_code=204)

    async def _press(self, body: dict[str, object], act: Callable[[int], bool]) -> bool:
        """Carries out a press; `act` gets how many milliseconds ago it was made, if the page sends `pressed_at`."""
        pressed_at = body.get("at")

        def press() -> bool:
            now_ms = int(self._state.monotonic() * 1000)
            return act(max(0, now_ms - pressed_at) if isinstance(pressed_at, int) else 0)

        return await asyncio.get_running_loop().run_in_executor(self._presses, press)

    async def _dismiss(self, request: Request) -> Response:
        key = (await _body(request) or {}).get("key")
        self._state.dismiss(None if key is None else str(key))
        return Response(status_code=204)

    async def _alive(self, request: Request) -> Response:
        page = (await _body(request) or {}).get("page")
        if not isinstance(page, str):
            return problem(422, "invalid", "Erwartet wird page: der Name der Seite.")
        self._signs.note(page)
        return Response(status_code=204)

    async def _signs_of(self, request: Request) -> Response:
        return JSONResponse(self._signs.report(request.query_params.get("page", "")))


def _is_choice(value: object) -> bool:
    return value is None or value in ("in", "out")


def _direction(body: dict[str, object]) -> Direction | None:
    value = body.get("direction")
    return Direction(str(value)) if value is not None else None


async def _body(request: Request) -> dict[str, object] | None:
    """Reads the JSON object of a request; None if it is missing or unreasonably long."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > _MAX_BODY_BYTES:
            return None
    try:
        body = read_json(raw)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


class _QuietServer(uvicorn.Server):
    """uvicorn without its own signal handling: when to stop is the agent's affair."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class DisplayServer:
    """The server, started and stopped on the running loop. `port` is where it listens once started."""

    def __init__(self, state: ScreenState, touch: Touch, settings: DisplaySettings) -> None:
        self._display = Display(state, touch, Pages(page_folder(settings.assets)))
        self._settings = settings
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None
        self.port = settings.port

    async def start(self) -> None:
        """Listens. Raises OSError, naming address and port, if they are taken; SettingsError for one that is not
        loopback.
        """
        listener = _listen(self._settings.host, self._settings.port)
        self.port = listener.getsockname()[1]
        # Loop and parsers are named: uvicorn would load larger ones where they happen to be installed.
        config = uvicorn.Config(
            self._display.app(),
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_STOP_S,
        )
        self._server = _QuietServer(config)
        self._task = asyncio.create_task(self._server.serve([listener]), name="display")

    async def wait(self) -> None:
        """Waits until the server ends without a stop, which is always a fault; the caller may start another."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def stop(self) -> None:
        """Closes the streams and stops listening."""
        if self._server is None or self._task is None:
            return
        self._display.close_streams()
        self._server.should_exit = True
        await self._task
        self._server = self._task = None


def _listen(host: str, port: int) -> socket.socket:
    address = own_address(host)
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(64)
    except OSError as fault:
        listener.close()
        raise OSError(fault.errno, f"cannot listen on {address}, port {port}: {fault.strerror or fault}") from fault
    listener.setblocking(False)
    return listener
