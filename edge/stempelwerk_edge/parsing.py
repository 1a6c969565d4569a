"""Reading of JSON and TOML from outside this program: an unreadable text is a ValueError.

The parsers recurse, so a text of brackets ends them with a RecursionError, which no reader of a file or an answer
expects.
"""

import json
import tomllib
from typing import Any


def read_json(text: str | bytes) -> Any:
    """Returns the value of a JSON text. Raises ValueError."""
    try:
        return json.loads(text)
    except RecursionError as fault:
        raise ValueError("nested too deeply") from fault


def read_toml(text: str) -> dict[str, Any]:
    """Returns the tables of a TOML text. Raises ValueError."""
    try:
        return tomllib.loads(text)
    except RecursionError as fault:
        raise ValueError("nested too deeply") from fault
