"""The limit of open files of a process; each connection takes one."""

import resource


def allow_all() -> None:
    """Raises the limit of this process to what the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def half(at_most: int) -> int:
    """Returns half of the files that the process may open, at most `at_most`."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_most if soft == resource.RLIM_INFINITY else min(at_most, soft // 2)
