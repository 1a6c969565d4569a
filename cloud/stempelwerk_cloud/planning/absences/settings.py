"""Company settings of absences."""

from stempelwerk_cloud.kit.dated import Setting

SICK_NOTE_MONTHS = Setting("sick_note_months", int, 12, minimum=1, maximum=36)
"""How many months after its decision a sick note is kept."""

SETTINGS = (SICK_NOTE_MONTHS,)
