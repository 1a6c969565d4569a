"""Which files of releases nobody needs any more, and which releases clocks know and the cloud does not. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from stempelwerk_cloud.domain.rollouts import version_order

KEPT = timedelta(days=30)
"""So long after its release was withdrawn, or since it lies there, a file stays: a snapshot lives no longer."""
VERSION = r"\d[\da-z.+]{0,39}"


def spent(
    files: Mapping[str, datetime], uses: Iterable[tuple[str, datetime | None]], named: Collection[str], now: datetime
) -> set[str]:
    """Of the files (by their hash: since when they lie there) those that can go.

    `uses`: of each release's files, when it was withdrawn; None: it is offered. `named`: in metadata that are served.
    """
    last = {name: since for name, since in files.items() if name not in named}
    for name, withdrawn_at in uses:
        if withdrawn_at is None:
            last.pop(name, None)
        elif name in last:
            last[name] = max(last[name], withdrawn_at)
    return {name for name, at in last.items() if at + KEPT <= now}


def unknown(
    published: Collection[tuple[str, str]], running: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Of what clocks run (by channel and version: how many do) that which must have been published once, though nobody
    here knows of it: it is newer than whatever its channel has. A cloud that was set back to a backup has forgotten it.
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
