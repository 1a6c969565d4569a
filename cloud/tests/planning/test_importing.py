"""The import of people: each refusal with its sentence, all or nothing, and the created people."""

import io
import os
import random
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from fastapi.testclient import TestClient
from httpx2 import Response
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from sqlalchemy import func, select
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import checking, places, sheets
from stempelwerk_cloud.kit.files.rewriting.jobs import CSV
from stempelwerk_cloud.kit.http.idempotency import StoredAnswer
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.people.directory.tables import PersonValue, TagHolding, User
from stempelwerk_cloud.planning.importing import lines, words

from cloud.tests.databases import ON_BOTH
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.farm import farm
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm, Somebody, World

HEAD = "username;tagId;role;personnelNumber;department;entryDate;weeklyTargetMinutes;password"
WHOLE = f"{HEAD}\r\nCarla;04:AB:CD:EF;user;00123;Büro;01.03.2026;2310;{PASSWORD}\r\nDirk;04ABCDE0;companyAdmin;;;;;\r\n"


def _send(sender: Somebody, firm: Firm, content: bytes | str, *, name: str = "leute.csv", **fields: Any) -> Response:
    file = content.encode() if isinstance(content, str) else content
    return sender.post(f"/api/companies/{firm.id}/users/import", files={"file": (name, file)}, **fields)


def _errors(answer: Response) -> dict[int, list[str]]:
    assert answer.status_code == 422, answer.text
    assert answer.json()["created"] == []
    return {row["line"]: row["errors"] for row in answer.json()["rows"]}


def _names(firm: Firm) -> list[str]:
    return [row["username"] for row in firm.boss.get(f"/api/companies/{firm.id}/users").json()]


def _lines(content: bytes) -> list[dict[str, Any]]:
    """Returns the lines of a table, without a service."""
    with Path(os.devnull).open("rb") as place:
        return [dict(line.values) for line in lines.read(sheets.read(SubprocessPool(), content, place))]


def _lines_or_sentence(content: bytes) -> list[dict[str, Any]] | str:
    """Returns the same, or the sentence of its refusal; no other error is raised."""
    try:
        return _lines(content)
    except Problem as refused:
        return refused.message if refused.status == 422 else ""


TOO_WIDE = (
    "Die Datei hat zu viele Spalten (höchstens 64). Bitte die überzähligen Spalten löschen und noch einmal hochladen."
)


def _workbook(*rows: list[Any], formats: dict[str, str] | None = None) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for cell, form in (formats or {}).items():
        sheet[cell].number_format = form
    return _saved(book)


