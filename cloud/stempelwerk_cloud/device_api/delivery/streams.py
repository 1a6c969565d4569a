"""Which rows of a clock's epochs have come, which are lost for good, and which are missing. Pure, on sorted ranges.

Ranges are inclusive pairs, sorted, apart from each other. A range costs the same however long it is. Nothing here
identifies a stamp: that is its id; two stamps under one number are simply there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

Range = tuple[int, int]
Ranges = tuple[Range, ...]

ASKED_FOR = timedelta(hours=1)
"""How long a clock is left in peace about rows that it was asked for."""
EPOCHS_SHOWN = 16
RANGES_SHOWN = 100
RANGES_ASKED = 20

RANGES_LIMIT = 1000
"""No clock has so many holes; what lies beyond is not noted (and so asked for again) instead of filling the disk."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What is known of one epoch. `last_seq` is the end that its `successor` named, 0 and None while nobody has.

    `asked` are the rows that the clock was asked to send again, since `asked_at`.
    """

    received: Ranges = ()
    gone: Ranges = ()
    last_seq: int = 0
    asked: Ranges = ()
    asked_at: datetime | None = None
    successor: str | None = None

    def with_rows(self, seqs: Iterable[int], gone: Iterable[Range]) -> "Epoch":
        """After a batch with these sequence numbers and these rows given up."""
        return replace(
            self,
            received=_limited(self.received, join([*self.received, *((seq, seq) for seq in seqs)])),
            gone=_limited(self.gone, join([*self.gone, *gone])),
        )

    def joined_with(self, other: "Epoch") -> "Epoch":
        """With the rows too that came, or were given up, with the other's."""
        received, gone = join([*self.received, *other.received]), join([*self.gone, *other.gone])
        return replace(self, received=received, gone=gone)

    def ending_at(self, last_seq: int, successor: str) -> "Epoch":
        """After a successor named its end; what has come counts more. The first successor stays."""
        return replace(self, last_seq=max(self.last_seq, last_seq), successor=self.successor or successor)

    def contiguous_to(self) -> int:
        """The last row up to which all have come or are gone; 0 if the first is missing."""
        known = self._known()
        return known[0][1] if known and known[0][0] == 1 else 0

    def missing(self) -> Ranges:
        """The rows that are to come, as large ranges as possible, in ascending order."""
        holes: list[Range] = []
        following = 1
        for first, last in self._known():
            if following < first:
                holes.append((following, first - 1))
            following = last + 1
        if following <= self.last_seq:
            holes.append((following, self.last_seq))
        return tuple(holes)

    def to_ask(self, now: datetime) -> tuple[Ranges, "Epoch"]:
        """The missing rows to ask for now, each at most once an hour, and the epoch after having asked."""
        fresh = self.asked_at is None or now - self.asked_at >= ASKED_FOR
        asked = () if fresh else self.asked
        wanted = _without(self.missing(), asked)[:RANGES_ASKED]
        if not wanted:
            return (), self
        return wanted, replace(self, asked=join([*asked, *wanted]), asked_at=now if fresh else self.asked_at)

    def _known(self) -> Ranges:
        return join([*self.received, *self.gone]) if self.gone else self.received


@dataclass(frozen=True, slots=True)
class Report:
    """What a clock is told of one of its epochs."""

    epoch: str
    contiguous_to: int
    missing: Ranges


def merge(
    known: Mapping[str, Epoch],
    epoch: str,
    seqs: Iterable[int],
    gone: Iterable[Range],
    previous: tuple[str, int] | None,
) -> dict[str, Epoch]:
    """The epochs of which a batch says something, as they are after it."""
    after = {epoch: known.get(epoch, Epoch()).with_rows(seqs, gone)}
    if previous is not None:
        before = after.get(previous[0]) or known.get(previous[0], Epoch())
        after[previous[0]] = before.ending_at(previous[1], epoch)
    return after


def branches_off(known: Mapping[str, Epoch], epoch: str, previous: tuple[str, int] | None) -> bool:
    """Whether an epoch that was never seen shows that its card has lived on without it.

    The epochs of one card are a chain: its predecessor then has another successor already, or rows beyond the end
    that it names.
    """
    before = None if previous is None or epoch in known else known.get(previous[0])
    if before is None or previous is None:
        return False
    beyond = bool(before.received) and before.received[-1][1] > previous[1]
    return beyond or before.successor not in (None, epoch)


def newly_gone(before: Epoch, after: Epoch) -> Ranges:
    """The rows that were given up by the step from one to the other and have not come."""
    return _without(_without(after.gone, before.gone), after.received)


def report(known: Mapping[str, Epoch], epoch: str) -> list[Report]:
    """First the epoch of the batch, then the others that miss something, in ascending order."""
    own = known.get(epoch, Epoch())
    reports = [Report(epoch, own.contiguous_to(), own.missing()[:RANGES_SHOWN])]
    for name in sorted(known):
        missing = known[name].missing() if name != epoch else ()
        if missing and len(reports) <= EPOCHS_SHOWN:
            reports.append(Report(name, known[name].contiguous_to(), missing[:RANGES_SHOWN]))
    return reports


def join(ranges: Iterable[Range]) -> Ranges:
    """The same rows as sorted ranges that neither overlap nor touch."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            if last > joined[-1][1]:
                joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def _without(ranges: Ranges, others: Ranges) -> Ranges:
    """The rows of `ranges` that are not in `others`."""
    left: list[Range] = []
    for first, last in ranges:
        following = first
        for low, high in others:
            if high < following or low > last:
                continue
            if following < low:
                left.append((following, low - 1))
            following = high + 1
        if following <= last:
            left.append((following, last))
    return tuple(left)


def _limited(before: Ranges, after: Ranges) -> Ranges:
    return after if len(after) <= max(RANGES_LIMIT, len(before)) else before
