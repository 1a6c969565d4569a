"""Audit actions of absences. The diagnosis is never recorded, because it is never asked for."""

from stempelwerk_cloud.people.audit.actions import Action

REPORTED = Action("absence.reported")
MISSED = Action("absence.missed")
CAME = Action("absence.came")
NOTE_ADDED = Action("absence.note_added")
NOTE_READ = Action("absence.note_read")
NOTE_REMOVED = Action("absence.note_removed")
MESSAGE_ADDED = Action("absence.message_added")
EXCUSED = Action("absence.excused")
DECLINED = Action("absence.declined")
WITHDRAWN = Action("absence.withdrawn")
CANCELLED = Action("absence.cancelled")
REOPENED = Action("absence.reopened")
SPECIAL = Action("absence.special")
ENDED = Action("absence.ended")
