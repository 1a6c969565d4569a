"""Refusals of inquiries, and texts of the mail about one."""

from collections.abc import Mapping
from typing import Any

from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.mail_templates import Letter, render


def not_taken() -> Problem:
    return Problem(404, "no_inquiries", "Hier werden keine Anfragen angenommen.")


def full(retry_after_s: int) -> Problem:
    """Builds the refusal at the day's limit of all visitors together."""
    return Problem(
        429,
        "inquiries_full",
        "Gerade kommen zu viele Anfragen an. Bitte später noch einmal versuchen oder anrufen.",
        headers={"Retry-After": str(max(1, retry_after_s))},
    )


LABELS = {
    "anzahl": "Anzahl",
    "version": "Ausführung",
    "branding": "Branding",
    "kundenname": "Kundenname",
    "logo": "Logo (Dateiname)",
    "support": "Support",
    "hosting": "Hosting",
    "name": "Name",
    "email": "E-Mail",
    "nachricht": "Nachricht",
    "message": "Nachricht",
}
WORDS = {
    "wand": "Wandmontage",
    "quickfix": "QuickFix",
    "basis": "Basis",
    "premium": "Premium",
    "cloud": "Cloud",
    "local": "Lokal",
    True: "ja",
    False: "nein",
}
_CHOSEN = frozenset({"version", "branding", "support", "hosting"})


def subject(kind: str, fields: Mapping[str, Any]) -> str:
    """Returns the subject in one line, for any name."""
    if kind == "offer":
        count = fields["anzahl"]
        return f"Anfrage: Angebot über {count} {'Uhr' if count == 1 else 'Uhren'}"
    return f"Anfrage: Nachricht von {' '.join(fields['name'].split())}"


def letter(kind: str, fields: Mapping[str, Any], answer_to: str | None) -> Letter:
    """Builds the mail with every field. `answer_to`: the visitor's address for an answer, if given."""
    intro = "jemand möchte ein Angebot." if kind == "offer" else "jemand hat das Kontaktformular ausgefüllt."
    has_address = answer_to is not None
    answer = (
        f"Deine Antwort auf diese E-Mail geht an {answer_to}" if has_address else "Eine Adresse für die Antwort fehlt"
    )
    return render("inquiry", intro=intro, fields=_format_fields(fields), answer=answer)


def _format_fields(fields: Mapping[str, Any]) -> str:
    return "\n".join(_line(name, value) for name, value in fields.items() if not _is_blank(value))


def _line(name: str, value: Any) -> str:
    text = WORDS[value] if name in _CHOSEN else str(value).strip()
    separator = "\n" if "\n" in text else " "
    return f"{LABELS[name]}:{separator}{text}"


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()
