"""Columns of entries and stamps in a person's file: rooms below read these rows as values, not as columns of tables."""

from typing import Final

from stempelwerk_cloud.office.records.page import Column
from stempelwerk_cloud.office.words import DIRECTIONS, FLAGS, UNCOUNTED

ENTRY_COLUMNS: Final = (
    Column("user_id"),
    Column("id"),
    Column("date", "Tag"),
    Column("start", "Beginn"),
    Column("end", "Ende"),
    Column("start_minute", "Kommen", "minute of day"),
    Column("end_minute", "Gehen", "minute of day"),
    Column("raw_minutes", "Anwesend (Min)"),
    Column("break_minutes", "Pause (Min)"),
    Column("running", "Läuft"),
    Column("source", "Quelle", words={"clock": "Uhr", "correction": "Korrektur"}),
    Column("flags", "Hinweise", words=FLAGS),
    Column("clock_name", "Uhr"),
)
STAMP_COLUMNS: Final = (
    Column("id"),
    Column("at", "Zeitpunkt", "seconds"),
    Column("direction", "Richtung", words=DIRECTIONS),
    Column("clock", "Uhr"),
    Column("reason", "Grund", words=UNCOUNTED),
    Column("received_at", "Eingegangen"),
)
