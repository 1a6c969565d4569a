"""Release files that can be deleted, and releases that clocks run but the cloud does not know. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from stempelwerk_cloud.domain.rollouts import version_order

RETENTION = timedelta(days=30)
"""How long a file stays after its release was withdrawn or, without one, after its upload: no snapshot lives longer."""
VERSION = r"\d[\da-z.+]{0,39}"


def spent(
    files: Mapping[str, datetime],
    uses: Iterable[tuple[str, datetime | None]],
    served_names: Collection[str],
    now: datetime,
) -> set[str]:
    """Returns the files (given by hash and time of upload) that can be deleted.

    `uses`: for each release's files, when it was withdrawn; None: it is offered. `served_names`: in metadata that are
    served.
    """
    last = {name: idle_since for name, idle_since in files.items() if name not in served_names}
    for name, withdrawn_at in uses:
        if withdrawn_at is None:
            last.pop(name, None)
        elif name in last:
            last[name] = max(last[name], withdrawn_at)
    return {name for name, unused_since in last.items() if unused_since + RETENTION <= now}


def unknown(
    published: Collection[tuple[str, str]], running: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Returns the releases that clocks run (by channel and version: how many) and that were published but are unknown
    here.

    They are newer than every known release of their channel. A cloud that was restored from a backup has lost them.
    """
    newest: dict[str, str] = {}
    for channel, version in published:
        newest[channel] = max(newest.get(channel, version), version, key=version_order)
    versions = {version for _, version in published}
    return {
        (channel, version): clocks
        for (channel, version), clocks in running.items()
        if channel in newest
        and version not in versions
        and re.fullmatch(VERSION, version, re.ASCII)
        and version_order(version) > version_order(newest[channel])
    }
