"""Judges a healed world: compares the stamps that the service holds with the taps that really happened.

It reads the service's tables and its API and compares them with `truth`. Three numbers sum up a run: taps that are
lost, taps that exist more than once (or were never made), and stamps that still wait and should not. Any other
contradiction of the truth (times, entries, forks, failed loops) is a `wrong` line.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Tap as StoredTap
from stempelwerk_cloud.timekeeping.ledger.placing.taps import read_content
from stempelwerk_cloud.timekeeping.status_bits import BOOKED_BY_HAND, CLOCK

from stempelwerk_tools.simulation.administrator import Employee
from stempelwerk_tools.simulation.judging.plan import DOUBLE_TAP, PlainEntry, expected
from stempelwerk_tools.simulation.judging.truth import Tap, Truth
from stempelwerk_tools.simulation.machines.service import SimulatedService
from stempelwerk_tools.simulation.machines.station import TapKey

_STAMPS = """SELECT b.boot, s.boottime_ms, s.id, s.at, s.status, t.tag, s.company_id FROM stamps s
    JOIN streams m ON m.no = s.stream_no JOIN boots b ON b.no = m.boot_no
    JOIN tag_numbers t ON t.company_id = s.company_id AND t.no = s.tag_no"""
_UNASSIGNED = """SELECT b.boot, s.boottime_ms, s.id, s.at, s.certain, s.content FROM unassigned_stamps s
    JOIN boots b ON b.no = s.boot_no"""
_ENTRIES = """SELECT p.user_id, e.start_at, e.end_at FROM entries e
    JOIN person_numbers p ON p.company_id = e.company_id AND p.no = e.person_no"""
_FORKED = "SELECT d.keyid FROM devices d JOIN device_leases l ON l.device_no = d.no WHERE l.forked"
_KEYS = """SELECT d.hardware_id, d.keyid, d.identity_conflict, p.device_no IS NULL FROM devices d
    LEFT JOIN device_predecessors p ON p.predecessor_no = d.no"""
_SURE = timedelta(seconds=4)
_DRIFT = 70e-6  # twice an oscillator's error: the clock's own, and that of the clock it is compared with


@dataclass(frozen=True)
class Fact:
    """A stamp in the service. `company` None: held for the system administrator."""

    key: TapKey
    id: str
    stamped_at: datetime
    certain: bool
    tag: str
    company: str | None


@dataclass
class Verdict:
    """The result of a run. `trace` is the hash of everything that happened.

    `returned`: the number of taps that a service, set back to a backup, got again before the next tap was made.
    """

    seed: int
    taps: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    wrong: list[str] = field(default_factory=list)
    forks: int = 0
    variants: int = 0
    excused: int = 0
    returned: int = 0
    checked_people: int = 0
    trace: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether the run has no faults at all."""
        return not (self.lost or self.doubled or self.stuck or self.wrong)


def read_facts(service: SimulatedService) -> list[Fact]:
    """Returns all stamps of the service, assigned or not."""
    facts = [
        Fact(
            (boot, boottime_ms),
            ident,
            from_ms(at_ms),
            not status & CLOCK or bool(status & BOOKED_BY_HAND),
            tag,
            company,
        )
        for boot, boottime_ms, ident, at_ms, status, tag, company in service.query(_STAMPS)
    ]
    facts += [
        Fact((boot, boottime_ms), ident, from_ms(at_ms), bool(certain), read_content(content).tag, None)
        for boot, boottime_ms, ident, at_ms, certain, content in service.query(_UNASSIGNED)
    ]
    return facts


def keys(service: SimulatedService) -> set[TapKey]:
    """Returns the taps that the service holds."""
    return {fact.key for fact in read_facts(service)}


