"""Where the commands begin (`command_line.py`)."""

import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; the exit status."""
    # What is loaded makes 300,000 objects that stay; looking through them again and again is a fifth of the start.
    gc.disable()
    try:
        from stempelwerk_cloud import command_line  # noqa: PLC0415 - not before
    finally:
        gc.freeze()
        gc.enable()
    return command_line.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
