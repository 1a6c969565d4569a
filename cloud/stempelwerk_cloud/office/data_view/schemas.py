"""JSON of what is stored about a company."""

from typing import Any

from stempelwerk_cloud.kit.http.schemas import Wire


class DataDump(Wire):
    """Rows by table, and the total number of rows."""

    tables: dict[str, list[dict[str, Any]]]
    counts: dict[str, int]
