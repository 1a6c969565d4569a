"""Company settings of absences."""

from stempelwerk_cloud.kit.dated import Setting

SICK_NOTE_MONTHS = Setting(
    "sick_note_months",
    int,
    12,
    minimum=1,
    maximum=36,
    label="Bescheinigungen zu Krankmeldungen bleiben nach der Entscheidung (Monate)",
    retention=("Bescheinigungen zu Krankmeldungen (nach der Entscheidung)", "Monate"),
)
"""How many months a sick note is stored after the decision about its absence."""

SETTINGS = (SICK_NOTE_MONTHS,)
