"""What people are told of their roster."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german

CHANGED = "Dein Dienstplan hat sich geändert"
LOOK = "Bitte sieh in „Meine Termine“ nach, an welchen Tagen du Dienst hast."

MOST_NAMED = 31
"""So many days of each kind are named."""


def changes(found: Sequence[tuple[date, Planned | None, Planned | None]], message: str | None) -> str:
    """The changed days, each with the duty that stands now."""
    kinds: dict[str, list[tuple[date, Planned | None]]] = {
        "Neu": [(day, after) for day, before, after in found if before is None],
        "Geändert": [(day, after) for day, before, after in found if before is not None and after is not None],
        "Entfällt": [(day, None) for day, _, after in found if after is None],
    }
    said = [f"{kind}: {_days(days)}." for kind, days in kinds.items() if days]
    return "\n".join([*said, *([german.remark(message)] if message else [])])


def _days(days: Sequence[tuple[date, Planned | None]]) -> str:
    """Days of the same times together."""
    alike: dict[str, list[date]] = {}
    for day, duty in days[:MOST_NAMED]:
        alike.setdefault(_times(duty), []).append(day)
    more = len(days) - MOST_NAMED
    said = "; ".join(german.listed(those) + times for times, those in alike.items())
    return f"{said} und {more} weitere" if more > 0 else said


def _times(duty: Planned | None) -> str:
    if duty is None or duty.start_minute is None:
        return ""
    return f" ({german.span(duty.start_minute, duty.end_minute)})"
