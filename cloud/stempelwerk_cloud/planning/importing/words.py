"""Refusals of the import. A cell's refusal is only a sentence, which is reported with the cell's line."""

from collections.abc import Mapping, Sequence

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem, conflict, invalid

CODE = "import_refused"


def lines_refused(rows: Sequence[Mapping[str, object]]) -> Problem:
    """Returns 422 for a table with errors. `rows`: each line's number and errors."""
    wrong = sum(1 for row in rows if row["errors"])
    lines = "einer Zeile" if wrong == 1 else f"{wrong} Zeilen"
    sentence = f"In {lines} stimmt etwas nicht. Es wurde niemand angelegt."
    return Problem(422, CODE, sentence, extra={"rows": rows, "created": []})


def changed_meanwhile() -> Problem:
    return conflict("changed_meanwhile", "Der Stand hat sich inzwischen geändert. Bitte noch einmal hochladen.")


def one_at_a_time(sentence: str) -> Problem:
    """Returns 429 with this sentence."""
    return places.busy(429, sentence)


def no_lines() -> Problem:
    return invalid("file", "Unter der Kopfzeile steht niemand.", CODE)


def unknown_head(word: str) -> Problem:
    return invalid("file", f"Die Spalte „{word}“ ist unbekannt.", CODE)


def head_twice(word: str) -> Problem:
    return invalid("file", f"Die Spalte „{word}“ steht doppelt da.", CODE)


def head_missing(word: str) -> Problem:
    return invalid("file", f"In der Kopfzeile fehlt die Spalte „{word}“.", CODE)


def no_head(column: int) -> Problem:
    return invalid("file", f"In der Kopfzeile hat die {column}. Spalte keine Überschrift.", CODE)


def head_below(line: int) -> Problem:
    sentence = f"Die Kopfzeile steht erst in Zeile {line}. Bitte die Zeilen darüber löschen und noch einmal hochladen."
    return invalid("file", sentence, CODE)


def several_lists(sheets: Sequence[str]) -> Problem:
    names = " und ".join([", ".join(f"„{name}“" for name in sheets[:-1]), f"„{sheets[-1]}“"])
    sentence = f"Die Datei hat mehrere Blätter mit einer Liste: {names}. Bitte jede Liste als eigene Datei hochladen."
    return invalid("file", sentence, CODE)


def hidden_list(sheet: str) -> Problem:
    sentence = f"Die Liste steht auf dem ausgeblendeten Blatt „{sheet}“. Bitte einblenden und noch einmal hochladen."
    return invalid("file", sentence, CODE)


def unfit() -> Problem:
    return invalid("file", "Die Zeile enthält Zeichen, die hier nicht stehen können, zum Beispiel einen Zeilenumbruch.")


def formula() -> Problem:
    return invalid("file", "Formeln werden nicht gelesen. Bitte den Wert selbst eintragen.")


def too_many_cells() -> Problem:
    return invalid("file", "Die Zeile hat mehr Spalten als die Kopfzeile.")


def left_of_list() -> Problem:
    return invalid("file", "Links neben der Liste steht etwas in dieser Zeile. Bitte löschen, was nicht dazugehört.")


def tag_is_number() -> Problem:
    sentence = (
        "Die Tag-ID steht in der Tabelle als Zahl oder Datum, nicht als Text: Stellen des Chips können fehlen. "
        "Bitte die Spalte als Text formatieren und die Tag-ID neu eingeben."
    )
    return invalid("tagId", sentence)


def name_twice(line: int) -> Problem:
    return invalid("username", f"Der Benutzername steht schon in Zeile {line}.")


def tag_twice(line: int) -> Problem:
    return invalid("tagId", f"Die Tag-ID steht schon in Zeile {line}.")


def number_twice(line: int) -> Problem:
    sentence = f"Die Personalnummer steht schon in Zeile {line}. Führende Nullen zählen nicht mit: 0042 ist 42."
    return invalid("personnelNumber", sentence)


def number_taken(username: str) -> Problem:
    sentence = f"Die Personalnummer hat schon {username}. Führende Nullen zählen nicht mit: 0042 ist 42."
    return invalid("personnelNumber", sentence)


def no_role() -> Problem:
    return invalid("role", "Die Rolle ist unbekannt: Es gibt Mitarbeiter (user) und Firmen-Admin (companyAdmin).")


def no_number() -> Problem:
    return invalid("personnelNumber", "Die Personalnummer besteht aus höchstens 20 Ziffern.")


def department_too_long(limit: int) -> Problem:
    return invalid("department", f"Die Abteilung ist zu lang (höchstens {limit} Zeichen).")


def no_day() -> Problem:
    return invalid("entryDate", "Das Eintrittsdatum ist kein Tag. Bitte wie 01.03.2026 schreiben.")


def no_minutes() -> Problem:
    return invalid("weeklyTargetMinutes", "Die Sollminuten sind eine ganze Zahl von 0 bis 10080.")


def no_hours() -> Problem:
    return invalid("weeklyTargetMinutes", "Die Wochenstunden sind eine Zahl von 0 bis 168, zum Beispiel 38,5.")
