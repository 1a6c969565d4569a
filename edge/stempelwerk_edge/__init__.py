"""Stempelwerk's clock: takes the tap, keeps it, delivers it."""

import sys

# httpx imports its own command line along with itself, and with that a highlighter, where one happens to be installed:
# seven megabytes that a clock has no use for. None means "cannot be imported", which httpx is prepared for.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # as Python's documentation of sys.modules says
