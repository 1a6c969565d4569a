"""German texts that the merge writes into a device's log."""

FORKED = "Diese Stempeluhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand."
SET_BACK = "Der Server ist auf einem früheren Stand; die Stempeluhr liefert nach, was ihm fehlt."
LOST = "Die Stempeluhr hat Stempel endgültig verloren."