def _sheets(**rows_of_sheet: list[list[Any]]) -> bytes:
    """Returns a workbook with these sheets; one whose name begins with `_` is hidden."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in rows_of_sheet.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        if name.startswith("_"):
            sheet.sheet_state = "hidden" if len(name) % 2 else "veryHidden"
    return _saved(book)


def _saved(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _sentence(content: bytes) -> str:
    """Returns the sentence of the refusal of a whole table."""
    with pytest.raises(Problem) as refused:
        _lines(content)
    return refused.value.message


def _errors_of(content: bytes) -> dict[int, list[str]]:
    """Returns by line the sentences that the table itself is refused with, without a service."""
    with Path(os.devnull).open("rb") as place:
        return {line.number: line.errors for line in lines.read(sheets.read(SubprocessPool(), content, place))}


@pytest.fixture(scope="module", autouse=True)
def forked() -> Iterator[None]:
    """Texts are read in processes that are forked rather than started: there are hundreds of them."""
    started = checking.run
    with farm() as text_farm, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            checking,
            "run",
            lambda pool, content, kind, *descriptors: (
                text_farm.look(content, kind) if kind == CSV else started(pool, content, kind, *descriptors)
            ),
        )
        yield


# -- who may, and what is refused


def test_only_administrators_with_the_module_import_and_into_no_other_company(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert _send(firm.anna, firm, WHOLE).status_code == 403
    assert _send(other_firm.boss, firm, WHOLE).status_code == 404
    assert world.client.post(f"/api/companies/{firm.id}/users/import").status_code == 401
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    assert _names(firm) == ["anna", "ben", "chefin"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Die Datei ist leer."),
        (b"\r\n\r\n", "Die Datei ist leer."),
        (b"\xef\xbb\xbf", "Unter der Kopfzeile steht niemand."),
        (HEAD.encode(), "Unter der Kopfzeile steht niemand."),
        (b"username;Farbe\r\na;b", "Die Spalte „Farbe“ ist unbekannt."),
        (b"username;role\r\na;b", "In der Kopfzeile fehlt die Spalte „tagId“."),
        (b"tagId\r\n04ABCDEF", "In der Kopfzeile fehlt die Spalte „username“."),
        (b"Name;Benutzername;Chip\r\na;b;c", "Die Spalte „Benutzername“ steht doppelt da."),
        (b"Name;Chip;Sollminuten;Wochenstunden\r\na;b;1;1", "Die Spalte „Wochenstunden“ steht doppelt da."),
        (b'username;tagId\r\n"a;b', "Die Datei ist nicht lesbar: Anführungszeichen oder Trennzeichen passen nicht."),
        (b"a\0b", "Die Datei ist weder CSV noch XLSX, oder ihre Zeichen sind nicht lesbar."),
        (b"\xff\xfe\x00", "Die Datei ist weder CSV noch XLSX, oder ihre Zeichen sind nicht lesbar."),
        (b"\x81\x8d", "Die Datei ist weder CSV noch XLSX, oder ihre Zeichen sind nicht lesbar."),
        (b"\xd0\xcf\x11\xe0alt", "Bitte ohne Passwort als XLSX oder CSV speichern und noch einmal hochladen."),
        (b"PK\x03\x04nothing", "Die Datei ist beschädigt oder nicht lesbar."),
        (b"username;tagId" + b"\r\na;b" * 2001, "Die Datei hat zu viele Zeilen (höchstens 2.000)."),
        (b";" * 1_900_000, TOO_WIDE),
        (b";" * 64, TOO_WIDE),
        (b"username;tagId\r\na;b" + b";" * 63, TOO_WIDE),
    ],
)
def test_a_file_that_is_no_table_is_refused_by_its_sentence(firm: Firm, content: bytes, sentence: str) -> None:
    refused = _send(firm.boss, firm, content)
    assert (refused.status_code, refused.json()["message"]) == (422, sentence)
    assert (refused.json()["rows"], refused.json()["created"]) == ([], [])


def test_a_workbook_with_a_65th_column_is_refused_and_one_with_formats_alone_there_is_read() -> None:
    rows = [["username", "tagId"], ["a", "04ABCDEF"]]
    assert _sentence(_sheets(Leute=rows, Breit=[["x"] * 65])) == TOO_WIDE
    assert [line["username"] for line in _lines(_workbook(*rows, formats={"DA2": "0.00"}))] == ["a"]


def test_64_columns_are_read_of_a_text_and_of_a_workbook() -> None:
    wide = [*["username", "tagId"], *[f"Spalte {number}" for number in range(62)]]
    for content in (";".join(wide).encode(), _sheets(Leute=[wide])):
        assert _sentence(content) == "Die Spalte „Spalte 0“ ist unbekannt."


@pytest.mark.parametrize("signal", [6, 9, 24])
def test_a_text_whose_process_dies_is_refused(firm: Firm, monkeypatch: pytest.MonkeyPatch, signal: int) -> None:
    monkeypatch.setattr(checking, "run", lambda *_: (-signal, b""))
    refused = _send(firm.boss, firm, HEAD)
    assert (refused.status_code, refused.json()["code"]) == (422, "file_too_complex")
    assert "auf mehrere Dateien aufteilen" in refused.json()["message"]


def test_while_the_service_ends_a_table_is_refused_as_busy(platform: Platform, firm: Firm) -> None:
    platform.subprocesses.end()
    refused = _send(firm.boss, firm, _workbook(["username", "tagId"]))
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")


def test_more_than_two_megabytes_and_no_file_at_all_are_refused(firm: Firm) -> None:
    large = _send(firm.boss, firm, b"x" * (2 * 1024 * 1024 + 1))
    assert (large.status_code, large.json()["message"]) == (413, "Die Datei ist zu groß (höchstens 2 MB).")
    assert firm.boss.post(f"/api/companies/{firm.id}/users/import", json={}).status_code == 422


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (";04ABCDEF;;;;;;", "Bitte einen Benutzernamen eingeben."),
        (f"{'x' * 101};04ABCDEF;;;;;;", "Zu lang: höchstens 100 Zeichen, und manches Schriftzeichen zählt mehrfach."),
        ("anna;04ABCDEF;;;;;;", "Dieser Benutzername ist in der Firma bereits vergeben."),
        ("ANNA\u200b;04ABCDEF;;;;;;", "Dieser Benutzername ist in der Firma bereits vergeben."),
        ("c;;;;;;;", "Bitte eine Tag-ID eingeben."),
        (
            "c;04ABC;;;;;;",
            "Die Tag-ID ist ungültig: Der Chip hat 4, 7 oder 10 Bytes, erlaubt sind A–Z, 0–9, Punkt und _.",
        ),
        ("c;founder;;;;;;", "Die Tag-ID FOUNDER ist reserviert."),
        ("c;I:T;;;;;;", "Die Tag-ID IT ist reserviert."),
        ("c;04-A1-B2-C3;;;;;;", "Dieser Chip ist bereits einer anderen Person zugeordnet."),
        (
            "c;04ABCDEF;admin;;;;;",
            "Die Rolle ist unbekannt: Es gibt Mitarbeiter (user) und Firmen-Admin (companyAdmin).",
        ),
        ("c;04ABCDEF;;12a;;;;", "Die Personalnummer besteht aus höchstens 20 Ziffern."),
        (f"c;04ABCDEF;;{'1' * 21};;;;", "Die Personalnummer besteht aus höchstens 20 Ziffern."),
        (f"c;04ABCDEF;;;{'x' * 101};;;", "Die Abteilung ist zu lang (höchstens 100 Zeichen)."),
        ("c;04ABCDEF;;;;31.02.2026;;", "Das Eintrittsdatum ist kein Tag. Bitte wie 01.03.2026 schreiben."),
        ("c;04ABCDEF;;;;1.3.26;;", "Das Eintrittsdatum ist kein Tag. Bitte wie 01.03.2026 schreiben."),
        ("c;04ABCDEF;;;;0001-01-01;;", "Das Eintrittsdatum ist kein Tag. Bitte wie 01.03.2026 schreiben."),
        ("c;04ABCDEF;;;;;38,5;", "Die Sollminuten sind eine ganze Zahl von 0 bis 10080."),
        ("c;04ABCDEF;;;;;10081;", "Die Sollminuten sind eine ganze Zahl von 0 bis 10080."),
        ("c;04ABCDEF;;;;;-1;", "Die Sollminuten sind eine ganze Zahl von 0 bis 10080."),
        ("c;04ABCDEF;;;;;;kurz", "Das Passwort muss mindestens 8 Zeichen haben."),
        (f"c;04ABCDEF;;;;;;{'x' * 257}", "Das Passwort darf höchstens 256 Zeichen haben."),
        ("=1+1;04ABCDEF;;;;;;", "Formeln werden nicht gelesen. Bitte den Wert selbst eintragen."),
        ("c;04ABCDEF;;;;;;;mehr", "Die Zeile hat mehr Spalten als die Kopfzeile."),
        (
            '"c\nd";04ABCDEF;;;;;;',
            "Die Zeile enthält Zeichen, die hier nicht stehen können, zum Beispiel einen Zeilenumbruch.",
        ),
        (
            "c\x07;04ABCDEF;;;;;;",
            "Die Zeile enthält Zeichen, die hier nicht stehen können, zum Beispiel einen Zeilenumbruch.",
        ),
    ],
)
def test_a_bad_line_is_told_by_its_number_and_sentence_and_nobody_is_made(
    firm: Firm, cells: str, sentence: str
) -> None:
    refused = _send(firm.boss, firm, f"{HEAD}\r\ngut;04ABCDE1;;;;;;\r\n\r\n{cells}\r\n")
    assert _errors(refused) == {2: [], 4: [sentence]}
    assert refused.json()["message"] == "In einer Zeile stimmt etwas nicht. Es wurde niemand angelegt."
    assert _names(firm) == ["anna", "ben", "chefin"]


def test_every_error_of_a_line_is_told_at_once(firm: Firm) -> None:
    refused = _send(firm.boss, firm, f"{HEAD}\n;Ä;chef;;;gestern;viel;kurz")
    assert len(_errors(refused)[2]) == 6


def test_what_stands_twice_in_the_file_names_the_earlier_line(firm: Firm) -> None:
    refused = _send(firm.boss, firm, "Name;Chip\nclara;04ABCDE1\nCLARA ;04ABCDE2\ndirk;04:ab:cd:e1\n")
    assert _errors(refused) == {
        2: [],
        3: ["Der Benutzername steht schon in Zeile 2."],
        4: ["Die Tag-ID steht schon in Zeile 2."],
    }


NUMBER_CELL = (
    "Die Tag-ID steht in der Tabelle als Zahl oder Datum, nicht als Text: Stellen des Chips können fehlen. Bitte die "
    "Spalte als Text formatieren und die Tag-ID neu eingeben."
)


def test_a_tag_that_a_workbook_holds_as_a_number_or_a_time_is_refused_by_its_line() -> None:
    """12345E03 has become 12345000, and 20120304 may have been a day."""
    typed: list[Any] = [12345678, 12345000, 1.41122334455667e19, date(2012, 3, 4), time(4, 12, 33), True]
    errors = _errors_of(
        _workbook(["Name", "Chip"], ["a", "04ABCDE1"], *[[f"p{i}", tag] for i, tag in enumerate(typed)])
    )
    assert errors == {2: [], **{line: [NUMBER_CELL] for line in range(3, 9)}}


@pytest.mark.parametrize(
    "tag", ["1,2345E+07", "1.2345E+07", "12.345.678", "12345678,00", "1411223344556670000", "0x04A1"]
)
def test_a_tag_of_a_text_that_a_spreadsheet_damaged_is_refused_by_its_line(firm: Firm, tag: str) -> None:
    for content in (
        f"Name;Chip\na;04ABCDE1\nb;{tag}\n".encode(),
        _workbook(["Name", "Chip"], ["a", "04ABCDE1"], ["b", tag]),
    ):
        for dry_run in ("false", "true"):
            errors = _errors(_send(firm.boss, firm, content, params={"dryRun": dry_run}))
            assert errors[2] == []
            assert ["Tabellenprogramme" in each or "Das 0x" in each for each in errors[3]] == [True]
    assert _names(firm) == ["anna", "ben", "chefin"]


@pytest.mark.parametrize("tag", ["08A1B2C3", "88:A1:B2:C3"])
def test_a_tag_that_no_clock_takes_is_refused_by_its_line(firm: Firm, tag: str) -> None:
    for dry_run in ("false", "true"):
        content = f"Name;Chip\na;08A1B2C3D4E5F6\nb;{tag}\n".encode()
        errors = _errors(_send(firm.boss, firm, content, params={"dryRun": dry_run}))
        assert errors[2] == []
        assert ["Keine Uhr nimmt diese Tag-ID" in each for each in errors[3]] == [True]
    assert _names(firm) == ["anna", "ben", "chefin"]


@ON_BOTH
def test_a_password_that_is_guessed_first_is_refused_by_its_line(firm: Firm) -> None:
    given_passwords = ["nasser Hund", "", "passwort1", "Carla K. 1", "Stempelwerk", f"{firm.name}!"]
    names = ["a", "b", "c", "Carla K.", "e", "f"]
    lines = [
        f"{name};04ABCDE{index};{word}" for index, (name, word) in enumerate(zip(names, given_passwords, strict=True))
    ]
    for dry_run in ("false", "true"):
        content = "\n".join(["Name;Chip;Passwort", *lines])
        errors = _errors(_send(firm.boss, firm, content, params={"dryRun": dry_run}))
        assert errors == {2: [], 3: []} | {line: [passwords.GUESSABLE.sentence] for line in range(4, 8)}
    assert _names(firm) == ["anna", "ben", "chefin"]


def test_a_hexadecimal_number_with_an_e_is_a_chip_in_a_text_and_in_a_text_cell() -> None:
    expected = [{"username": "a", "tagId": "12345E03"}]
    assert _lines(b"Name;Chip\na;12345E03") == _lines(_workbook(["Name", "Chip"], ["a", "12345E03"])) == expected


def test_a_personnel_number_that_stands_twice_is_refused_whatever_its_zeros() -> None:
    rows = [
        ["Name", "Chip", "Personalnummer"],
        ["a", "04ABCDE1", "0042"],
        ["b", "04ABCDE2", "43"],
        ["c", "04ABCDE3", 42],
    ]
    sentence = "Die Personalnummer steht schon in Zeile 2. Führende Nullen zählen nicht mit: 0042 ist 42."
    expected: dict[int, list[str]] = {2: [], 3: [], 4: [sentence]}
    text = "\n".join(";".join(map(str, row)) for row in rows).encode()
    assert _errors_of(text) == _errors_of(_workbook(*rows)) == expected


def test_a_personnel_number_of_somebody_who_is_there_is_refused_and_that_of_somebody_deleted_is_free(
    world: World, firm: Firm
) -> None:
    other_firm = world.firm("Andere")
    for boss, user, number in (
        (firm.boss, firm.anna, "0042"),
        (firm.boss, firm.ben, "7"),
        (other_firm.boss, other_firm.anna, "8"),
    ):
        assert boss.put(f"/api/users/{user.id}/employment", json={"personnelNumber": number}).status_code == 200
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    table = "Name;Chip;Personalnummer\na;04ABCDE1;42\nb;04ABCDE2;7\nc;04ABCDE3;8\n"
    sentence = "Die Personalnummer hat schon anna. Führende Nullen zählen nicht mit: 0042 ist 42."
    for dry_run in ("true", "false"):
        answer = _send(firm.boss, firm, table, params={"dryRun": dry_run})
        assert _errors(answer) == {2: [sentence], 3: [], 4: []}
    assert _send(firm.boss, firm, table.replace(";42", ";41")).status_code == 201


LIST = [["Name", "Chip"], ["a", "04ABCDE1"]]
OTHER_LIST = [["Chip", "Name", "Rolle"], ["04ABCDE2", "b", "user"]]
SUMMARY = [["Übersicht", None], ["Personen", 1], ["Chip", "ja"]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            _sheets(Büro=LIST, Lager=OTHER_LIST, Werk=LIST),
            "Die Datei hat mehrere Blätter mit einer Liste: „Büro“, „Lager“ und „Werk“. Bitte jede Liste als eigene "
            "Datei hochladen.",
        ),
        (
            _sheets(Übersicht=SUMMARY, _Leute=LIST),
            "Die Liste steht auf dem ausgeblendeten Blatt „_Leute“. Bitte einblenden und noch einmal hochladen.",
        ),
        (
            _sheets(Leer=[], _Liste=LIST),
            "Die Liste steht auf dem ausgeblendeten Blatt „_Liste“. Bitte einblenden und noch einmal hochladen.",
        ),
        (_sheets(Übersicht=SUMMARY), "Die Spalte „Übersicht“ ist unbekannt."),
        (_sheets(Vorlage=LIST[:1], Andere=OTHER_LIST[:1]), "Unter der Kopfzeile steht niemand."),
        (_sheets(Leer=[]), "Unter der Kopfzeile steht niemand."),
        (
            b"Karl;04ABCDE0\nName;Chip\na;04ABCDE1\n",
            "Die Kopfzeile steht erst in Zeile 2. Bitte die Zeilen darüber löschen und noch einmal hochladen.",
        ),
        (b"Name;;Chip\na;;04ABCDE1\n", "In der Kopfzeile hat die 2. Spalte keine Überschrift."),
        (
            _sheets(Übersicht=SUMMARY, Leute=LIST + [["a", "b"]] * 2001),
            "Die Datei hat zu viele Zeilen (höchstens 2.000).",
        ),
    ],
)
def test_a_table_of_which_a_list_could_be_left_out_is_refused_by_its_sentence(content: bytes, sentence: str) -> None:
    assert _sentence(content) == sentence


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_whatever_a_text_file_holds_it_is_read_or_refused_by_a_sentence(data: st.DataObject) -> None:
    cells = st.text(st.characters(codec="utf-8"), max_size=12)
    rows = st.lists(st.lists(cells, max_size=9), max_size=6)
    text = "\n".join([data.draw(st.sampled_from([HEAD, "Name,Tag", ""])), *map(";".join, data.draw(rows))])
    encoded = text.encode(data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])))
    cut = data.draw(st.integers(0, len(encoded)))
    for content in (encoded, encoded[:cut], data.draw(st.binary(max_size=60))):
        assert _lines_or_sentence(content)


@pytest.mark.parametrize("seed", range(12))
def test_a_workbook_that_was_damaged_anywhere_is_read_or_refused_by_a_sentence(seed: int) -> None:
    chance = random.Random(seed)
    content = bytearray(_workbook(["Name", "Chip"], ["clara", "04ABCDE1"]))
    for _ in range(20):
        content[chance.randrange(4, len(content))] = chance.randrange(256)
    assert _lines_or_sentence(bytes(content))


def test_a_zip_that_is_no_workbook_is_refused(firm: Firm) -> None:
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("a.txt", "a")
    assert _send(firm.boss, firm, plain.getvalue()).json()["code"] == "file_damaged"


@pytest.mark.parametrize(
    ("repeated", "times", "code"),
    [
        (b"x" * 1_000_000, 600, "file_too_complex"),
        (b'</t></is></c><c t="inlineStr"><is><t>' * 20_000, 200, "file_too_complex"),
        (b'</t></is></c></row><row><c t="inlineStr"><is><t>x', 2002, "file_too_many_rows"),
    ],
    ids=["one cell", "many cells", "many rows"],
)
def test_a_workbook_that_grows_when_it_is_opened_is_refused(repeated: bytes, times: int, code: str) -> None:
    bomb = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(_workbook(["Name", "Chip"]))) as good,
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in good.namelist():
            if "sheet1" not in name:
                archive.writestr(name, good.read(name))
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            part.write(b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>')
            part.write(b'<row><c t="inlineStr"><is><t>')
            for _ in range(times):
                part.write(repeated)
            part.write(b"</t></is></c></row></sheetData></worksheet>")
    assert len(bomb.getvalue()) < sheets.MOST_BYTES
    with pytest.raises(Problem) as refused:
        _lines(bomb.getvalue())
    assert (refused.value.status, refused.value.code) == (422, code)


# -- what it makes


PREVIEW = [
    {
        "line": 2,
        "username": "Carla",
        "errors": [],
        "tagId": "04ABCDEF",
        "role": "user",
        "personnelNumber": "00123",
        "department": "Büro",
        "entryDate": "2026-03-01",
        "weeklyTargetMinutes": 2310,
    },
    {
        "line": 3,
        "username": "Dirk",
        "errors": [],
        "tagId": "04ABCDE0",
        "role": "companyAdmin",
        "personnelNumber": None,
        "department": None,
        "entryDate": None,
        "weeklyTargetMinutes": None,
    },
]


def test_a_dry_run_names_what_the_import_then_makes_and_makes_nobody(firm: Firm) -> None:
    dry = {"params": {"dryRun": "true"}}
    good, bad = _send(firm.boss, firm, WHOLE, **dry), _send(firm.boss, firm, f"{WHOLE}anna;04ABCDE9;;;;;;", **dry)
    assert (good.status_code, good.json()) == (
        200,
        {"rows": PREVIEW, "created": []},
    )
    assert [row["username"] for row in bad.json()["rows"]] == ["Carla", "Dirk", "anna"]
    assert bad.json()["rows"][0] == PREVIEW[0]
    assert _errors(bad) == _errors(_send(firm.boss, firm, f"{WHOLE}anna;04ABCDE9;;;;;;"))
    assert _names(firm) == ["anna", "ben", "chefin"]


def test_everything_that_the_table_says_is_so_afterwards(client: TestClient, firm: Firm) -> None:
    answer = _send(firm.boss, firm, WHOLE)
    assert answer.status_code == 201, answer.text
    assert answer.json()["rows"] == PREVIEW
    carla, dirk = answer.json()["created"]
    assert (carla["username"], carla["password"], dirk["username"]) == ("Carla", None, "Dirk")
    rows = {row["username"]: row for row in firm.boss.get(f"/api/companies/{firm.id}/users").json()}
    assert (rows["Carla"]["tagId"], rows["Carla"]["role"]) == ("04ABCDEF", "user")
    assert (rows["Dirk"]["tagId"], rows["Dirk"]["role"]) == ("04ABCDE0", "companyAdmin")
    employment = firm.boss.get(f"/api/users/{carla['userId']}/employment").json()
    stored = {name: employment[name] for name in ("personnelNumber", "department", "entryDate")}
    assert stored == {"personnelNumber": "00123", "department": "Büro", "entryDate": "2026-03-01"}
    targets = firm.boss.get(f"/api/companies/{firm.id}/employee-weekly-targets").json()
    assert {row["username"]: row["weeklyTargetMinutes"] for row in targets}["Carla"] == 2310
    login = {"company": firm.name, "username": "carla", "password": PASSWORD}
    assert client.post("/api/login", json=login).json()["userId"] == carla["userId"]
    assert PASSWORD not in answer.text


def test_a_password_that_was_made_opens_only_the_choice_of_another_for_fourteen_days(
    client: TestClient, firm: Firm, clock: SettableClock
) -> None:
    created = _send(firm.boss, firm, "Name;Chip\nclara;04ABCDE1\ndirk;04ABCDE2\n").json()["created"]
    assert len({user["password"] for user in created}) == 2
    clock.advance(days=13, hours=23)
    credentials = {"company": firm.name, "username": "clara", "password": created[0]["password"]}
    going_on = client.post("/api/login", json=credentials).json()
    assert (going_on["next"], "token" in going_on) == ("password_change", False)
    change_body = {"temp_token": going_on["temp_token"], "newPassword": "ein eigenes Passwort"}
    assert client.post("/api/auth/password-change", json=change_body).json()["userId"] == created[0]["userId"]
    clock.advance(hours=1)
    late = {"company": firm.name, "username": "dirk", "password": created[1]["password"]}
    assert client.post("/api/login", json=late).status_code == 401


def test_each_person_is_a_decision_in_the_audit_log(firm: Firm) -> None:
    assert _send(firm.boss, firm, WHOLE).status_code == 201
    log = firm.boss.get(f"/api/companies/{firm.id}/audit").json()[:4]
    logged_rows = [(row["action"], row["subjectName"], row["actorName"]) for row in log]
    assert logged_rows == [
        ("hours.target", "Carla", "chefin"),
        ("employment.changed", "Carla", "chefin"),
        ("user.created", "Dirk", "chefin"),
        ("user.created", "Carla", "chefin"),
    ]
    assert log[3]["after"] == {"username": "Carla", "role": "user", "tag": "04ABCDEF"}


def test_two_imports_of_one_table_at_once_make_everybody_once(platform: Platform, world: World, firm: Firm) -> None:
    second = world.user(firm.id, "zweite Chefin", "companyAdmin")
    answers = all_at_once(
        platform, *[lambda sender=sender: _send(sender, firm, WHOLE) for sender in (firm.boss, second)]
    )
    assert sorted(answer.status_code for answer in answers) == [201, 422]
    (refused,) = [answer for answer in answers if answer.status_code == 422]
    assert [len(errors) for errors in _errors(refused).values()] == [3, 2]  # name and chip, and a personnel number
    assert len(_names(firm)) == 6


def test_the_same_key_makes_everybody_once_and_answers_the_same_passwords_which_nobody_can_read_in_the_database(
    platform: Platform, firm: Firm
) -> None:
    key = {"headers": {"Idempotency-Key": "leute-1"}}
    table = "Name;Chip\nclara;04ABCDE1\n"
    first, repeated = _send(firm.boss, firm, table, **key), _send(firm.boss, firm, table, **key)
    assert (first.status_code, repeated.status_code, first.json()) == (201, 201, repeated.json())
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalar(select(func.count()).select_from(User).where(User.username == "clara")) == 1
        (stored_body,) = tx.scalars(select(StoredAnswer.body))
    assert first.json()["created"][0]["password"].encode() not in stored_body
    assert _send(firm.boss, firm, "Name;Chip\ndirk;04ABCDE2\n", **key).json()["code"] == "idempotency_key_reused"


def test_the_same_key_twice_at_once_makes_everybody_once_and_both_get_the_same_passwords(
    platform: Platform, firm: Firm
) -> None:
    key = {"Idempotency-Key": "leute-2"}
    calls = [lambda: _send(firm.boss, firm, "Name;Chip\nclara;04ABCDE1\n", headers=key)] * 2
    first, second = all_at_once(platform, *calls)
    assert (first.status_code, second.status_code, first.json()) == (201, 201, second.json())
    assert len(_names(firm)) == 4


def test_a_tag_begins_as_if_it_were_given_one_by_one(platform: Platform, firm: Firm, clock: SettableClock) -> None:
    """A first holder's holding has no start; for a tag that was held before, or has waiting stamps, it starts now."""
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    ports.TAG_WAITING.provide(platform, lambda _session, _company_id, tag: tag == "04ABCDE2")
    assert _send(firm.boss, firm, "Name;Chip\nben;04D4E5F6\nclara;04ABCDE1\ndirk;04ABCDE2\n").status_code == 201
    with platform.database.read(SYSTEM) as tx:
        holdings = select(TagHolding.tag, TagHolding.held_from).where(TagHolding.held_until.is_(None))
        begun = {row.tag: row.held_from for row in tx.execute(holdings.where(TagHolding.company_id == firm.id))}
    assert begun["04ABCDE1"] is None
    assert begun["04D4E5F6"] == begun["04ABCDE2"] == clock.now()


