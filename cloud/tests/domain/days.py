"""A short way to write down a person's days for the tests of the rules: local times in, rows of text out."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.corrections import settled
from stempelwerk_cloud.domain.entries.derivation import Entry, Sheet, derive, view
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules

BERLIN = ZoneInfo("Europe/Berlin")
DEFAULT = DatedRules([(None, Rules())])
LATER = "2027-06-01 12:00"

_TAP = re.compile(r"(?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z?)(?: (in|out))?")


class Row(NamedTuple):
    """An entry as a person reads it."""

    day: str
    start: str | None
    end: str | None
    raw: int | None
    pause: int | None
    net: int | None
    flags: tuple[str, ...]


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    """`2026-11-20 08:00` in local time, `2026-11-20 07:00Z` in UTC."""
    instant = datetime.fromisoformat(text.removesuffix("Z"))
    return instant.replace(tzinfo=UTC) if text.endswith("Z") else instant.replace(tzinfo=zone).astimezone(UTC)


def taps(*texts: str, zone: ZoneInfo = BERLIN, **more: object) -> list[Stamp]:
    """`2026-11-20 08:00`, then `12:00 out` of the same day, …; ids are s1, s2, … in the order written."""
    stamps: list[Stamp] = []
    day = ""
    for number, text in enumerate(texts, start=1):
        match = _TAP.fullmatch(text)
        assert match, text
        day = match[1] or day
        stamps.append(
            Stamp(f"s{number}", at(f"{day} {match[2]}{match[3]}", zone), match[4] or "auto", "clock", "epoch", number)
        )
    return [stamp._replace(**more) for stamp in stamps]


def approved(
    stamps: Iterable[Stamp], corrections: Iterable[Correction], voids: Iterable[Void] = (), rules: DatedRules = DEFAULT
) -> list[Correction]:
    """The corrections as they are settled one after the other, all over these stamps."""
    done: list[Correction] = []
    for one in sorted(corrections, key=lambda one: (one.decided_at, one.id)):
        before = [void for void in voids if (void.decided_at, void.id) < (one.decided_at, one.id)]
        done.append(settled(one, stamps, done, before, rules))
    return done


def sheet(
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction] = (),
    voids: Iterable[Void] = (),
    rules: DatedRules = DEFAULT,
    known: Iterable[Stamp] | None = None,
) -> Sheet:
    """What it comes to; `known` are the stamps that were there when the corrections were approved (None: all)."""
    stamps, voids = list(stamps), list(voids)
    return derive(stamps, approved(stamps if known is None else list(known), corrections, voids, rules), voids, rules)


def row(entry: Entry, now: str = LATER, rules: DatedRules = DEFAULT) -> Row:
    seen = view(entry, at(now), rules)
    return Row(
        seen.date.isoformat(), seen.start, seen.end, seen.raw_minutes, seen.break_minutes, seen.net_minutes, seen.flags
    )


def rows(
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction] = (),
    voids: Iterable[Void] = (),
    rules: DatedRules = DEFAULT,
    now: str = LATER,
    known: Iterable[Stamp] | None = None,
) -> list[Row]:
    return [row(entry, now, rules) for entry in sheet(stamps, corrections, voids, rules, known).entries]


def times(*args: object, **kwargs: object) -> list[tuple[str | None, str | None]]:
    """Start and end of each entry."""
    return [(one.start, one.end) for one in rows(*args, **kwargs)]  # type: ignore[arg-type]


def correction(
    day: str,
    start: str,
    end: str,
    *,
    name: str = "c1",
    requested: str = LATER,
    decided: str | None = None,
    pause: int | None = None,
    entry: str | None = None,
    end_day: str | None = None,
) -> Correction:
    return Correction(
        name,
        date.fromisoformat(day),
        at(f"{day} {start}"),
        at(f"{end_day or day} {end}"),
        pause,
        at(requested),
        at(decided or requested),
        entry,
    )
