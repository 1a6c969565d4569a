"""Response bodies of device logs."""

from typing import Any

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire


class LogRow(Wire):
    """A log line of a clock. `createdAt` is the clock's own time."""

    id: str
    created_at: InstantField
    serial: str
    device_id: str
    code: str
    message: str
    meta: dict[str, Any] | None
    level: str