def test_more_people_than_are_told_of_at_once_are_made_alike(
    platform: Platform, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "hash_password", lambda _: "unusable")
    table = "Name;Chip;Abteilung;Sollminuten\n" + "".join(f"p{i};04{i:06X};A;{i}\n" for i in range(120))
    created = _send(firm.boss, firm, table).json()["created"]
    assert len(created) == 120
    with platform.database.read(SYSTEM) as tx:
        count = select(func.count()).select_from(PersonValue).where(PersonValue.company_id == firm.id)
        assert tx.scalar(count) == 240


# -- how a table may be written


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252", "cp850", "mac-roman"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"])
def test_csv_is_read_however_excel_writes_it(encoding: str, separator: str, ending: str) -> None:
    text = ending.join([separator.join(("Chip", "Name")), separator.join(('"04 AB CD E1"', '"Jörg ""Jo"" Weiß"')), ""])
    assert _lines(text.encode(encoding)) == [{"username": 'Jörg "Jo" Weiß', "tagId": "04ABCDE1"}]


@pytest.mark.parametrize("name", ["Horváth", "O’Brien", "„Jo“ Sánchez", "Miloš", "Øystein", "André"])
def test_a_name_of_elsewhere_stays_as_windows_writes_it(name: str) -> None:
    assert _lines(f"Name;Tag\n{name};04ABCDE1".encode("windows-1252"))[0]["username"] == name