def judge(verdict: Verdict, truth: Truth, service: SimulatedService, people: dict[str, Employee]) -> None:
    """Fills in the verdict. `people` by their tags."""
    facts = read_facts(service)
    counts = Counter(fact.key for fact in facts)
    needed = {tap.key for tap in truth.taps.values() if tap.acknowledged} - truth.excused
    verdict.taps, verdict.excused = len(needed), len(truth.excused)
    missing = needed - counts.keys()
    verdict.lost = len(missing)
    verdict.doubled = sum(count - 1 for count in counts.values()) + len(counts.keys() - truth.taps.keys())
    verdict.wrong += [f"lost: {truth.taps[key]}" for key in sorted(missing)[:5]]
    verdict.wrong += truth.groundless
    unassigned = [fact for fact in facts if fact.company is None]
    verdict.stuck += len(unassigned)
    verdict.wrong += [f"still without a company: {fact}" for fact in unassigned[:3]]
    quarantined = service.query("SELECT count(*) FROM quarantined_stamps")[0][0]
    if quarantined:
        verdict.wrong.append(f"{quarantined} stamps of a real clock were unreadable")
    _judge_times(verdict, truth, facts)
    _judge_forks(verdict, truth, service)
    _judge_identity_conflicts(verdict, service)
    _judge_variants(verdict, service)
    _judge_entries(verdict, truth, facts, service, people)


def tolerance(truth: Truth, tap: Tap) -> timedelta:
    """Returns the allowed error of a tap's time: the contract's error, over the whole length of the boot."""
    longest_ms = max(boot_tap.key[1] for boot_tap in truth.taps.values() if boot_tap.key[0] == tap.key[0])
    return _SURE + timedelta(milliseconds=longest_ms) * _DRIFT


def _judge_times(verdict: Verdict, truth: Truth, facts: Iterable[Fact]) -> None:
    """Checks that times marked as certain are right, and that every boot that met the service has certain times."""
    for fact in facts:
        tap = truth.taps.get(fact.key)
        if tap is None:
            continue
        if fact.certain and abs(fact.stamped_at - tap.tapped_at) > tolerance(truth, tap):
            verdict.wrong.append(
                f"a tap at {tap.tapped_at} is taken for certain to have been at {fact.stamped_at}: {tap}"
            )
        if not fact.certain and fact.key[0] in truth.contacts:
            verdict.wrong.append(f"uncertain although its boot met the service: {tap}")
        if fact.tag != tap.tag:
            verdict.wrong.append(f"{tap} is stored with the tag {fact.tag}")


def _judge_forks(verdict: Verdict, truth: Truth, service: SimulatedService) -> None:
    """Checks that every second life of a card that the service could see is flagged, and nothing else."""
    flagged = {str(row[0]) for row in service.query(_FORKED)}
    real = truth.forks()
    verdict.forks = len(real)
    verdict.wrong += [f"a fork was not found: {device}" for device in sorted(real - flagged)]
    verdict.wrong += [f"a fork where there was none: {device}" for device in sorted(flagged - truth.branched())]


def _judge_identity_conflicts(verdict: Verdict, service: SimulatedService) -> None:
    """Checks that machines with two keys are shown as conflicts, and no others: old cards of other machines make keys.

    A replaced device does not conflict with a later key of its machine.
    """
    machines: defaultdict[str, dict[str, tuple[bool, bool]]] = defaultdict(dict)
    for hardware_id, keyid, has_conflict, is_active in service.query(_KEYS):
        machines[hardware_id][keyid] = (bool(has_conflict), bool(is_active))
    for devices in machines.values():
        active = {keyid: has_conflict for keyid, (has_conflict, is_active) in devices.items() if is_active}
        if len(active) > 1 and not all(active.values()):
            verdict.wrong.append(f"two keys of one machine were not found: {sorted(active)}")
        if len(devices) == 1 and any(has_conflict for has_conflict, _ in devices.values()):
            verdict.wrong.append(f"an identity conflict where there was none: {sorted(devices)}")


def _judge_variants(verdict: Verdict, service: SimulatedService) -> None:
    """Among different stamps with one id the one with the smallest digest counts, regardless of the order of arrival.

    A claim counts last if its assignment is neither the clock's own nor that of a clock that it replaces: a spare may
    hold a card with an old clock's stamps, while a database that was set back no longer knows the replacement.
    """
    holders = dict(service.query("SELECT id, device_no FROM device_assignments"))
    heirs = set(service.query("SELECT device_no, predecessor_no FROM device_predecessors"))
    variants: defaultdict[str, list[tuple[bool, bytes, str]]] = defaultdict(list)
    for device_no, content in service.query("SELECT device_no, content FROM stamp_claims"):
        tap = read_content(content)
        holder = holders.get(tap.assignment)
        strange = holder not in {None, device_no} and (device_no, holder) not in heirs
        variants[tap.id].append((strange, _canonical_digest(tap), tap.via))
    verdict.variants = sum(len({digest for _, digest, _ in claims}) > 1 for claims in variants.values())
    via_by_id = {ident: via or "reader" for ident, via in service.query("SELECT id, via FROM stamps")}
    for ident, claims in variants.items():
        if ident in via_by_id and via_by_id[ident] != min(claims)[2]:
            verdict.wrong.append(f"of the variants of {ident} another one counts than the one with the smallest digest")


