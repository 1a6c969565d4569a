"""Statements of a person's month: whose, made once, signed so that any change is found, chained, on paper."""

import json
import unicodedata
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import Any, BinaryIO

import pytest
from httpx2 import Response
from pypdf import PdfReader
from sqlalchemy import func, select, update
from stempelwerk_cloud.domain.statement import canonical, check, digest_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.statement.keys import KEY_FILE, KEYS, own_key, verifiers
from stempelwerk_cloud.office.statement.paper import pdf
from stempelwerk_cloud.office.statement.tables import Statement
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.timekeeping.ledger.tables import Stamp

from cloud.tests.correcting import hang_since, stamped
from cloud.tests.databases import ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.office.people import away, booked, employ, on_leave, set_weekly, worked
from cloud.tests.office.vectors import body, changed, genuine
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.world import Firm, Somebody, World

NOVEMBER, OCTOBER = "2026-11", "2026-10"
MANY = 20
WELL_KNOWN = "/.well-known/stempelwerk-keys.json"


def request_statement(
    person: Somebody, month: str | None = NOVEMBER, form: str | None = None, of: Somebody | None = None
) -> Response:
    query = "&".join(f"{name}={value}" for name, value in (("month", month), ("format", form)) if value)
    return person.get(f"/api/users/{(of or person).id}/statement?{query}")


def file(person: Somebody, month: str = NOVEMBER, of: Somebody | None = None) -> bytes:
    answer = request_statement(person, month, "json", of)
    assert answer.status_code == 200, answer.text
    return answer.content


def keys(world: World) -> dict[str, Any]:
    return dict(verifiers(world.client.get(WELL_KNOWN).json()["keys"]))


def statement_content(site: Site, month: str) -> Any:
    """Returns the content of Anna's statement of the month."""
    return json.loads(file(site.somebody(site.firm.anna), month))


def count_statements(world: World) -> tuple[int, int]:
    """Returns the number of statements, and the number of logged ones."""
    with world.platform.database.read(SYSTEM) as tx:
        logged = select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "statement.made")
        return tx.scalar(select(func.count()).select_from(Statement)) or 0, tx.scalar(logged) or 0


# -- refusals


@ON_SQLITE
@pytest.mark.parametrize(
    "query", ["month=2026-13", "month=", "month=2026", "month=2026-12", "format=xml", "month=2099-01"]
)
def test_what_is_no_month_is_to_come_or_is_no_format_is_refused(firm: Firm, query: str) -> None:
    assert firm.anna.get(f"/api/users/{firm.anna.id}/statement?{query}").status_code == 422
    assert count_statements(firm.world) == (0, 0)


# -- the keys


def test_the_key_is_public_for_anyone_and_kept_for_an_hour(world: World) -> None:
    answer = world.client.get(WELL_KNOWN)
    (key,) = answer.json()["keys"]
    assert (key["alg"], key["from"]) == ("Ed25519", "2026-11-20T08:00:00.000Z")
    assert len(urlsafe_b64decode(key["publicKey"] + "=")) == 32
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert world.client.get(WELL_KNOWN).json() == answer.json()


def test_the_key_is_made_once_for_its_owner_alone_and_outlives_the_process(world: World) -> None:
    platform = world.platform
    with ThreadPoolExecutor(8) as pool:
        kids = {key.kid for key in pool.map(lambda _: own_key(platform), range(8))}
    path = platform.settings.data_dir / KEY_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    KEYS.pop(platform)
    assert {own_key(platform).kid} == kids
    assert own_key(platform).kid not in path.read_text()


# -- a file