def test_big_endian_text_and_a_line_that_names_the_separator_are_read() -> None:
    expected = [{"username": "a", "tagId": "04ABCDE1"}]
    assert _lines(b"\xfe\xff" + "Name;Tag\na;04ABCDE1".encode("utf-16-be")) == expected
    commas = b"Name;Tag;Abteilung\ra;04ABCDE1;Lager, Versand, Hof, Fuhrpark"
    assert _lines(commas)[0]["department"] == "Lager, Versand, Hof, Fuhrpark"
    assert _lines(b"sep=|\r\nName|Tag\r\na|04ABCDE1") == expected


def test_german_heads_roles_days_and_hours_are_understood() -> None:
    head = "BENUTZERNAME;Tag-ID;Rolle;Personal-Nummer;Abteilung;Eintrittsdatum;Wochenstunden;Passwort"
    rows = ["a;04ABCDE1;Firmen-Admin;7;;2026-03-01;38,5;", "b;04ABCDE2;Mitarbeiterin;;;1.3.2026;38:30;", "c;04ABCDE3"]
    read = _lines("\n".join([head, *rows]).encode())
    assert [line["role"] for line in read] == ["companyAdmin", "user", "user"]
    assert [line["entryDate"] for line in read] == [date(2026, 3, 1), date(2026, 3, 1), None]
    assert [line["weeklyHours"] for line in read] == [2310, 2310, None]


