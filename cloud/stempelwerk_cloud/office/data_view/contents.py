"""The tables whose rows a company can read, their hidden columns, and the reasons for leaving out the other tables.

A test checks the whole schema against these lists: each new table belongs in one of them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Shown(NamedTuple):
    """A table that a company can read. `hidden`: the columns that are never returned. `called`: its name in the
    answer.
    """

    hidden: frozenset[str] = frozenset()
    called: str = ""


def _all_except(*hidden: str, called: str = "") -> Shown:
    return Shown(frozenset(hidden), called)


WAGES: Final = "compensation_values"
"""The table of rates and wages: only for companies with the module `costs`."""

SHOWN: Final[Mapping[str, Shown]] = {
    "users": _all_except("username_key", "password_hash", "reset_expires_at", "lock_token"),
    "person_values": _all_except(),
    "tag_holdings": _all_except("tag"),
    "devices": _all_except(
        "keyid",
        "public_key",
        "claim_code",
        "hardware_id",
        "label",
        "label_notes",
        "identity_conflict",
        "revoked_at",
    ),
    "device_assignments": _all_except(),
    "stamps": _all_except("content"),
    "entries": _all_except(),
    "person_numbers": _all_except(),
    "resolutions": _all_except(),
    "review_confirmations": _all_except(),
    "correction_requests": _all_except(called="time_corrections"),
    "corrections": _all_except(),
    "voids": _all_except(),
    "duties": _all_except(),
    "told_duties": _all_except(),
    "swap_requests": _all_except(),
    "vacation_requests": _all_except(),
    "absences": _all_except(),
    "free_days": _all_except(),
    "closures": _all_except(),
    "vacation_notices": _all_except("message_id"),
    "bookings": _all_except(),
    "kept_balances": _all_except(),
    "statements": _all_except("content"),
    "exports": _all_except("told", "state", "inputs", "content"),
    "month_locks": _all_except("told", "state"),
    "payroll_mappings": _all_except(),
    "export_settings": _all_except("zip_password"),
    "export_mails": _all_except("file_id"),
    "mail_declines": _all_except(),
    WAGES: _all_except(),
    "companies": _all_except("name_key", "is_operator"),
    "company_features": _all_except(),
    "company_settings": _all_except(),
    "releases": _all_except(),
    "privacy_consents": _all_except(),
    "company_archives": _all_except(),
    "alarms": _all_except("told"),
    "alarm_settings": _all_except(),
    "support_messages": _all_except(),
    "support_replies": _all_except(),
    "audit_entries": _all_except("hash"),
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
    "rate_windows": _MACHINERY,
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
"""The tables that are left out, each with the reason."""
