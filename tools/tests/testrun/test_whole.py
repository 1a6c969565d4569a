"""A command's processes are all waited for, their time is counted, and the leftovers are named: even orphans."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_tools.testrun import whole

_BUSY = "import time\nwhile time.process_time() < 0.5: pass"
_ORPHAN = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {_BUSY!r}])"
_LEAVES = "import subprocess; subprocess.Popen(['sleep', '3600'])"


def _run(folder: Path, code: str, *, patience_s: float = 60, shaken: str = "-") -> tuple[int, dict[str, Any]]:
    """Runs the program in a process of its own, because it waits for all children."""
    figures = folder / "figures.json"
    program = f"import sys; from stempelwerk_tools.testrun import whole; whole._PATIENCE_S = {patience_s}; "
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            program + "sys.exit(whole.main(sys.argv[1:]))",
            figures,
            shaken,
            sys.executable,
            "-c",
            code,
        ],
        check=False,
    )
    return done.returncode, json.loads(figures.read_text())


def test_the_time_of_an_orphaned_process_is_counted(tmp_path: Path) -> None:
    status, figures = _run(tmp_path, _ORPHAN)
    assert status == 0
    assert figures["processor_s"] >= 0.5
    assert figures["left"] == []


def test_leftover_processes_are_named_and_ended(tmp_path: Path) -> None:
    status, figures = _run(tmp_path, _LEAVES, patience_s=0)
    assert status == 0
    assert figures["left"] == ["sleep 3600"]


@pytest.mark.parametrize(("code", "status"), [("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)])
def test_the_commands_end_is_told(tmp_path: Path, code: str, status: int) -> None:
    assert _run(tmp_path, code)[0] == status


def test_shaking_stops_processes_and_lets_them_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, signal.Signals]] = []
    monkeypatch.setattr(whole, "_signal", lambda pid, number: sent.append((pid, number)))

    class Done:
        """Over after three stops; nothing waits in between."""

        def wait(self, _: float) -> bool:
            return len(sent) >= 6

    whole._stop_randomly(4_194_304, whole.random.Random("1"), Done())  # type: ignore[arg-type]
    assert sent == [(4_194_304, signal.SIGSTOP), (4_194_304, signal.SIGCONT)] * 3


def test_a_shaken_command_comes_to_its_end(tmp_path: Path) -> None:
    started = time.monotonic()
    assert _run(tmp_path, _BUSY, shaken="7")[0] == 0
    assert time.monotonic() - started >= 0.5