def test_a_workbook_is_read_as_people_fill_it_in() -> None:
    head = ["Name", "Chip", "Personalnummer", "Eintritt", "Wochenstunden", None]
    content = _workbook(
        head,
        ["Jörg", "04:AB:CD:E1", 123, datetime(2026, 3, 1), 38.5, None],  # noqa: DTZ001 -- as a workbook has it
        [None, None],
        ["Eva", "12345678", 7.0, date(2026, 3, 1), timedelta(hours=38, minutes=30), None],
        ["Udo", "04ABCDE2", "007", "01.03.2026", time(8, 30), None],
        formats={"C2": "00000", "E4": "[h]:mm"},
    )
    joerg, eva, udo = _lines(content)
    assert (joerg["personnelNumber"], joerg["entryDate"], joerg["weeklyHours"]) == ("00123", date(2026, 3, 1), 2310)
    assert (eva["tagId"], eva["personnelNumber"], eva["weeklyHours"]) == ("12345678", "7", 2310)
    assert (udo["personnelNumber"], udo["entryDate"]) == ("007", date(2026, 3, 1))


WANTED = [{"username": "a", "tagId": "04ABCDE1"}]


@pytest.mark.parametrize(
    "content",
    [
        _sheets(Übersicht=SUMMARY, Leute=LIST),
        _sheets(_Alt=OTHER_LIST, Leute=LIST),
        _sheets(__Alt=OTHER_LIST, Leute=LIST),
        _sheets(Leer=[], Leute=LIST, Hinweise=[["Bitte ausfüllen"]], Vorlage=OTHER_LIST[:1]),
        _sheets(Zahlen=[["x"] * 3] * 2500, Leute=LIST),
    ],
    ids=["summary first", "hidden first", "very hidden first", "others around", "a long sheet first"],
)
def test_the_one_visible_list_of_a_workbook_is_read_wherever_it_stands(firm: Firm, content: bytes) -> None:
    assert _lines(content) == WANTED
    dry = _send(firm.boss, firm, content, params={"dryRun": "true"})
    assert (dry.status_code, [row["username"] for row in dry.json()["rows"]]) == (200, ["a"])


