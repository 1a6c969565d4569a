"""Errors of the calls about a person's records, and column names of entries and stamps in a person's file.

Rooms below read those rows as values, not as columns of tables, so the names are here.
"""

from typing import Final

from stempelwerk_cloud.kit.http.problems import Problem, conflict
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


def still_employed() -> Problem:
    return conflict(
        "still_employed",
        "Die Person ist noch beschäftigt. Trage zuerst einen Austritt ein, der vorbei ist, oder lösche die Person.",
    )


STILL_READ = "Du lädst noch eine Auskunft herunter. Warte, bis sie da ist, oder brich sie ab."
SEVERAL_MADE = "Gerade werden schon mehrere Auskünfte aus deiner Firma erstellt."