def test_a_month_s_file_is_valid_and_says_what_the_account_says(site: Site) -> None:
    device, firm = site.device, site.firm
    site.founder.put(f"/api/devices/{device.device_id}", json={"name": "Tor 1"})
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-10-05", opening_balance_minutes=45)
    worked(firm.anna, "2026-11-03", "08:00", "16:00", 45)
    worked(firm.anna, "2026-11-04", "08:00", "14:30")
    away(firm.anna, "2026-11-05")
    on_leave(firm.anna, "2026-11-06", "2026-11-09", end_half=True)
    booked(firm.anna, "2026-11-10", -30, "Ausgezahlt")
    device.deliver(device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(0.01)), anchors=[device.anchor(MORNING)])
    device.deliver(device.tap(ANNA, MORNING + hours(4)), device.tap(ANNA, MORNING + hours(5)))

    anna = site.somebody(firm.anna)
    content = file(anna)
    finding = check(content, keys(site.world))
    assert finding.code == "valid"
    finding_content = finding.statement
    assert finding_content is not None
    account = anna.get(f"/api/users/{anna.id}/account?month={NOVEMBER}").json()
    assert finding_content["sums"] == {
        "target": account["targetMinutes"],
        "actual": account["actualMinutes"],
        "credits": account["credits"],
        "bookings": -30,
        "balance": account["balanceMinutes"],
        "carried": account["carriedMinutes"],
    }
    assert [
        (day["date"], day["target"], day["actual"], day["credits"], day["entryIds"]) for day in finding_content["days"]
    ] == [
        (day["date"], day["targetMinutes"], day["actualMinutes"], day["credits"], day["entryIds"])
        for day in account["days"]
    ]
    assert [entry["id"] for entry in finding_content["entries"]] == [entry["id"] for entry in site.times()]
    assert [entry["reasons"] for entry in finding_content["entries"]] == [
        ["Korrektur: 45 min Pause"],
        ["§ 4 ArbZG: 30 min Pause"],
        [],
        [],
    ]
    third, running = finding_content["entries"][2:]
    assert (third["start"], third["startLocal"], third["endLocal"]) == ("2026-11-20T06:00:00.000Z", "07:00", "11:00")
    assert (running["end"], running["net"]) == (None, None)
    assert [(stamp["counted"], stamp["reason"], stamp["clock"]) for stamp in finding_content["stamps"]] == [
        (True, None, "Tor 1"),
        (False, "double_tap", "Tor 1"),
        (True, None, "Tor 1"),
        (True, None, "Tor 1"),
    ]
    assert [(row["date"], row["breakMinutes"]) for row in finding_content["corrections"]] == [
        ("2026-11-03", 45),
        ("2026-11-04", None),
    ]
    assert finding_content["bookings"] == [{"date": "2026-11-10", "minutes": -30, "reason": "Ausgezahlt"}]
    assert finding_content["person"] == {"id": anna.id, "username": "anna"}
    assert finding_content["company"] == {"id": firm.id, "name": firm.name}
    assert (finding_content["installation"], finding_content["zone"], finding_content["attestedBy"]) == (
        "",
        "Europe/Berlin",
        "operator",
    )
    assert (finding_content["month"], finding_content["previous"]) == (NOVEMBER, None)


def test_breaks_of_younger_people_have_another_law(firm: Firm) -> None:
    employ(firm.anna, limits="youth")
    worked(firm.anna, "2026-11-03", "08:00", "13:00")
    (entry,) = json.loads(file(firm.anna))["entries"]
    assert (entry["break"], entry["reasons"]) == (30, ["§ 11 JArbSchG: 30 min Pause"])


def test_nobody_else_s_entries_and_stamps_stand_in_it(site: Site) -> None:
    other_firm = site.world.firm("Bäckerei Krume")
    worked(other_firm.anna, "2026-11-03", "08:00", "12:00")
    worked(site.firm.ben, "2026-11-03", "08:00", "12:00")
    site.device.deliver(site.device.tap("04D4E5F6", MORNING), anchors=[site.device.anchor(MORNING)])
    content = json.loads(file(site.somebody(site.firm.anna)))
    assert (content["entries"], content["stamps"], content["corrections"]) == ([], [], [])


def test_of_a_series_of_nights_every_stamp_stands_in_one_file_with_its_whole_shift(site: Site) -> None:
    """Over the change of the clocks on 25 October and the end of the month; each with a break after midnight."""
    hang_since(site, "2026-10-01 00:00")
    nights = [date(2026, 10, 20) + timedelta(days=number) for number in range(20)]
    taps = {
        night: [
            f"{night} 22:00",
            *(f"{night + timedelta(days=1)} {time_}" for time_ in ("01:30", "02:45", "02:45:30", "06")),
        ]
        for night in nights
    }
    stamped(site, *(tap for night in taps.values() for tap in night))
    by_month = {month: statement_content(site, month)["stamps"] for month in ("2026-09", OCTOBER, NOVEMBER)}
    assert {month: len(rows) for month, rows in by_month.items()} == {"2026-09": 0, OCTOBER: 60, NOVEMBER: 40}
    assert [row["at"] for row in by_month[OCTOBER][-2:]] == ["2026-11-01T01:45:30.000Z", "2026-11-01T05:00:00.000Z"]
    assert len({row["id"] for rows in by_month.values() for row in rows}) == 100


