"""Placement of a claim: determines its true time, company, tag, and the reasons to hold it, and builds its row.

An arriving stamp, one whose boot got a better anchor, and a released one are all placed here from the same facts, so
the order of their arrival makes no difference. Placing has side effects: it inserts a new boot or stream, and reads
anchors that are further away (`facts.py`). Not here: reading and writing stamps, and whether a stamp counts, which only
the derivation of entries knows.
"""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.placing import facts as device_facts
from stempelwerk_cloud.timekeeping.ledger.placing.facts import BootFacts, DeviceFacts
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import (
    Period,
    company_by_assignment,
    company_by_release,
    normalize_tag,
    release_at,
)
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Claim, Tap, is_plain_wall, write_content
from stempelwerk_cloud.timekeeping.status_bits import (
    BOOKED_BY_HAND,
    CLOCK,
    CONFLICT,
    DISCARDED,
    READER,
    reported_bits_of,
    waits,
)
from stempelwerk_cloud.timekeeping.tx import Tx

CLOCKS_DIFFER_MS = 5 * 60_000
"""How far the time of a stamp may lie after its receipt, in ms, because the clocks of two machines are compared."""


class Timed(NamedTuple):
    """A claim with its true time and its company (None: unassigned). `rightful`: it is the company's by an assignment,
    not by a release.
    """

    claim: Claim
    boot: BootFacts
    at_ms: int
    certain: bool
    is_settled: bool
    company_id: str | None
    rightful: bool


class PlacedStamp(Struct, gc=False):
    """A row of `stamps`."""

    company_id: str
    tag_no: int
    at: int
    id: str
    wall_ms: int | None
    boottime_ms: int
    seq: int
    received_at: int
    stream_no: int
    reported_bits: int
    status: int
    waits: bool
    unsettled: bool
    via: str | None
    content: str | None


class Placed(NamedTuple):
    """A row, and the person who held its tag at its time; None: the tag had no holder."""

    row: PlacedStamp
    user_id: str | None


class Verdict(NamedTuple):
    """An administrator's decision about a stamp: `book` or `discard`. `taken_ms`: the time to book it at; None: its
    own.
    """

    action: str
    taken_ms: int | None


def timed(tx: Tx, facts: DeviceFacts, claim: Claim) -> Timed:
    """Determines the claim's true time and company."""
    tap = claim.tap
    boot = device_facts.boot_of(tx, facts, tap.boot)
    if not boot.complete and not _near_enough(boot, tap.boottime_ms):
        device_facts.need_all_anchors(tx, boot)
    true_time = boot.anchors.true_time(tap.wall_ms, tap.boottime_ms, tap.quality, claim.received_ms)
    at_ms = true_time.at_ms
    company_id = company_by_assignment(tap.assignment, at_ms, true_time.certain, facts.assignments)
    rightful = company_id is not None
    if not rightful:
        company_id = company_by_release(tap.assignment, at_ms, facts.releases, facts.assignments)
    is_settled = true_time.by == "wall" and tap.quality == "ntp"
    return Timed(claim, boot, at_ms, true_time.certain, is_settled, company_id, rightful)


def place_claim(
    tx: Tx,
    facts: DeviceFacts,
    timed_claim: Timed,
    inputs: DerivationInputs,
    tag_nos: Mapping[str, int],
    *,
    conflict: bool = False,
    verdict: Verdict | None = None,
    watched: bool = False,
) -> Placed:
    """Builds the row of a claim that has a company. `inputs` are that company's, which must have read the tag.

    `watched`: later anchors check this stamp even if its time is an NTP time.
    """
    tap = timed_claim.claim.tap
    tag = normalize_tag(tap.tag)
    at_ms = timed_claim.at_ms if verdict is None or verdict.taken_ms is None else verdict.taken_ms
    user_id, status = inputs.holder(tag, at_ms)
    status |= (0 if timed_claim.certain else CLOCK) | (CONFLICT if conflict else 0)
    if verdict is not None:
        status |= BOOKED_BY_HAND if verdict.action == "book" else DISCARDED
    assignment = tap.assignment if timed_claim.rightful else None
    faithful = tag == tap.tag and assignment == tap.assignment and is_plain_wall(tap.wall)
    row = PlacedStamp(
        inputs.company_id,
        tag_nos[tag],
        at_ms,
        tap.id,
        None if tap.wall_ms == at_ms else tap.wall_ms,
        tap.boottime_ms,
        tap.seq,
        timed_claim.claim.received_ms,
        device_facts.stream_of(tx, facts, timed_claim.claim.epoch, timed_claim.boot.no, assignment),
        reported_bits_of(tap.direction, tap.quality, tap.shown, tap.via),
        status,
        waits(status),
        watched or not timed_claim.is_settled,
        None if tap.via == READER else tap.via,
        None if faithful else write_content(tap),
    )
    return Placed(row, user_id)


def period_of(timed_claim: Timed, facts: DeviceFacts) -> Period:
    """Returns the period that is possible for the stamp: that of its assignment or release, up to its receipt.

    Without either, only its own time is possible.
    """
    latest = timed_claim.claim.received_ms + CLOCKS_DIFFER_MS
    if timed_claim.rightful and timed_claim.claim.tap.assignment is not None:
        named_assignment = facts.assignments[timed_claim.claim.tap.assignment]
        return Period(
            named_assignment.starts_ms,
            latest if named_assignment.ends_ms is None else min(named_assignment.ends_ms - 1, latest),
        )
    release = release_at(timed_claim.claim.tap.assignment, timed_claim.at_ms, facts.releases, facts.assignments)
    first_ms, last_ms = (
        (timed_claim.at_ms, timed_claim.at_ms) if release is None else (release.starts_ms, release.ends_ms)
    )
    return Period(first_ms, min(last_ms, latest))


def offset_ms(tap: Tap) -> int:
    """Returns how far the wall time of a tap was ahead of its boottime, in ms."""
    return tap.wall_ms - tap.boottime_ms


def _near_enough(boot: BootFacts, boottime_ms: int) -> bool:
    # All anchors within the margin have been read; one beyond it has a larger error than the margin is wide.
    return boot.anchors.least_error(boottime_ms) <= boot.margin_ms