def _canonical_digest(tap: StoredTap) -> bytes:
    members = {
        "assignment": tap.assignment,
        "boot": tap.boot,
        "boottimeMs": tap.boottime_ms,
        "direction": tap.direction,
        "id": tap.id,
        "quality": tap.quality,
        "seq": tap.seq,
        "shown": tap.shown,
        "tag": tap.tag,
        "via": tap.via,
        "wall": tap.wall,
    }
    return hashlib.sha256(json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()).digest()


def _judge_entries(
    verdict: Verdict, truth: Truth, facts: list[Fact], service: SimulatedService, people: dict[str, Employee]
) -> None:
    """Entries of people with unambiguous taps must match the plain reading of the truth.

    A tap on a scanner belongs to the company that owned the clock when the scanner was brought to it: elsewhere it
    makes no entry. The same holds for a tap at an unassigned clock that another company has adopted.
    """
    by_tag: defaultdict[str, list[Tap]] = defaultdict(list)
    doubtful = {fact.tag for fact in facts if not fact.certain}
    for fact in facts:
        if fact.key in truth.taps and fact.company == people[fact.tag].company_id:
            by_tag[fact.tag].append(truth.taps[fact.key])
        elif fact.key in truth.taps and fact.company is not None and fact.company not in truth.met_by[fact.key]:
            tap = truth.taps[fact.key]
            if not any(adopted.takes(tap, fact.company) for adopted in truth.adopted):
                verdict.wrong.append(f"another company's: {tap}")
    entries: defaultdict[str, list[PlainEntry]] = defaultdict(list)
    for user_id, start, end in service.query(_ENTRIES):
        entries[user_id].append(PlainEntry(start and from_ms(start), end and from_ms(end)))
    for tag, person in people.items():
        taps = sorted(by_tag[tag], key=lambda tap: tap.tapped_at)
        if not taps or tag in doubtful or _too_close(taps):
            continue
        verdict.checked_people += 1
        expected_entries = expected((tap.tapped_at, tap.direction) for tap in taps)
        allowed = max((tolerance(truth, tap) for tap in taps), default=_SURE)
        if not _alike(expected_entries, entries[person.user_id], allowed):
            stored_entries = sorted(entries[person.user_id], key=_when)
            verdict.wrong.append(
                f"entries of {tag}\n  wanted {_format_entries(expected_entries)}\n"
                f"  found  {_format_entries(stored_entries)}"
            )


def _too_close(taps: list[Tap]) -> bool:
    """Returns whether two taps on different boots are so close that the contract's error may swap them."""
    return any(
        later.tapped_at - sooner.tapped_at <= DOUBLE_TAP * 2 and later.key[0] != sooner.key[0]
        for sooner, later in pairwise(taps)
    )


def _when(entry: PlainEntry) -> datetime:
    return entry.start or entry.end or datetime.min.replace(tzinfo=UTC)


def _alike(expected_entries: list[PlainEntry], stored_entries: list[PlainEntry], allowed: timedelta) -> bool:
    def near(left_time: datetime | None, right_time: datetime | None) -> bool:
        return (left_time is None and right_time is None) or (
            left_time is not None and right_time is not None and abs(left_time - right_time) <= allowed
        )

    pairs = zip(sorted(expected_entries, key=_when), sorted(stored_entries, key=_when), strict=False)
    return len(expected_entries) == len(stored_entries) and all(
        near(a.start, b.start) and near(a.end, b.end) for a, b in pairs
    )


def _format_entries(entries: Iterable[PlainEntry]) -> str:
    def clock(moment: datetime | None) -> str:
        return f"{moment:%d. %H:%M:%S}" if moment else "…"

    return ", ".join(f"{clock(entry.start)}–{clock(entry.end)}" for entry in entries)
