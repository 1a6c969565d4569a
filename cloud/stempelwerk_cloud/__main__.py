"""The entry point of `python -m stempelwerk_cloud`. The commands are in `command_line.py`."""

import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns the process's exit status."""
    # Imports make 300,000 objects that stay; collecting garbage among them takes a fifth of the start.
    gc.disable()
    try:
        from stempelwerk_cloud import command_line  # noqa: PLC0415 - not before
    finally:
        gc.freeze()
        gc.enable()
    return command_line.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
