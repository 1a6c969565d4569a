"""The processor time of starting a command of the service, against importing its libraries only.

Each side is a process of its own, in turns. Libraries that only our tests need are hidden from both, as on a server.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on
from stempelwerk_tools.bench.sides.side import Void

_HIDDEN = "import sys; sys.modules['rich'] = None; "
_LIBRARIES = "fastapi, sqlalchemy, sqlalchemy.orm, psycopg, pydantic, uvicorn"
_BARE = f"{_HIDDEN}import {_LIBRARIES}"
_COMMAND = f"{_HIDDEN}from stempelwerk_cloud.__main__ import main; main(['--help'])"


def measure(field: Field, rounds: int) -> list[Finding]:
    """Returns the ratio of processor times, as the median of the rounds. Raises Void."""
    turns = [(_spent(_COMMAND), _spent(_BARE)) for _ in range(rounds + 1)][1:]  # the first round reads the files
    field.say(f"start, s of the processor, command and bare: {turns}")
    ratio = statistics.median(command / bare for command, bare in turns)
    finding = Finding("a command of the service against importing its libraries, processor", at_most(4), ratio)
    return on(f"no database; {_LIBRARIES}", [finding])


def _spent(code: str) -> float:
    """Returns the processor seconds of a process that runs this code."""
    usage_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    usage_after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Void(f"the start: {done.stderr[-1000:]}")
    return round(usage_after.ru_utime - usage_before.ru_utime + usage_after.ru_stime - usage_before.ru_stime, 3)
