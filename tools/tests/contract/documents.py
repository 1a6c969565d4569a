"""Reads the contract's pages, schemas and vectors for the tests of this folder."""

import json
import re
from datetime import UTC, date, datetime
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from stempelwerk_tools.contract import CONTRACT

V1 = CONTRACT / "v1"
_EXAMPLE = re.compile(r"^```json([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time", raises=(ValueError, OverflowError))
def _is_instant(value: object) -> bool:
    """Returns whether the instant exists, between 1970 and 9999. (datetime reads six digits of a fraction.)"""
    if isinstance(value, str):
        instant = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", value)).astimezone(UTC)
        return instant >= datetime(1970, 1, 1, tzinfo=UTC)
    return True


@_FORMATS.checks("date", raises=ValueError)
def _is_day(value: object) -> bool:
    return not isinstance(value, str) or bool(date.fromisoformat(value))


def examples() -> list[tuple[str, str, str]]:
    """Returns (page, label after ```json, example) for every example in the pages."""
    return [
        (page.name, match[1].strip(), match[2])
        for page in sorted(V1.glob("*.md"))
        for match in _EXAMPLE.finditer(page.read_text(encoding="utf-8"))
    ]


def validator(schema: str) -> Draft202012Validator:
    """Returns the validator of a schema by its name, or of a definition in it (`common#/$defs/anchor`); dates must
    exist.
    """
    files = sorted((V1 / "schemas").glob("*.json"))
    registry: Registry[Any] = Registry().with_resources(
        (path.name, Resource.from_contents(json.loads(path.read_text(encoding="utf-8")))) for path in files
    )
    name, _, fragment = schema.partition("#")
    target = {"$ref": f"{name}.json" + (f"#{fragment}" if fragment else "")}
    return Draft202012Validator(target, registry=registry, format_checker=_FORMATS)


def cases(topic: str) -> list[dict[str, Any]]:
    """Returns all cases of a topic."""
    cases_of_topic: list[dict[str, Any]] = json.loads((V1 / "vectors" / f"{topic}.json").read_text(encoding="utf-8"))[
        "cases"
    ]
    return cases_of_topic


def topics() -> list[str]:
    """Returns the names of all topics."""
    return [path.stem for path in sorted((V1 / "vectors").glob("*.json"))]
