"""Signals between rooms that may not import each other: a lower room emits, a higher one has subscribed.

They run at once, in the emitter's transaction, so either both happen or neither. No queue, no retry.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

TAGS_CHANGED = "tags_changed"
"""company_id: str, user_ids: Collection[str], tags: Collection[str] — the holders of these tags have changed."""

SETTINGS_CHANGED = "settings_changed"
"""company_id: str, from_day: date — settings that shape entries hold differently from this day on."""

PEOPLE_CHANGED = "people_changed"
"""company_id: str, user_ids: Collection[str] — they were added, renamed, deleted or given another role."""

EMPLOYED = "employed"
"""company_id: str, user_ids: Collection[str] — they are new and their facts are written, or the day of their entry was
changed.
"""

ACCOUNTS_LOCKED = "accounts_locked"
"""company_id: str, user_ids: Collection[str] — their accounts were locked; the people's rows are."""

DUTIES_ENDED = "duties_ended"
"""company_id: str, duty_ids: Collection[str] — these duties have ended; the emitter holds the company's plan."""

FIGURES_CHANGED = "figures_changed"
"""company_id: str, user_ids: Collection[str] — the figures that clocks show them with a stamp have changed: target,
balance, hand-overs that wait for their answer, unread messages.
"""

ENTRIES_MOVED = "entries_moved"
"""company_id: str, since: Mapping[str, str], writing: RowBuffer — entries of months that may be over are written: by
person, the first of their days. Subscribers add their rows to the same buffer.
"""

COMPANY_CLOSED = "company_closed"
"""company_id: str — the company was deleted; its people are out, its facts stay."""

COMPANY_PURGED = "company_purged"
"""company_id: str — all data of the company is deleted in this transaction, which holds the company exclusively. Each
room deletes what it stores outside of companies; rows of the company are deleted automatically.
"""

ASSIGNMENTS_CHANGED = "assignments_changed"
"""ended: Mapping[int, Collection[str]], since: datetime, adoption: Adoption | None — the owners of these devices have
changed, all of one transaction; for each number the companies that owned it until then. The room of stamps releases the
stamps that the `adoption` claims, and counts them there.
"""

SESSIONS_ENDED = "sessions_ended"
"""sessions: Collection[tuple[str, str]] — these (company_id, id) were ended before they expired."""

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
"""version: str, channel: str — clocks may not take this version any more; the emitter holds the repository exclusively.
"""

ROLLOUT_STOPPED = "rollout_stopped"
"""version: str, channel: str, reason: str, updated: int, size: int — a rollout was stopped automatically, by
observations of clocks; `updated` of its `size` clocks have the version.
"""


class Signals:
    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[..., None]]] = defaultdict(list)

    def on(self, name: str, listener: Callable[..., None]) -> None:
        """Subscribes `listener(work, **data)` to each `emit` of `name`; listeners are called in the order of
        subscription.
        """
        self._listeners[name].append(listener)

    def emit(self, work: Any, name: str, **data: Any) -> None:
        """Calls the listeners now, with the work of the emitter; what they raise undoes its transaction too."""
        for listener in self._listeners[name]:
            listener(work, **data)
