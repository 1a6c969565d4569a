"""A short way to write down a person's days for the tests of the rules: local times in, rows of text out."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.corrections import settle
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


def instant_of(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    """`2026-11-20 08:00` in local time, `2026-11-20 07:00Z` in UTC."""
    instant = datetime.fromisoformat(text.removesuffix("Z"))
    return instant.replace(tzinfo=UTC) if text.endswith("Z") else instant.replace(tzinfo=zone).astimezone(UTC)


def taps(*texts: str, zone: ZoneInfo = BERLIN, **stamp_fields: object) -> list[Stamp]:
    """`2026-11-20 08:00`, then `12:00 out` of the same day, …; ids are s1, s2, … in the order written."""
    stamps: list[Stamp] = []
    day = ""
    for number, text in enumerate(texts, start=1):
        match = _TAP.fullmatch(text)
        assert match, text
        day = match[1] or day
        stamps.append(
            Stamp(
                f"s{number}",
                instant_of(f"{day} {match[2]}{match[3]}", zone),
                match[4] or "auto",
                "clock",
                "epoch",
                number,
            )
        )
    return [stamp._replace(**stamp_fields) for stamp in stamps]


def approved(
    stamps: Iterable[Stamp], corrections: Iterable[Correction], voids: Iterable[Void] = (), rules: DatedRules = DEFAULT
) -> list[Correction]:
    """The corrections as they are settled one after the other, all over these stamps."""
    done: list[Correction] = []
    for decision in sorted(corrections, key=lambda decision: (decision.decided_at, decision.id)):
        earlier_voids = [void for void in voids if (void.decided_at, void.id) < (decision.decided_at, decision.id)]
        done.append(settle(decision, stamps, done, earlier_voids, rules))
    return done


def sheet(
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction] = (),
    voids: Iterable[Void] = (),
    rules: DatedRules = DEFAULT,
    known_stamps: Iterable[Stamp] | None = None,
) -> Sheet:
    """Returns the resulting sheet; `known_stamps` are the stamps present at the approval of the corrections (None:
    all).
    """
    stamps, voids = list(stamps), list(voids)
    return derive(
        stamps,
        approved(stamps if known_stamps is None else list(known_stamps), corrections, voids, rules),
        voids,
        rules,
    )


def row(entry: Entry, now: str = LATER, rules: DatedRules = DEFAULT) -> Row:
    shown_entry = view(entry, instant_of(now), rules)
    return Row(
        shown_entry.date.isoformat(),
        shown_entry.start,
        shown_entry.end,
        shown_entry.raw_minutes,
        shown_entry.break_minutes,
        shown_entry.net_minutes,
        shown_entry.flags,
    )


def rows(
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction] = (),
    voids: Iterable[Void] = (),
    rules: DatedRules = DEFAULT,
    now: str = LATER,
    known_stamps: Iterable[Stamp] | None = None,
) -> list[Row]:
    return [row(entry, now, rules) for entry in sheet(stamps, corrections, voids, rules, known_stamps).entries]


def times(*args: object, **kwargs: object) -> list[tuple[str | None, str | None]]:
    """Start and end of each entry."""
    return [(entry_row.start, entry_row.end) for entry_row in rows(*args, **kwargs)]  # type: ignore[arg-type]


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
        instant_of(f"{day} {start}"),
        instant_of(f"{end_day or day} {end}"),
        pause,
        instant_of(requested),
        instant_of(decided or requested),
        entry,
    )