@pytest.mark.parametrize("title", [[], ["Unsere Leute, Stand: März; vorläufig"], [None, None, "Liste"]])
def test_a_list_that_begins_at_b3_below_a_title_or_none_is_read_with_its_own_numbers(title: list[Any]) -> None:
    rows = [title, [], [None, "Name", "Chip"], [None, "a", "04ABCDE1"], [], ["x", "b", "04ABCDE2"]]
    left_sentence = "Links neben der Liste steht etwas in dieser Zeile. Bitte löschen, was nicht dazugehört."
    as_cells = [[str(cell or "") for cell in row] for row in rows]
    quoted = "\r\n".join(";".join(f'"{cell}"' for cell in row + [""] * (3 - len(row))) for row in as_cells)
    for content in (_workbook(*rows), quoted.encode()):
        assert _errors_of(content) == {4: [], 6: [left_sentence]}
        assert _lines(content)[0] == WANTED[0]


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\ufeff", "\ufeff\ufeff\ufeff"])
def test_byte_order_marks_are_no_part_of_a_table_however_many_there_are(mark: str) -> None:
    for text in ("Name;Chip\na;04ABCDE1", '"Name";"Chip"\n"a";"04ABCDE1"', "sep=;\r\nName;Chip\r\na;04ABCDE1"):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            assert _lines((mark + text).encode(encoding)) == WANTED
    assert _lines(_workbook([f"{mark}Name", "Chip"], ["a", f"{mark}04ABCDE1"])) == WANTED


