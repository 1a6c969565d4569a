"""Withdrawal, key reset and replacement of clocks. None of them deletes stamps."""

from hmac import compare_digest

from stempelwerk_cloud.fleet.devices import queries, words
from stempelwerk_cloud.fleet.devices.changes import actions, assignments, live
from stempelwerk_cloud.fleet.devices.changes.keys import read_claim_code
from stempelwerk_cloud.fleet.devices.schemas import Spare
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment, DevicePredecessor
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import UnitOfWork

REVOKED, DECOMMISSIONED = "revoked", "decommissioned"
CODE_ATTEMPTS = "10/minute; 100/day"
"""Rate limit per user for replacements where the spare is named by its claim code. It prevents guessing codes."""


def revoke(work: UnitOfWork, device_id: str, reason: str) -> None:
    """Refuses the device's key from now on (403 `revoked`). Keeps its assignment, so that a replacement can take it
    over. Raises 409 if the device is already withdrawn.
    """
    device = assignments.find_family_locked(work, device_id)
    if device.withdrawn is not None:
        raise words.already_withdrawn()
    device.revoked_at, device.withdrawn, device.withdrawn_why = work.now(), REVOKED, reason
    _record_change(work, device, actions.REVOKED, reason)


def decommission(work: UnitOfWork, device_id: str) -> None:
    """Ends the clock's assignment and refuses its key from now on. Raises 409 if it is out of use already."""
    device = assignments.find_family_locked(work, device_id)
    if device.withdrawn == DECOMMISSIONED:
        raise words.already_withdrawn()
    device.revoked_at, device.withdrawn = device.revoked_at or work.now(), DECOMMISSIONED
    _record_change(work, device, actions.DECOMMISSIONED, None)
    assignments.end(work, [device.no])


def reset_key(work: UnitOfWork, device_id: str, reason: str) -> int:
    """Clears the conflict and the fork of the device's key, and its hardware id, which is stored again at the next
    enrolment. Returns the device's number. Raises 409 if the device is withdrawn.
    """
    device = queries.by_id(work.session, device_id)
    if device is None:
        raise not_found()
    queries.lock_serials(work.session, {device.serial})
    lease = queries.lock(work.session, device.no)
    work.session.refresh(device)
    if device.withdrawn is not None:
        raise words.already_withdrawn()
    assert lease is not None
    device.identity_conflict, device.hardware_id, lease.forked = False, "", False
    _record_change(work, device, actions.KEY_RESET, reason)
    return device.no


def replace(work: UnitOfWork, device_id: str, choice: Spare) -> int:
    """Replaces a clock by a spare. Returns the spare's number.

    The spare gets the clock's company, name, notes and channel from now on, and may deliver the stamps that are left on
    the clock's card. The clock's own key is not refused, because it may still deliver stamps itself.

    Raises 404 if the clock is unknown; 409 if the spare belongs to another company, or the clock is already replaced;
    422 for an unknown spare, or a missing or wrong claim code.
    """
    session = work.session
    old = queries.by_id(session, device_id)
    if old is None:
        raise not_found()
    spare = _find_spare(work, choice)
    if spare.no == old.no:
        raise words.same_device()
    unlocked_owner = queries.assignment_at(session, old.no, work.now())
    if unlocked_owner is not None:
        work.company(unlocked_owner.company_id)
    assignments.lock_family(work, [old.no, spare.no], replacing=True)
    session.expire_all()
    history = queries.assignments(session, old.no)
    owner = next((assignment for assignment in history if assignment.ends_at is None), None)
    if (unlocked_owner and unlocked_owner.id) != (owner and owner.id):
        raise words.owner_changed()
    if owner is None and queries.successors(session, [old.no]):
        raise words.already_replaced()
    spare_assignment = next(
        (assignment for assignment in queries.assignments(session, spare.no) if assignment.ends_at is None), None
    )
    if spare_assignment is not None and (not history or spare_assignment.company_id != history[-1].company_id):
        raise words.spare_in_use()
    if spare.withdrawn is not None:
        raise words.already_withdrawn()
    _record_predecessors(work, old, spare)
    audit_company_id = companies.operator_company(work).id if owner is None else owner.company_id
    work.audit(audit_company_id, actions.REPLACED, old.id, new_values={"deviceId": spare.id})
    if owner is not None and spare_assignment is None:
        now = work.now()
        session.add(
            DeviceAssignment(
                company_id=owner.company_id,
                id=work.new_id(),
                device_no=spare.no,
                starts_at=now,
                assigned_at=now,
                assigned_by=work.actor_id,
                name=owner.name,
                notes=owner.notes,
            )
        )
    spare.channel = old.channel
    if spare.serial == old.serial:
        old.identity_conflict = spare.identity_conflict = False
    assignments.end(work, [old.no], follow=[spare.no])
    return spare.no


def count_code_attempt(platform: Platform, caller: Caller, choice: Spare) -> None:
    """Counts an attempt to name a spare by its claim code. It takes a transaction of its own, because a failed attempt
    must stay counted. Raises 429.
    """
    if choice.device_id is None and choice.serial is not None and choice.claim_code is not None:
        platform.rates.spend_shared(CODE_ATTEMPTS, f"user {caller.user_id}", "names spares by claim code")


def _find_spare(work: UnitOfWork, choice: Spare) -> Device:
    if choice.device_id is not None:
        spare = queries.by_id(work.session, choice.device_id)
        if spare is None:
            raise words.spare_unknown()
        if choice.serial not in (None, spare.serial) or not (choice.claim_code is None or _has_code(spare, choice)):
            raise words.two_spares_named()
        return spare
    if choice.serial is None:
        raise words.no_spare_named()
    if choice.claim_code is None:
        raise words.claim_code_missing()
    candidates = queries.unassigned_with_serial(work.session, choice.serial)
    if not candidates:
        raise words.spare_unknown()
    matching = [device for device in candidates if _has_code(device, choice)]
    if not matching:
        raise words.claim_code_wrong()
    if len(matching) > 1:
        raise words.spare_ambiguous()
    return matching[0]


def _has_code(device: Device, choice: Spare) -> bool:
    return compare_digest(device.claim_code.encode(), read_claim_code(choice.claim_code or "").encode())


def _record_predecessors(work: UnitOfWork, old: Device, spare: Device) -> None:
    """Records the spare and all its successors as successors of the replaced device and of all its predecessors."""
    replaced = [old.no, *queries.predecessors(work.session, old.no)]
    for heir in (spare.no, *queries.successors(work.session, [spare.no])):
        for no in set(replaced) - {heir, *queries.predecessors(work.session, heir)}:
            work.session.add(DevicePredecessor(device_no=heir, predecessor_no=no, replaced_at=work.now()))
    work.session.flush()


def _record_change(work: UnitOfWork, device: Device, action: Action, reason: str | None) -> None:
    owner = queries.assignment_at(work.session, device.no, work.now())
    audit_company_id = companies.operator_company(work).id if owner is None else owner.company_id
    work.session.flush()
    work.audit(
        audit_company_id, action, device.id, new_values=None if reason is None else {"reason": ErasableText(reason)}
    )
    live.refresh_pages(work)
