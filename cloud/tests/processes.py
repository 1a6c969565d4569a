"""Programs that start together: each prints `ready`, waits for `go`, and ends."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def begin_together(program: Path, arguments: Sequence[str], count: int) -> list[int]:
    """Starts this many programs together and returns their exit statuses."""
    begun = [
        subprocess.Popen(
            [sys.executable, str(program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(count)
    ]
    for process in begun:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in begun:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in begun:
        process.communicate(timeout=120)
    return [process.returncode for process in begun]
