"""Which passwords are refused because an attacker tries them first."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.passwords import fold, is_guessable
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.security import codes, passwords

NAMES = ["Tischlerei Holm GmbH", "wilfriede"]


@pytest.mark.parametrize(
    "password",
    [
        "12345678",
        "passwort",
        "PASSWORT!",
        "passwort1",
        "hallo123",
        "Hallo 1234!",
        "schatz123",
        "Geheim2026!",
        "frühling1",
        "Fruehling24",
        "sommer2026",
        "Willkommen1",
        "ichliebedich",
        "schalke04",
        "p a s s w o r t",
        "hallohallo",
        "aaaaaaaa",
        "12121212",
        "87654321",
        "qwertzuiop",
        "abcdefgh",
        "stempelwerk",
        "!!Stempelwerk-2026!!",
        "passwört",
        "Pässwört1",
        "passwoert",
        "pásswort",
        "Schätz123",
        "fruhling1",
        "Munchen2026",
        "Scheiße123",
        "osterreich",
    ],
)
def test_a_common_password_is_refused_also_with_digits_and_signs_around_it(password: str) -> None:
    assert passwords.find_refusal(password) == passwords.GUESSABLE


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaB",
        "Baaaaaaaa",
        "00000000a",
        "xaaaaaaay",
        "aaaaaaaa!?",
        "12121212x",
        "abcdefghX",
        "xabcdefgx",
        "Xyasdfghjk",
        "98765432ab",
        "ööööööööa",
    ],
)
def test_a_repetition_or_a_row_is_refused_also_with_one_or_two_characters_at_its_ends(password: str) -> None:
    assert is_guessable(password, frozenset())


@pytest.mark.parametrize(
    "password", ["aaaaaaaaBcd", "Bcdaaaaaaaa", "abcdeXkw", "aaaaakwx", "Kabcdefk7q", "Mörtel und Öl", "wq4aaaaa"]
)
def test_less_of_a_repetition_or_a_row_is_taken(password: str) -> None:
    assert passwords.find_refusal(password) is None


@pytest.mark.parametrize(
    "password",
    [
        "Tischlerei Holm GmbH",
        "tischlerei-holm",
        "TischlereiHolm1",
        "Holm8273645192",
        "#tischlerei#",
        "wilfriede2026!",
        "wilfriedewilfriede",
    ],
)
def test_the_names_around_a_person_are_refused(password: str) -> None:
    assert passwords.find_refusal(password, NAMES) == passwords.GUESSABLE
    assert passwords.find_refusal(password, ["Bäckerei Krume", "ben"]) is None


@pytest.mark.parametrize("password", ["müllersbäckerei", "Muellers-Baeckerei", "mullersbackerei1", "MULLERS Backerei"])
def test_a_name_with_umlauts_is_refused_in_every_spelling(password: str) -> None:
    assert passwords.find_refusal(password, ["Müllers Bäckerei"]) == passwords.GUESSABLE


@pytest.mark.parametrize(
    "password",
    [
        "drei nasse Hunde",
        "Kreissäge 9",
        "schatz8273645192",
        "%)~{*>^|",
        "ab%)~{*>^|",
        "Hobelbank26",
        "wilfriede und Holm",
        "Jo hat 9 Hüte",
    ],
)
def test_what_only_contains_such_a_word_is_taken(password: str) -> None:
    assert passwords.find_refusal(password, [*NAMES, "Jo", "9", "-"]) is None


def test_the_refusal_is_one_sentence_with_a_code_that_stays() -> None:
    assert passwords.GUESSABLE.code == "password_guessable"
    assert passwords.GUESSABLE.sentence.startswith("Dieses Passwort ist zu leicht zu erraten: ")
    assert "Nimm ein anderes, zum Beispiel drei Wörter" in passwords.GUESSABLE.sentence


def test_a_random_password_of_a_reset_is_never_refused() -> None:
    ids = SystemIds()
    assert not [code for code in (codes.grouped(ids) for _ in range(2000)) if passwords.find_refusal(code, NAMES)]


@given(st.text(string.digits + string.punctuation + " ", max_size=7), st.sampled_from(["Passwort", "dragon", "schatz"]))
def test_nothing_around_a_common_word_hides_it(around: str, word: str) -> None:
    assert is_guessable(around + word, {"passwort", "dragon", "schatz"})
    assert is_guessable(word + around, {"passwort", "dragon", "schatz"})


@given(st.text(min_size=1, max_size=300), st.lists(st.text(max_size=40), max_size=3))
def test_every_text_is_judged_and_what_is_listed_is_refused(password: str, names: list[str]) -> None:
    is_guessable(password, frozenset(), names)
    assert is_guessable(password, {fold(password)}, names)
