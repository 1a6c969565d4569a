"""Open files: each connection takes one, and a process has only so many."""

import resource


def allow_all() -> None:
    """From now on the process may open as many as the system lets it have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def half(at_most: int) -> int:
    """Half of those that the process may open, or `at_most`."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_most if soft == resource.RLIM_INFINITY else min(at_most, soft // 2)
