"""A real clock whose name server never answers: it takes taps, and ends on SIGTERM."""

import os
from pathlib import Path

from tools.tests.processes.clock_process import PATIENCE_S, ClockProcess

TAG = "04A2B3C4D5E600"
SILENT = "cloud.silent.test"

# Each look-up of the silent name writes to a pipe, and then waits for ever.
NEVER_ANSWERS = f"""
import socket, threading
honest = socket.getaddrinfo
def look_up(host, *rest, **hints):
    if host not in ({SILENT!r}, {SILENT.encode()!r}):
        return honest(host, *rest, **hints)
    with open({{pipe!r}}, "wb") as asked:
        asked.write(b"?")
    threading.Event().wait()
socket.getaddrinfo = look_up
"""


def test_a_clock_that_waits_for_a_name_takes_a_tap_and_ends_when_told(tmp_path: Path) -> None:
    (tmp_path / "seam").mkdir()
    pipe = tmp_path / "asked"
    os.mkfifo(pipe)
    (tmp_path / "seam" / "sitecustomize.py").write_text(NEVER_ANSWERS.format(pipe=str(pipe)))
    clock = ClockProcess(tmp_path / "clock", f"http://{SILENT}")
    clock.knows(TAG)
    try:
        clock.start({"PYTHONPATH": str(tmp_path / "seam")})
        with pipe.open("rb") as question:
            assert question.read(1) == b"?", "it asks for the name, and is not answered any more"
        clock.ready()
        answer = clock.tap(bytes.fromhex(TAG))
        assert answer is not None, clock.output()
        assert answer["kind"] != "not_saved"
        process = clock.process
        assert process is not None
        process.terminate()
        assert process.wait(PATIENCE_S) == 0, clock.output()
        assert "stopped" in clock.output()
        assert not (clock.data / "journal" / "journal.db-wal").exists(), "the journal was closed"
        assert clock.rows() == 1
    finally:
        if clock.process is not None:
            clock.process.kill()
        clock.close()
