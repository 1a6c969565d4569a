"""What mails about alarms say."""

from datetime import datetime
from typing import Final, Literal

from stempelwerk_cloud.domain.alarms import Kind
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.mail_templates import Letter, written

WORDS: Final[dict[Kind, str]] = {
    "silent": "meldet sich nicht",
    "network": "Netz der Firma weg",
    "few_stamps": "stempelt viel weniger als sonst",
    "gap": "Lücke seit über einem Tag",
    "queue": "Warteschlange wächst",
    "disk": "Speicher fast voll",
}
_HINTS: Final[dict[Kind, str]] = {
    "silent": "Prüfe Strom und Netz der Uhr. Hat sie Strom, nimmt sie weiter Stempel an und schickt sie später.",
    "network": "Keine Uhr der Firma meldet sich. Prüfe Internet und Router. Die Uhren nehmen weiter Stempel an und"
    " schicken sie später.",
    "few_stamps": "Am letzten Arbeitstag kamen viel weniger Stempel als sonst. Prüfe, ob die Uhr Chips erkennt.",
    "gap": "Stempel, die die Uhr gezählt hat, sind nicht angekommen. Lass die Uhr eingeschaltet am Netz; sie schickt"
    " sie nach, wenn sie sie noch hat. Sonst trag die fehlenden Zeiten als Korrektur nach.",
    "queue": "Die Uhr meldet sich, ihre Stempel kommen aber seit Stunden nicht an. Starte sie neu; bleibt es so,"
    " schreib dem Support.",
    "disk": "Ist der Speicher voll, nimmt die Uhr keine Stempel mehr an. Schreib dem Support.",
}


GONE: Final = (
    "Die Firma hat die Uhr nicht mehr. Ob die Ursache behoben ist, weiß deshalb niemand. Fehlen Stempel von ihr, trag"
    " die Zeiten als Korrektur nach."
)
End = Literal["over", "gone"]
"""Why an alarm ended: the cause is over, or the company no longer has the clock."""
_LEADS: Final[dict[End | None, str]] = {
    None: "es gibt einen Alarm:",
    "over": "Entwarnung, das besteht nicht mehr:",
    "gone": "ein Alarm ist beendet:",
}
_SUBJECTS: Final[dict[End | None, str]] = {None: "Alarm", "over": "Entwarnung", "gone": "Alarm beendet"}


def subject(kind: Kind, name: str, end: End | None) -> str:
    """In one line. `name`: the clock's, or the company's."""
    return f"{_SUBJECTS[end]}: {' '.join(name.split())} – {WORDS[kind]}"


def rollout_stopped(version: str, channel: str) -> str:
    return f"Rollout gestoppt: {version} ({channel})"


def letter(
    kind: Kind, name: str, company: str, since: datetime, until: datetime | None, end: End | None, link: str | None
) -> Letter:
    """`since`, `until`: as the wall clock of the reader's company shows them. With `until` it has ended, by `end`."""
    return written(
        "alarm",
        lead=_LEADS[end],
        clock=None if kind == "network" else name,
        company=company,
        words=WORDS[kind],
        since=_at(since),
        until=None if until is None else _at(until),
        hint={None: _HINTS[kind], "over": None, "gone": GONE}[end],
        link=link,
    )


def _at(at: datetime) -> str:
    return f"{german.day_in_table(at.date())}, {at:%H:%M} Uhr"
