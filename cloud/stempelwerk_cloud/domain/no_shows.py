"""Who had a duty and did not come (decision 21). A duty's times are local minutes since midnight, where it has any."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, day_end, resolve


@dataclass(frozen=True, slots=True)
class Rostered:
    """Somebody's duty of a day. An end at or before the start lies on the next day."""

    user_id: str
    start_minute: int | None
    end_minute: int | None

    @property
    def through_midnight(self) -> bool:
        return self.start_minute is not None and self.end_minute is not None and self.end_minute <= self.start_minute


@dataclass(frozen=True, slots=True)
class Came:
    """A time entry: the day that it is dated, and its first known local minute."""

    user_id: str
    date: date
    minute: int | None


def over_at(day: date, duties: Iterable[Rostered], zone: ZoneInfo) -> datetime:
    """When nobody can come any more to the duties of that day: at its end, or at that of the last night's duty."""
    ends = [day_end(day, zone)]
    for duty in duties:
        if duty.through_midnight and duty.end_minute is not None and day < date.max:
            at = resolve(day + DAY, time(duty.end_minute // 60, duty.end_minute % 60), zone, "end")
            ends.append(at or ends[0])
    return max(ends)


def no_shows(day: date, duties: Iterable[Rostered], entries: Iterable[Came]) -> list[str]:
    """Who (id) of those on duty has no entry of that day, nor one before the end of a duty that goes on after it."""
    same_day: set[str] = set()
    early_next: dict[str, int] = {}
    for one in entries:
        if one.date == day:
            same_day.add(one.user_id)
        elif one.date == day + DAY and one.minute is not None:
            early_next[one.user_id] = min(one.minute, early_next.get(one.user_id, one.minute))
    missing = []
    for duty in duties:
        late = duty.through_midnight and early_next.get(duty.user_id, duty.end_minute or 0) < (duty.end_minute or 0)
        if duty.user_id not in same_day and not late:
            missing.append(duty.user_id)
    return missing
