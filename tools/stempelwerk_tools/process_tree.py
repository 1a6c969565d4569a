"""A process and all that it has started, as the kernel knows them now."""

import contextlib
from pathlib import Path


def process_tree(pid: int) -> list[int]:
    """Process ids: its own, and those of its children, and theirs; what ends meanwhile is left out."""
    children: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children += map(int, thread.read_text().split())
    return [pid, *(one for child in children for one in process_tree(child))]