def test_formulas_of_a_workbook_are_refused_by_their_line(firm: Firm) -> None:
    refused = _send(firm.boss, firm, _workbook(["Name", "Chip"], ["a", "04ABCDE1"], ["=A2", "04ABCDE2"]), name="l.xlsx")
    assert _errors(refused) == {2: [], 3: ["Formeln werden nicht gelesen. Bitte den Wert selbst eintragen."]}
    assert _send(firm.boss, firm, _workbook(["Name", "Chip"], ["a", "04ABCDE1"])).status_code == 201


# -- one table does not block others


def test_a_second_table_of_a_company_waits_for_its_turn_and_other_companies_for_nothing(
    platform: Platform, world: World, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", 0.0)
    other_firm = world.firm("Andere")

    async def while_one_is_read() -> tuple[Response, Response]:
        with await places.take_turn(platform, firm.id, places.IMPORT, words.one_at_a_time):
            return await to_thread.run_sync(
                lambda: (_send(firm.boss, firm, WHOLE), _send(other_firm.boss, other_firm, WHOLE))
            )

    refused, accepted = anyio.run(while_one_is_read)
    assert (refused.status_code, refused.headers["Retry-After"], refused.json()["rows"]) == (429, "5", [])
    assert refused.json()["message"].startswith("Aus deiner Firma wird gerade schon eine Tabelle eingelesen.")
    assert accepted.status_code == 201
    assert _send(firm.boss, firm, WHOLE).status_code == 201


def test_passwords_are_hashed_while_no_place_for_files_is_taken(
    platform: Platform, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_password, free = passwords.hash_password, []

    def hashed(password: str) -> str:
        with anyio.run(places.take, platform, firm.id, firm.boss.id):
            free.append(password)
        return hash_password(password)

    monkeypatch.setattr(places, "PATIENCE_S", 0.0)
    monkeypatch.setattr(passwords, "hash_password", hashed)
    assert _send(firm.boss, firm, WHOLE).status_code == 201
    assert len(free) == 2