@pytest.mark.parametrize("way", ["stands", "is corrected", "is deleted"])
def test_a_night_over_the_month_s_end_is_whole_in_the_file_of_the_month_in_which_it_began(site: Site, way: str) -> None:
    hang_since(site, "2026-10-01 00:00")
    stamped(site, "2026-10-31 22:00", "2026-11-01 06:00", "2026-11-01 22:00", "2026-11-02 06:00")
    anna = site.somebody(site.firm.anna)
    (entry,) = site.times(first="2026-10-31", last="2026-10-31")
    if way == "is corrected":
        worked(anna, "2026-10-31", "20:00", "23:00", shift=entry["id"])
    elif way == "is deleted":
        assert anna.delete(f"/api/work-times/{entry['id']}").status_code == 204
    october, november = statement_content(site, OCTOBER), statement_content(site, NOVEMBER)
    assert [row["at"] for row in october["stamps"]] == ["2026-10-31T21:00:00.000Z", "2026-11-01T05:00:00.000Z"]
    assert [row["at"] for row in november["stamps"]] == ["2026-11-01T21:00:00.000Z", "2026-11-02T05:00:00.000Z"]
    members = ("entries", "corrections", "deletions")
    assert {name: len(october[name]) for name in members if october[name]} == {
        "stands": {"entries": 1},
        "is corrected": {"entries": 1, "corrections": 1},
        "is deleted": {"deletions": 1},
    }[way]
    assert {name: len(november[name]) for name in members if november[name]} == {"entries": 1}


def test_what_was_deleted_stays_in_its_month_s_file_though_its_time_has_moved(site: Site) -> None:
    hang_since(site, "2026-10-01 00:00")
    stamped(site, "2026-10-31 22:00", "2026-11-01 06:00")
    anna, world = site.somebody(site.firm.anna), site.world
    (entry,) = site.times(first="2026-10-31", last="2026-10-31")
    assert anna.delete(f"/api/work-times/{entry['id']}").status_code == 204
    with world.platform.database.write(SYSTEM) as tx:
        moved = datetime(2026, 8, 3, 6, tzinfo=UTC)
        tx.execute(update(Stamp).where(Stamp.id == entry["id"]).values(at=moved))
    stamps = {month: statement_content(site, month)["stamps"] for month in ("2026-08", OCTOBER, NOVEMBER)}
    assert {month: len(rows) for month, rows in stamps.items()} == {"2026-08": 0, OCTOBER: 2, NOVEMBER: 0}


def test_a_tag_s_stamps_stand_with_whoever_held_it_then(site: Site) -> None:
    device, firm = site.device, site.firm
    device.deliver(device.tap(ANNA, MORNING), anchors=[device.anchor(MORNING)])
    boss = site.boss
    boss.put(f"/api/users/{firm.anna.id}", json={"tagId": "04AAAAAA"})
    boss.put(f"/api/users/{firm.ben.id}", json={"tagId": ANNA})
    site.clock.advance(hours=1)  # type: ignore[attr-defined]
    device.deliver(device.tap(ANNA, site.clock.now()))
    stamps = [json.loads(file(site.somebody(person)))["stamps"] for person in (firm.anna, firm.ben)]
    assert [len(rows) for rows in stamps] == [1, 1]


def test_asking_again_with_nothing_changed_answers_the_same_bytes_also_to_others(
    firm: Firm, clock: SettableClock
) -> None:
    worked(firm.anna, "2026-11-03", "08:00", "12:00")
    first = file(firm.anna)
    clock.advance(minutes=30)
    assert file(firm.anna) == file(firm.boss, of=firm.anna) == first
    assert count_statements(firm.world) == (1, 1)


def test_what_has_changed_makes_a_new_one_that_names_the_one_before_of_whatever_month(firm: Firm) -> None:
    world = firm.world
    november = file(firm.anna)
    october = file(firm.anna, OCTOBER)
    worked(firm.anna, "2026-11-03", "08:00", "12:00")
    changed = file(firm.anna)
    assert changed != november
    assert file(firm.anna, OCTOBER) == october
    chain = [november, october, changed]
    assert [json.loads(content)["previous"] for content in chain] == [
        None,
        {"month": NOVEMBER, "digest": digest_of(november)},
        {"month": OCTOBER, "digest": digest_of(october)},
    ]
    instants = [json.loads(content)["madeAt"] for content in chain]
    assert instants == sorted(set(instants))  # though the clock does not advance
    public_keys = keys(world)
    assert check(changed, public_keys, october).code == "valid"
    assert check(changed, public_keys, november).code == "previous_mismatch"
    assert check(november, public_keys, october).code == "previous_missing"
    assert json.loads(file(firm.ben))["previous"] is None


