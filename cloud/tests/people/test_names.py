"""Names that look the same are one name; names that look different are not."""

import unicodedata
from pathlib import Path

import pytest
from stempelwerk_cloud.people.directory.tables import display_form as shown_name
from stempelwerk_cloud.people.directory.tables import key as name_key

from cloud.tests.logging_in import LoginClient
from cloud.tests.world import PASSWORD, Firm, World

_RANGES = [
    [int(end, 16) for end in line.split("..")]
    for line in (Path(__file__).parent / "default_ignorable.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
IGNORABLE = [chr(code) for first, last in _RANGES for code in range(first, last + 1)]
CONTROLS = [letter for letter in map(chr, (*range(32), *range(0x7F, 0xA0))) if not letter.isspace()]
BLANK = [*IGNORABLE, *CONTROLS, "\u2800", "\ufff9", "\ufffb"]
UNASSIGNED = ["\u2065", "\ufff0", "\U000e0080"]


def test_the_list_has_what_is_not_assigned_yet() -> None:
    assert len(IGNORABLE) == 4174
    assert set(UNASSIGNED) <= set(IGNORABLE)


def test_whatever_shows_nothing_makes_no_other_name() -> None:
    for blank in BLANK:
        for name in (f"{blank}anna", f"an{blank}na", f"anna{blank}", f" {blank} ANNA {blank}{blank}"):
            assert name_key(name) == "anna", ascii(name)
        assert shown_name(f"{blank}Anna{blank} Maria") == "Anna Maria", ascii(blank)
        assert shown_name(blank) == name_key(blank) == "", ascii(blank)


def test_between_a_letter_and_its_accent_too_it_makes_no_other_name() -> None:
    for blank in BLANK:
        assert name_key(f"Jo{blank}\u0308rg") == name_key("Jörg"), ascii(blank)


def test_white_space_of_any_kind_is_one_space_between_words_and_none_around() -> None:
    spaces = [letter for letter in map(chr, range(0x3001)) if letter.isspace()]
    assert len(spaces) == 29
    for space in spaces:
        assert name_key(f"{space}Anna{space}{space}Maria{space}") == "anna maria", ascii(space)


def test_a_key_shows_all_that_it_compares_and_is_its_own_key() -> None:
    letters = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
    for letter in letters:
        key = name_key(f"a{letter}b")
        assert name_key(key) == key, ascii(letter)


@pytest.mark.parametrize("other_name", ["anne", "änna", "an na", "anna1", "аnna", "ann\N{COMBINING ACUTE ACCENT}a"])
def test_what_can_be_seen_makes_another_name(other_name: str) -> None:
    assert name_key(other_name) != name_key("anna")


@pytest.mark.parametrize("other_name", ["ANNA", "ａｎｎａ", "𝐚𝐧𝐧𝐚", unicodedata.normalize("NFD", "anna"), "  anna\t"])
def test_another_spelling_of_the_same_letters_is_the_same_name(other_name: str) -> None:
    assert name_key(other_name) == name_key("anna")


@pytest.mark.parametrize("blank", UNASSIGNED, ids=ascii)
def test_a_company_and_a_person_whose_names_look_taken_are_refused(firm: Firm, world: World, blank: str) -> None:
    answer = world.founder.post("/api/companies", json={"name": f"Tischlerei{blank} Holzmann"})
    assert (answer.status_code, answer.json()["code"]) == (409, "company_exists")
    new = {"username": f"an{blank}na", "password": "lang genug", "tagId": "04112233", "role": "user"}
    for refused in (
        firm.boss.post("/api/users", json=new),
        firm.boss.put(f"/api/users/{firm.ben.id}", json={"username": f"{blank}Anna"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "username_taken")
    for empty in (
        firm.boss.post("/api/users", json=new | {"username": blank}),
        world.founder.post("/api/companies", json={"name": blank}),
    ):
        assert empty.status_code == 422


@pytest.mark.parametrize("blank", UNASSIGNED, ids=ascii)
def test_who_types_what_cannot_be_seen_gets_in(login: LoginClient, firm: Firm, blank: str) -> None:
    body = {"company": f"{firm.name}{blank}", "username": f"a{blank}nna", "password": PASSWORD}
    assert login.browser.post("/api/login", json=body).status_code == 200
