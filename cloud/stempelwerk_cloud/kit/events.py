"""Signals between rooms that may not import each other: a lower room emits, a higher one has subscribed.

They run at once, in the emitter's transaction, so either both happen or neither. No queue, no retry.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

TAGS_CHANGED = "tags_changed"
"""company_id: str, user_ids: Collection[str], tags: Collection[str] — who holds these tags has changed."""

SETTINGS_CHANGED = "settings_changed"
"""company_id: str, from_day: date — settings that shape entries hold differently from this day on."""

PEOPLE_CHANGED = "people_changed"
"""company_id: str, user_ids: Collection[str] — they were added, renamed, deleted or given another role."""

EMPLOYED = "employed"
"""company_id: str, user_ids: Collection[str] — they are new and what is known of them is written, or the day of their
entry was said anew."""

ACCOUNTS_LOCKED = "accounts_locked"
"""company_id: str, user_ids: Collection[str] — their accounts were locked; the people's rows are."""

DUTIES_ENDED = "duties_ended"
"""company_id: str, duty_ids: Collection[str] — these duties are no longer; who says so has the company's plan."""

FIGURES_CHANGED = "figures_changed"
"""company_id: str, user_ids: Collection[str] — what clocks tell them beside their stamps has changed: target, balance,
hand-overs that wait for their answer, messages not read."""

ENTRIES_MOVED = "entries_moved"
"""company_id: str, since: Mapping[str, str], writing: RowBuffer — entries of months that may be over are written: by
person the first of their days. What follows of it is written along with them."""

COMPANY_CLOSED = "company_closed"
"""company_id: str — the company was deleted; its people are out, its facts stay."""

COMPANY_PURGED = "company_purged"
"""company_id: str — all that is kept of the company goes in this transaction, which has the company alone. Each room
sees to what it keeps outside of companies; rows of the company go by themselves."""

ASSIGNMENTS_CHANGED = "assignments_changed"
"""ended: Mapping[int, Collection[str]], since: datetime, adoption: Adoption | None — whose these devices are has
changed, all that do in one transaction; for each number the companies whose it was until then. The room of stamps
releases what the `adoption` claims, and counts it there."""

SESSIONS_ENDED = "sessions_ended"
"""sessions: Collection[tuple[str, str]] — these (company_id, id) were ended, by whatever but their time."""

ACCESS_ENDED = "access_ended"
"""company_id: str, user_ids: Collection[str] | None — these people, or all of the company, are out on every browser."""

MESSAGE_SENT = "message_sent"
"""company_id: str, user_ids: Collection[str], type_: str — a message of that type has come into their inboxes."""

MESSAGES_READ = "messages_read"
"""company_id: str, message_ids: Collection[str], user_id: str — this person has read those of these that are theirs."""

EXIT_SET = "exit_set"
"""company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], end: bool — the day of exit was
set: each room adds what the person still has in it on later days (kind, id, day), and ends that if `end`."""

PERSON_RULES_CHANGED = "person_rules_changed"
"""company_id: str, user_id: str, from_day: date — the limits of working time of one person hold differently."""

RELEASE_WITHDRAWN = "release_withdrawn"
"""version: str, channel: str — clocks may not take this version any more; who says so has the repository alone."""

ROLLOUT_STOPPED = "rollout_stopped"
"""version: str, channel: str, reason: str, updated: int, size: int — a rollout was stopped by what is seen of clocks,
and not by anybody; so many of its clocks have the version."""


class Signals:
    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[..., None]]] = defaultdict(list)

    def on(self, name: str, listener: Callable[..., None]) -> None:
        """`listener(work, **data)` is called at each `emit` of `name`, in the order of subscription."""
        self._listeners[name].append(listener)

    def emit(self, work: Any, name: str, **data: Any) -> None:
        """Calls the listeners now, with the work of the emitter; what they raise undoes its transaction too."""
        for listener in self._listeners[name]:
            listener(work, **data)