def test_another_key_makes_a_new_one(firm: Firm) -> None:
    platform = firm.world.platform
    old = file(firm.anna)
    KEYS.pop(platform)
    (platform.settings.data_dir / KEY_FILE).unlink()
    new = file(firm.anna)
    assert (check(old, keys(firm.world)).code, check(new, keys(firm.world)).code) == ("unknown_key", "valid")


def test_of_several_who_ask_at_once_one_makes_it(firm: Firm) -> None:
    callers = [firm.world.again(firm.anna) for _ in range(3)] + [firm.boss]
    calls = [lambda caller=caller: request_statement(caller, of=firm.anna) for caller in callers]
    answers = all_at_once(firm.world.platform, *calls)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert count_statements(firm.world) == (1, 1)


def test_without_a_month_it_is_the_current_one(firm: Firm) -> None:
    answer = request_statement(firm.anna, None)
    assert answer.json()["month"] == NOVEMBER
    assert answer.headers["content-type"] == "application/json"
    assert canonical(answer.json()) == answer.content


def test_its_name_says_month_and_person_in_old_browsers_too(firm: Firm) -> None:
    plain = request_statement(firm.anna).headers["content-disposition"]
    assert plain == (
        "attachment; filename=\"zeitnachweis-2026-11-anna.json\"; filename*=UTF-8''zeitnachweis-2026-11-anna.json"
    )
    colleague = firm.world.user(firm.id, 'Jörg/../"ß" Ω')
    header = request_statement(colleague, form="pdf").headers["content-disposition"]
    assert header == (
        'attachment; filename="zeitnachweis-2026-11-Jorg.pdf"; '
        "filename*=UTF-8''zeitnachweis-2026-11-J%C3%B6rg-%C3%9F-%CE%A9.pdf"
    )


# -- on paper


def test_on_paper_it_is_the_same_file_and_always_the_same_pages(site: Site) -> None:
    device, firm = site.device, site.firm
    set_weekly(firm, 2400)
    for number in (2, 3, 4, 5, 9, 10, 11, 12, 13, 16, 17, 18, 19):
        worked(firm.anna, f"2026-11-{number:02d}", "08:00", "17:15")
    on_leave(firm.anna, "2026-11-06", "2026-11-06")
    booked(firm.anna, "2026-11-10", -30, "Ausgezahlt")
    device.deliver(device.tap(ANNA, MORNING), anchors=[device.anchor(MORNING)])
    anna = site.somebody(firm.anna)
    answer = request_statement(anna, form="pdf")
    assert answer.headers["content-type"] == "application/pdf"
    content = file(anna)
    assert answer.content == pdf.rendered(content)
    assert count_statements(site.world) == (1, 1)
    pages = [page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages]
    assert len(pages) > 1
    for page in pages:
        assert digest_of(content) in page
        assert json.loads(content)["kid"] in page
        assert "prüfbar unter /pruefen" in page
    text = " ".join(" ".join(pages).split())
    for fragment in (
        "Zeitnachweis November 2026",
        "anna",
        firm.name,
        "Urlaub 8h 00m",
        "§ 4 ArbZG: 30 min Pause",
        "Ausgezahlt",
    ):
        assert fragment in text


def test_a_statement_that_finds_others_drawn_is_refused_with_who_is_in_the_way(
    platform: Platform, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess_render, "PATIENCE_S", 0)
    own_lock, companys = f"paper of {firm.id} {firm.anna.id}", f"papers of {firm.id}"
    for name, person, words in (
        (own_lock, firm.anna, "Dein voriges PDF wird noch erstellt."),
        (companys, firm.ben, "Gerade werden schon PDFs für andere aus deiner Firma erstellt."),
    ):
        with hold_place(platform, name):
            refused = request_statement(person, form="pdf")
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (
                429,
                "files_busy",
                "5",
            )
            assert refused.json()["message"].startswith(words)
            assert request_statement(person).status_code == 200
    assert request_statement(firm.anna, form="pdf").status_code == 200


def test_statements_that_wait_to_be_drawn_hold_no_turn_no_thread_and_no_connection(
    platform: Platform, firm: Firm
) -> None:
    """Far more of one person than there are of any of them."""
    with ThreadPoolExecutor(MANY) as pool, hold_place(platform, f"papers of {firm.id}"):
        waiting = [pool.submit(request_statement, firm.anna, NOVEMBER, "pdf") for _ in range(MANY)]
        for person in (firm.anna, firm.ben, firm.boss):
            assert request_statement(person).status_code == 200
        assert not any(future.done() for future in waiting)
    assert {future.result().status_code for future in waiting} <= {200, 429}


