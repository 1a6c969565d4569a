"""The room of absences: days of illness, missed duties and special absences, and their sick notes."""

from datetime import timedelta

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import EXIT_SET
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.room import Job, MessageType, PerCompanyJob, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.absences import actions
from stempelwerk_cloud.planning.absences.api import UPLOAD, UPLOAD_BYTES, router
from stempelwerk_cloud.planning.absences.decisions import leaving, rounds
from stempelwerk_cloud.planning.days.reading import DAYS_OFF
from stempelwerk_cloud.planning.days.service import worked_on_leave
from stempelwerk_cloud.planning.facts.tables import Absence

ROOM = Room(
    "absences",
    router,
    # Excused days stay, because later balances depend on them. Their texts do not.
    retention_rules=(
        RetentionRule(
            Absence.date,
            rounds.RETENTION,
            unless=rounds.NEEDED,
            period=Period("absences", "Abgelehnte und zurückgezogene Abwesenheiten"),
            interval=timedelta(hours=12),
            is_audited=True,
        ),
    ),
    jobs=(
        Job("remove_old_words", timedelta(hours=12), rounds.remove_old_words, removes=True),
        PerCompanyJob("remove_gone_absences", timedelta(minutes=15), rounds.remove_gone),
        PerCompanyJob("remove_old_sick_notes", timedelta(hours=6), rounds.remove_old_notes, removes=True),
    ),
    subscriptions={EXIT_SET: leaving.exit_set},
    ports=(
        ports.WORKED_ON_LEAVE.provided_by(worked_on_leave),
        ports.DAYS_OFF.provided_by(DAYS_OFF),
    ),
    settings=rounds.SETTINGS,
    messages=(
        # A missed duty, or a sick report entered by an administrator; sent to the employee.
        MessageType("absence", notification_kind="decisions"),
        MessageType("absence_response", notification_kind="decisions"),
    ),
    audit_actions=actions_in(actions),
    refused_for_size={UPLOAD: checking.too_large()},
    body_limits={UPLOAD: UPLOAD_BYTES},
)
