"""Which tables a company sees, which columns of them nobody sees, and why the others are left out.

A test holds the whole schema to these lists: a new table stands in one of them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Shown(NamedTuple):
    """`hidden`: the columns that stay here. `called`: its name in the answer, if not the table's."""

    hidden: frozenset[str] = frozenset()
    called: str = ""


def _but(*hidden: str, called: str = "") -> Shown:
    return Shown(frozenset(hidden), called)


WAGES: Final = "compensation_values"
"""Shown to who has the module `costs`."""

SHOWN: Final[Mapping[str, Shown]] = {
    "users": _but("username_key", "password_hash", "reset_expires_at", "lock_token"),
    "person_values": _but(),
    "tag_holdings": _but("tag"),
    "devices": _but(
        "keyid",
        "public_key",
        "claim_code",
        "hardware_id",
        "label",
        "label_notes",
        "identity_conflict",
        "revoked_at",
    ),
    "device_assignments": _but(),
    "stamps": _but("content"),
    "entries": _but(),
    "person_numbers": _but(),
    "resolutions": _but(),
    "review_confirmations": _but(),
    "correction_requests": _but(called="time_corrections"),
    "corrections": _but(),
    "voids": _but(),
    "duties": _but(),
    "told_duties": _but(),
    "swap_requests": _but(),
    "vacation_requests": _but(),
    "absences": _but(),
    "free_days": _but(),
    "closures": _but(),
    "vacation_notices": _but("message_id"),
    "bookings": _but(),
    "kept_balances": _but(),
    "statements": _but("content"),
    "exports": _but("told", "state", "inputs", "content"),
    "month_locks": _but("told", "state"),
    "payroll_mappings": _but(),
    "export_settings": _but("zip_password"),
    "export_mails": _but("file_id"),
    "mail_declines": _but(),
    WAGES: _but(),
    "companies": _but("name_key", "is_operator"),
    "company_features": _but(),
    "company_settings": _but(),
    "releases": _but(),
    "privacy_consents": _but(),
    "company_archives": _but(),
    "alarms": _but("told"),
    "alarm_settings": _but(),
    "support_messages": _but(),
    "support_replies": _but(),
    "audit_entries": _but("hash"),
}

_ACCESS: Final = "says how somebody logs in"
_INSTALLATION: Final = "the installation's own, of no company"
_MACHINERY: Final = "the service's own notes, which say nothing that does not stand elsewhere"
_PERSONAL: Final = "its person's own"

LEFT_OUT: Final[Mapping[str, str]] = {
    "web_sessions": _ACCESS,
    "tickets": _ACCESS,
    "remembered_devices": _ACCESS,
    "second_factors": _ACCESS,
    "recovery_codes": _ACCESS,
    "login_counters": _ACCESS,
    "pending_logins": _ACCESS,
    "calendar_addresses": _ACCESS,
    "access_looks": "who looked at whose times: for the works council alone",
    "messages": _PERSONAL,
    "notice_choices": _PERSONAL,
    "push_subscriptions": _PERSONAL,
    "files": "sick notes",
    "file_contents": "sick notes",
    "company_keys": "the key to its files",
    "audit_words": "names and tags of the log, which can be erased; the log itself shows them",
    "kept_answers": "answers for who repeats a call, wages among them",
    "outbox": "mails on their way, codes among them",
    "tag_numbers": "the tags themselves, which open a clock",
    "derivation_revisions": _MACHINERY,
    "people_changes": _MACHINERY,
    "purged_times": _MACHINERY,
    "missing_sweeps": _MACHINERY,
    "device_logs": "kept for a week, and shown by the module Fehlerlog",
    "installation": _INSTALLATION,
    "service_time": _INSTALLATION,
    "key_fingerprints": _INSTALLATION,
    "device_leases": _INSTALLATION,
    "device_beats": _INSTALLATION,
    "device_boots": _INSTALLATION,
    "device_predecessors": _INSTALLATION,
    "device_moments": _INSTALLATION,
    "clock_answers": _INSTALLATION,
    "receipts": _INSTALLATION,
    "stamp_claims": _INSTALLATION,
    "batches": _INSTALLATION,
    "boots": _INSTALLATION,
    "anchors": _INSTALLATION,
    "epochs": _INSTALLATION,
    "streams": _INSTALLATION,
    "unassigned_stamps": _INSTALLATION,
    "quarantined_stamps": _INSTALLATION,
    "counters": _INSTALLATION,
    "tombstones": _INSTALLATION,
    "buried_assignments": _INSTALLATION,
    "inquiries": _INSTALLATION,
    "operator_log": "what operators did: for system administrators alone",
    "rollout_clocks": _INSTALLATION,
    "rollouts": _INSTALLATION,
    "update_metadata": _INSTALLATION,
    "update_releases": _INSTALLATION,
    "update_targets": _INSTALLATION,
}
"""By table: why nobody reads it here."""
