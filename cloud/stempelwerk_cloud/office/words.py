"""German words about times on paper and in files: directions, hints, and reasons why a stamp does not count."""

DIRECTIONS = {"auto": "automatisch", "in": "Kommen", "out": "Gehen"}
WEEKDAYS = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
FLAGS = {
    "missing_in": "Kommen fehlt",
    "missing_out": "Gehen fehlt",
    "long_entry": "ungewöhnlich lang",
    "uncertain_time": "Uhrzeit unsicher",
    "over_10_h": "über 10 Stunden",
    "short_rest": "kurze Ruhezeit",
    "missing_break": "Pause fehlt",
    "overlap": "überschneidet sich",
    "shown_differs": "Anzeige der Uhr wich ab",
    "late": "nachträglich eingegangen",
}
UNCOUNTED = {
    "double_tap": "nein: doppelt gestempelt",
    "replaced": "nein: durch den nächsten ersetzt",
    "voided": "nein: Eintrag gelöscht",
    "voided_late": "nein: gehört zu gelöschtem Eintrag",
    "corrected": "nein: durch Korrektur ersetzt",
    "discarded": "nein: verworfen",
}
