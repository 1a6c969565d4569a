"""JSON of what is stored about a company."""

from typing import Any

from stempelwerk_cloud.kit.http.schemas import Wire


class DataDump(Wire):
    """By table: the rows, and how many there are in all."""

    tables: dict[str, list[dict[str, Any]]]
    counts: dict[str, int]
