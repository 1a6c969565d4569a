"""Rules for release files that can be deleted, and for releases that clocks run but the service does not know. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from stempelwerk_cloud.domain.rollouts import version_order

RETENTION = timedelta(days=30)
"""How long a file is kept after its release was withdrawn or, if it has no release, after its upload. No snapshot is
valid for longer.
"""
VERSION = r"\d[\da-z.+]{0,39}"


def spent(
    files: Mapping[str, datetime],
    uses: Iterable[tuple[str, datetime | None]],
    served_names: Collection[str],
    now: datetime,
) -> set[str]:
    """Returns the hashes of the files that can be deleted. `files`: the time of upload by hash.

    `uses`: for each use of a file by a release, when that release was withdrawn; None: it is offered. `served_names`:
    the hashes in metadata that is still served.
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
    """Returns the releases (channel, version) that were published but are unknown here, with the number of clocks that
    run them.

    They are newer than every known release of their channel. A service that was restored from a backup has lost them.
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
