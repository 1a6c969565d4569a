"""German texts of messages about the roster."""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german

CHANGED = "Dein Dienstplan hat sich geändert"
LOOK = "Bitte sieh in „Meine Termine“ nach, an welchen Tagen du Dienst hast."

MOST_NAMED = 31
"""The largest number of days that a message names of each kind."""


def changes(changed_days: Sequence[tuple[date, Planned | None, Planned | None]], message: str | None) -> str:
    """Returns the text about changed days (day, announced duty, current duty), grouped into new, changed and removed
    duties.
    """
    kinds: dict[str, list[tuple[date, Planned | None]]] = {
        "Neu": [(day, new_duty) for day, old_duty, new_duty in changed_days if old_duty is None],
        "Geändert": [
            (day, new_duty) for day, old_duty, new_duty in changed_days if old_duty is not None and new_duty is not None
        ],
        "Entfällt": [(day, None) for day, _, new_duty in changed_days if new_duty is None],
    }
    sentences = [f"{kind}: {_days(days)}." for kind, days in kinds.items() if days]
    return "\n".join([*sentences, *([german.remark(message)] if message else [])])


def _days(days: Sequence[tuple[date, Planned | None]]) -> str:
    """Returns the days as text, grouped by the times of their duties."""
    alike: dict[str, list[date]] = {}
    for day, duty in days[:MOST_NAMED]:
        alike.setdefault(_times(duty), []).append(day)
    unnamed_count = len(days) - MOST_NAMED
    day_text = "; ".join(german.join_days(those) + times for times, those in alike.items())
    return f"{day_text} und {unnamed_count} weitere" if unnamed_count > 0 else day_text


def _times(duty: Planned | None) -> str:
    if duty is None or duty.start_minute is None:
        return ""
    return f" ({german.span(duty.start_minute, duty.end_minute)})"
