"""Keeps a loop going: one that fails is reported and begins again after a pause, and takes nothing else with it."""

import asyncio
import traceback
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from stempelwerk_edge.cloud.delivery import back_off
from stempelwerk_edge.ports import Random, Report

_HEALTHY_S = 600.0


async def supervise(
    name: str, run: Callable[[], Coroutine[Any, Any, object]], random: Random, report: Report
) -> NoReturn:
    """Runs `run` for ever: reports an exception and starts it again after a pause. Only cancellation ends it."""
    failures = 0
    while True:
        began = asyncio.get_running_loop().time()
        try:
            await run()
            problem = "ended"
        except Exception as mistake:
            problem = f"{type(mistake).__name__}: {mistake}"
            report("error", "loop_failed", f"{name}: {problem}", {"where": _where(mistake)})
        if asyncio.get_running_loop().time() - began > _HEALTHY_S:
            failures = 0
        failures += 1
        await asyncio.sleep(back_off(failures, random))


def _where(mistake: BaseException) -> list[str]:
    """Returns the innermost lines of this program in the exception's traceback."""
    frames = traceback.extract_tb(mistake.__traceback__)[-4:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
