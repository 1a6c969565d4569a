"""Signals between rooms that may not import each other: a lower room emits them, a higher room has subscribed handlers.

Handlers run at once, in the emitter's transaction, so either both take effect or neither. There is no queue and no
retry. Each docstring names the signal's data.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

TAGS_CHANGED = "tags_changed"
"""company_id: str, user_ids: Collection[str], tags: Collection[str] — the holders of these tags have changed."""

SETTINGS_CHANGED = "settings_changed"
"""company_id: str, from_day: date — settings that affect time entries have changed from this day on."""

PEOPLE_CHANGED = "people_changed"
"""company_id: str, user_ids: Collection[str] — these people were added, renamed, deleted or given another role."""

EMPLOYED = "employed"
"""company_id: str, user_ids: Collection[str] — these people are new and their first values are written, or their day of
entry was changed.
"""

ACCOUNTS_LOCKED = "accounts_locked"
"""company_id: str, user_ids: Collection[str] — these people's accounts were locked; the emitter holds the locks of
their rows.
"""

DUTIES_ENDED = "duties_ended"
"""company_id: str, duty_ids: Collection[str] — these duties have ended; the emitter holds the company's plan."""

FIGURES_CHANGED = "figures_changed"
"""company_id: str, user_ids: Collection[str] — the figures that clocks show them with a stamp have changed: target,
balance, hand-overs that wait for their answer, unread messages.
"""

ENTRIES_MOVED = "entries_moved"
"""company_id: str, since: Mapping[str, str], writing: RowBuffer — entries of months that may be over are being written;
`since` is each person's first affected day. Subscribers add their rows to the same buffer.
"""

COMPANY_CLOSED = "company_closed"
"""company_id: str — the company was closed: its people are logged out, its data stays."""

COMPANY_PURGED = "company_purged"
"""company_id: str — all data of the company is deleted in this transaction, which holds the company's lock exclusively.
Handlers delete what their room stores outside of the company's tables; rows with the company's id are deleted
automatically.
"""

ASSIGNMENTS_CHANGED = "assignments_changed"
"""ended: Mapping[int, Collection[str]], since: datetime, adoption: Adoption | None — this transaction has changed the
owners of devices. `ended`: by device number, the companies that owned it until then. The room of stamps releases the
stamps that the `adoption` claims, and counts them there.
"""

SESSIONS_ENDED = "sessions_ended"
"""sessions: Collection[tuple[str, str]] — these sessions (company_id, id) were ended before they expired."""

ACCESS_ENDED = "access_ended"
"""company_id: str, user_ids: Collection[str] | None — the access of these people, or of all the company's people, was
ended on every browser.
"""

MESSAGE_SENT = "message_sent"
"""company_id: str, user_ids: Collection[str], type_: str — a message of that type was added to these people's inboxes.
"""

MESSAGES_READ = "messages_read"
"""company_id: str, message_ids: Collection[str], user_id: str — this person has read those of the messages that are
theirs.
"""

EXIT_SET = "exit_set"
"""company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], end: bool — a person's day of exit
was set. Each handler adds the person's plans on later days to `found` (kind, id, day), and ends them if `end`.
"""

PERSON_RULES_CHANGED = "person_rules_changed"
"""company_id: str, user_id: str, from_day: date — one person's limits of working time have changed from this day on."""

RELEASE_WITHDRAWN = "release_withdrawn"
"""version: str, channel: str — clocks may no longer install this version; the emitter holds the lock of the repository
of updates exclusively.
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
        """Calls the signal's listeners now, with the emitter's unit of work. An exception of a listener also rolls back
        the emitter's transaction.
        """
        for listener in self._listeners[name]:
            listener(work, **data)
