"""Names are sorted as Germans look them up (DIN 5007-1), in Python and on both databases alike."""

import random
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import String, literal, select, union_all
from stempelwerk_cloud.kit.database.alphabet import alphabetical
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.german import alphabetical as key
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH

IN_ORDER = [
    *("Abel", "Äbel", "Åberg", "Achim", "Ängst", "anna", "Anna 10", "Anna 2", "Čapek", "Cem", "Đorđe", "Emil"),
    *("Émile", "Emily", "Łukasz", "Maß", "Masse", "Matz", "Muller", "Müller", "Müllers", "Ørsted", "Öznur"),
    *("Pavel", "Straße", "Strasser", "Übel", "Ulf", "Zoe", "Zoë"),
]


def _batched(words: list[str], size: int = 400) -> list[list[str]]:
    mixed = random.Random(11).sample(words, len(words))
    return [mixed[start : start + size] for start in range(0, len(mixed), size)]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def test_umlauts_stand_with_their_vowels_and_behind_them_where_all_else_is_equal() -> None:
    mixed = random.Random(7).sample(IN_ORDER, len(IN_ORDER))
    assert sorted(mixed, key=key) == IN_ORDER


@given(st.text(max_size=8))
def test_case_has_no_say(word: str) -> None:
    assert key(word) == key(unicodedata.normalize("NFKC", word).casefold())


@ON_BOTH
def test_the_database_computes_the_same_key_for_every_letter(platform: Platform) -> None:
    letters = [chr(code) for code in range(0x20, 0x500)] + IN_ORDER
    words = sorted({_folded(letter) for letter in letters if letter.isprintable()} - {""})
    with platform.database.read(SYSTEM) as session:
        for some in _batched(words):
            word_rows = union_all(*(select(literal(word, String()).label("word")) for word in some)).subquery()
            by_key = alphabetical(word_rows.c.word)
            sorted_words = [tuple(row) for row in session.execute(select(word_rows.c.word, by_key).order_by(by_key))]
            assert sorted_words == [(word, key(word)) for word in sorted(some, key=key)]
