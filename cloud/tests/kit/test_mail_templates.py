"""Texts of mails: the same in text and in HTML, without external resources."""

import re
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest
import stempelwerk_cloud
from hatchling.builders.wheel import WheelBuilder
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from stempelwerk_cloud.kit import mail_templates
from stempelwerk_cloud.kit.mail_templates import render

FOLDER = Path(mail_templates.__file__).parent
MAILS: dict[str, list[dict[str, str | None]]] = {
    "login_code": [{"code": "123456", "username": "Anna Müller", "company": "Tischlerei Holzmann"}],
    "new_message": [
        {"username": "Anna Müller", "link": "https://zeit.example.org/"},
        {"username": "Anna Müller", "link": None},
    ],
    "test": [{"link": "https://zeit.example.org"}, {"link": None}],
    "month_export": [
        {
            "company": "Tischlerei Holzmann",
            "month": "Oktober 2026",
            "draft": draft,
            "brings": "Die Datei hängt an dieser E-Mail.",
            "link": link,
            "decline_link": "https://zeit.example.org/abmelden#gAAAAABp",
        }
        for draft, link in ((None, None), ("Das ist ein Entwurf.", "https://zeit.example.org/?a=1"))
    ],
    "support_reply": [
        {"subject": "Uhr ohne Ton", "answer": "Ist der Ton an?\n\nSonst melde dich.", "asked": "Sie piept nicht."}
    ],
    "alarm": [
        {
            "clock": clock,
            "company": "Tischlerei Holzmann",
            "words": "meldet sich nicht",
            "since": "26.11.2026, 14:05 Uhr",
            "until": valid_until,
            "lead": "es gibt einen Alarm:" if valid_until is None else "Entwarnung, das besteht nicht mehr:",
            "hint": None if valid_until else "Prüfe Strom und Netz der Uhr.",
            "link": link,
        }
        for clock, valid_until, link in (
            ("Werkstatt", None, "https://zeit.example.org/company-dashboard?tab=devices"),
            (None, "26.11.2026, 15:10 Uhr", None),
        )
    ],
    "rollout_stopped": [
        {
            "version": "1.6.0",
            "channel": "stable",
            "reason": "Leser gestört: 4 von 4 aktualisierten Uhren, 0 von 8 anderen.",
            "updated": "4",
            "size": "12",
            "link": link,
        }
        for link in ("https://zeit.example.org/admin?tab=updates", None)
    ],
    "inquiry": [
        {
            "intro": "jemand hat das Kontaktformular ausgefüllt.",
            "fields": "Name: Anna Müller\nNachricht:\nGuten Tag\n\nwas kostet das?",
            "answer": "Deine Antwort auf diese E-Mail geht an anna@holzmann.example",
        }
    ],
}
every_mail = pytest.mark.parametrize(
    ("name", "values"), [(name, values) for name, samples in MAILS.items() for values in samples]
)


class Read(HTMLParser):
    """The visible text of the page, with all mark-up."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags = "", list[tuple[str, dict[str, str | None]]]()
        self._unseen = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._unseen += tag in {"head", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in {"head", "style"}
        self.text += "\n"

    def handle_data(self, data: str) -> None:
        self.text += "" if self._unseen else data


def test_every_template_is_looked_at_here() -> None:
    forms = {path.name for path in FOLDER.iterdir() if path.suffix in {".txt", ".html"}}
    assert forms == {f"{name}.{form}" for name in MAILS for form in ("txt", "html")} | {"base.html"}


@every_mail
def test_both_forms_say_the_same(name: str, values: dict[str, str | None]) -> None:
    letter = render(name, **values)
    assert Read(letter.html).text.split() == letter.text.split()
    for value in values.values():
        assert value is None or value in letter.text


@every_mail
def test_the_text_is_written_for_a_reader(name: str, values: dict[str, str | None]) -> None:
    text = render(name, **values).text
    assert text.endswith(".\n")
    assert "\n\n\n" not in text
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)
    assert not re.search(r"[{}<>]|None", text)


@every_mail
def test_the_page_names_its_language_follows_light_and_dark_and_fetches_nothing(
    name: str, values: dict[str, str | None]
) -> None:
    html = render(name, **values).html
    tags = Read(html).tags
    assert ("html", {"lang": "de"}) in tags
    assert "prefers-color-scheme: dark" in html
    assert {tag for tag, _ in tags}.isdisjoint({"img", "script", "link", "iframe", "object", "form", "table"})
    assert not re.search(r"url\(|@import|src=", html)
    assert {attributes["href"] for tag, attributes in tags if tag == "a"} <= set(values.values())


@every_mail
def test_a_missing_value_of_a_template_is_an_error(name: str, values: dict[str, str | None]) -> None:
    for missing in values:
        with pytest.raises(UndefinedError):
            render(name, **{key: value for key, value in values.items() if key != missing})


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Z"]), min_size=1))
def test_whatever_people_are_called_it_is_text(name: str) -> None:
    letter = render("login_code", code="123456", username=f"<b>{name}", company=f"&amp;{name}'\"")
    read = Read(letter.html)
    assert {tag for tag, _ in read.tags} == {"html", "head", "meta", "title", "style", "body", "main", "p"}
    assert read.text.split() == letter.text.split()
    assert f"Hallo <b>{name}," in letter.text


def test_the_wheel_has_them(tmp_path: Path) -> None:
    (built,) = WheelBuilder(str(Path(stempelwerk_cloud.__file__).parents[1])).build(directory=str(tmp_path))
    names = ZipFile(built).namelist()
    assert version("stempelwerk-cloud") in built
    for path in FOLDER.iterdir():
        if path.suffix in {".txt", ".html"}:
            assert f"stempelwerk_cloud/kit/mail_templates/{path.name}" in names