def hold_place(platform: Platform, name: str) -> BinaryIO:
    place = machine_semaphore.try_take(platform, [name])
    assert place is not None
    return place


def test_an_entry_without_its_beginning_or_end_stands_on_paper_with_a_dash() -> None:
    def forget(content: dict[str, Any]) -> None:
        content["entries"][0] |= {"start": None, "startLocal": None, "raw": None, "break": None, "net": None}

    text = PdfReader(BytesIO(pdf.rendered(genuine(changed(body(), forget))))).pages[0].extract_text()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "Di 03.11. – 12:00 – – – 8h 00m" in lines
    assert "Mi 04.11. 08:00 – – – – 8h 00m läuft" in lines


def test_what_names_the_signed_file_stands_small_below_each_page() -> None:
    sizes: list[tuple[str, float]] = []
    pages = PdfReader(BytesIO(pdf.rendered(genuine(body())))).pages
    for page in pages:
        page.extract_text(visitor_text=lambda text, _cm, _tm, _font, size: sizes.append((text, size)))
    small = [size for text, size in sizes if "SHA-256" in text or "prüfbar unter" in text or "Seite " in text]
    assert small == [7] * 3 * len(pages)


NAMES = {
    "Łukasz Nguyễn": (),
    "Ωμέγα Жанна Ѕтојан": (),
    "ნინო Արամ": ("NotoSansGeorgian", "NotoSansArmenian"),
    "שָׁלוֹם": ("NotoSansHebrew",),
    "محمد": ("NotoSansArabic",),
    "✓ → ≥ \u2011": ("NotoSansSymbols2", "NotoSansMath"),
    "王小明 陳 佐藤ゆい 김민준": ("NotoSansSC", "NotoSansKR"),
    "สมชาย": ("NotoSansThai",),
    "राम": ("NotoSansDevanagari",),
    "রহিম குமார் రాము": ("NotoSansBengali", "NotoSansTamil", "NotoSansTelugu"),
    "Anna 😀👍🏽❤\ufe0f": ("NotoEmoji",),
}


def _statement_named(name: str) -> PdfReader:
    signed = genuine(changed(body(), lambda content: content["person"].update(username=name)))
    return PdfReader(BytesIO(pdf.rendered(signed)))


@pytest.mark.parametrize("name", NAMES)
def test_names_of_other_scripts_stand_on_paper(name: str) -> None:
    page = _statement_named(name).pages[0]
    text = page.extract_text()
    assert "?" not in text
    letters = {letter for letter in name if letter.isalpha() or unicodedata.category(letter) == "Sm"}
    assert letters <= set(unicodedata.normalize("NFKC", text))
    fonts = " ".join(font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].values())
    assert all(font in fonts for font in NAMES[name])
    assert ("Arabic" in fonts) == ("NotoSansArabic" in NAMES[name]), "no font goes along that no letter needs"


def test_a_letter_that_no_font_has_is_replaced_which_the_page_says_and_tears_no_word_apart() -> None:
    legend = "? steht für ein Zeichen, das dieses Papier nicht zeigen kann."
    first_page = _statement_named("Жанна \U00013000\U00013001").pages[0].extract_text()
    assert "Жанна ??" in first_page
    assert legend in first_page
    assert legend not in _statement_named("Жанна").pages[0].extract_text()
    page_text = _statement_named("של\U00013000ום").pages[0].extract_text()
    assert "ום?של" in page_text, "from left to right, as it stands on the paper, the word's second half comes first"


@pytest.mark.parametrize(("name", "forms"), [("ه ه ه", 1), ("ههه", 3)])
def test_joined_letters_are_drawn_joined(name: str, forms: int) -> None:
    """The same letter three times: at the beginning of a word, within it and at its end it has another form."""
    fonts = [font.get_object() for font in _statement_named(name).pages[0]["/Resources"]["/Font"].values()]
    (arabic,) = (font for font in fonts if "Arabic" in font["/BaseFont"])
    assert arabic["/ToUnicode"].get_object().get_data().count(b"<0647>") == forms


def test_what_there_is_none_of_is_said_on_paper(firm: Firm) -> None:
    text = " ".join(
        PdfReader(BytesIO(request_statement(firm.anna, form="pdf").content)).pages[0].extract_text().split()
    )
    assert "Vorheriger Nachweis: keiner." in text
    for section in ("Tage", "Buchungen", "Genehmigte Korrekturen", "Gelöschte Einträge", "Stempel"):
        assert f"{section} Keine." in text
