"""The clock's membership in the cloud: its name there, its assignment, the company's rules. Kept over restarts.

The assignment is in every stamp, so it must be known at once after a start without a network.
"""

import contextlib
import json
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from stempelwerk_edge.cloud.wire import Assignment, Config
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.tap.presence import Rules

_NAME = "standing"  # in the journals that lie on the clocks
_DEFAULT_ZONE = "Europe/Berlin"


@dataclass(frozen=True, slots=True)
class Membership:
    """The cloud's last information about the clock. It is valid for the key `keyid` only: a new key has no membership
    yet.
    """

    keyid: str = ""
    device_id: str | None = None
    server_id: str | None = None
    name: str = ""
    assignment: Assignment | None = None
    config: Config = field(default_factory=Config)

    @property
    def zone(self) -> ZoneInfo:
        """The company's time zone; the default one where the clock does not know the name."""
        try:
            return ZoneInfo(self.config.time_zone)
        except (KeyError, ValueError, OSError):
            return ZoneInfo(_DEFAULT_ZONE)

    def rules(self) -> Rules:
        """Returns the rules for the display."""
        config = self.config
        return Rules(
            self.zone,
            timedelta(seconds=config.double_tap_s),
            timedelta(hours=config.max_shift_h),
            timedelta(hours=config.ask_after_h),
            config.show_balance,
        )


class MembershipStore:
    """The current membership, in memory and on disk. Reading is thread-safe; only the loops' thread changes it."""

    def __init__(self, state: ClockState) -> None:
        self._state = state
        self._current = Membership()
        self._rules = self._current.rules()
        self._is_kept = True  # on disk as it is here

    @property
    def current(self) -> Membership:
        """The current membership."""
        return self._current

    @property
    def rules(self) -> Rules:
        """The company's rules for the display, by the current membership."""
        return self._rules

    def load(self, keyid: str | None) -> str | None:
        """Loads the stored membership if it belongs to this key; with None, that of any key. Raises JournalError.

        Another key means another device, which no company owns yet: then the stored membership is not loaded, and its
        key is returned.
        """
        stored = _read(self._state.get(_NAME))
        if stored is None:
            self._take(replace(self._current, keyid=keyid or ""))
        elif keyid is None or stored.keyid == keyid:
            self._take(stored)
        else:
            self._take(Membership(keyid, server_id=stored.server_id, config=stored.config))
            return stored.keyid
        return None

    def change(self, membership: Membership) -> bool:
        """Replaces the membership; returns whether it differs from the one before. If the disk refuses, raises
        JournalError, and the new membership is current nevertheless.

        Then the next call stores it again, without an error: otherwise a start without a network would restore the
        membership before it.
        """
        if membership == self._current:
            if not self._is_kept:
                with contextlib.suppress(JournalError):
                    self._store()
            return False
        self._take(membership)
        self._store()
        return True

    def _store(self) -> None:
        self._is_kept = False
        self._state.put(_NAME, json.dumps(asdict(self._current)))
        self._is_kept = True

    def _take(self, membership: Membership) -> None:
        self._current, self._rules = membership, membership.rules()


def _read(text: str | None) -> Membership | None:
    """Returns the stored membership; None if it is missing or written by an older program."""
    if text is None:
        return None
    try:
        content = read_json(text)
        assignment = content.pop("assignment")
        config = Config(**content.pop("config"))
        return Membership(**content, config=config, assignment=None if assignment is None else Assignment(**assignment))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
