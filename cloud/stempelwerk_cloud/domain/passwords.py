"""Passwords that attackers try first: common ones, and those made of names that belong to the account. Pure.

NIST SP 800-63B, 3.1.1.2 and ASVS 5, 6.2.4 and 6.2.11 demand this check. The caller passes the lists of common
passwords, converted by `fold`, or with all `spellings` of each word.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_TWO_LETTERS = re.compile(r"([aou])e")
_NEITHER = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+")
_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_REPEATED = re.compile(r"(.+?)\1+", re.DOTALL)
_ROWS = (
    "01234567890",
    "qwertzuiopue",
    "qwertyuiop",
    "asdfghjkloeae",
    "yxcvbnm",
    "zxcvbnm",
    "abcdefghijklmnopqrstuvwxyz",
)
_SEQUENCES = tuple(row[::step] * 3 for row in _ROWS for step in (1, -1))
_MOST_AROUND = 7
"""Maximum number of digits and signs around a common word that do not make it a strong password. More of them may."""
_SHORTEST_PART = 3
"""A password that only repeats a part of at most this length is weak."""
_MOST_BESIDE_A_RUN = 2
_SHORTEST_RUN = 6
"""Shortest run along the keyboard or the alphabet that makes a password weak. The shortest password has eight
characters; two of them may lie outside of the run.
"""
_SHORTEST_NAME = 3
"""Shortest name, in letters, that counts. Too many good passwords begin with the two letters of `Jo`."""


def fold(text: str) -> str:
    """Converts a text into its form for comparisons: without case, umlauts as two letters, Unicode
    normalised.
    """
    return unicodedata.normalize("NFKC", text).casefold().translate(_UMLAUTS)


def spellings(text: str) -> set[str]:
    """Returns the typed forms of a word with umlauts: `Frühling` as `fruehling` and `fruhling`."""
    return {fold(text), _without_marks(unicodedata.normalize("NFKC", text).casefold())}


def is_guessable(password: str, common: Collection[str], names: Collection[str] = ()) -> bool:
    """Returns whether an attacker tries the password among the first.

    That holds for a common password and for a name or some of its words, even if repeated, with umlauts in place of
    other letters, or with digits and signs around it. It also holds for a repetition, and for a run along the keyboard
    or the alphabet, even with one or two other characters at its ends.
    """
    folded = fold(password)
    return _is_run(folded) or any(_is_listed(text, common, names) for text in (folded, _without_umlauts(folded)))


def _is_listed(folded: str, common: Collection[str], names: Collection[str]) -> bool:
    squeezed = _NEITHER.sub("", folded)
    core = _repeated_part(_core(folded))
    if core in _parts_of(names) or squeezed in {_NEITHER.sub("", text) for text in _spelled(names)} - {""}:
        return True
    if len(folded) - len(_core(folded)) <= _MOST_AROUND and core in common:
        return True
    return folded in common or _repeated_part(folded) in common


def _without_umlauts(folded: str) -> str:
    """Returns the text with plain letters in place of umlauts: `passwört`, folded to `passwoert`, becomes
    `passwort`.
    """
    return _TWO_LETTERS.sub(r"\1", _without_marks(folded))


def _without_marks(folded: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))


def _spelled(names: Iterable[str]) -> set[str]:
    return {text for name in names for text in spellings(name)}


def _core(folded: str) -> str:
    """Returns the text without digits and signs at its ends, and without the signs inside."""
    return _NEITHER.sub("", _AROUND.sub("", folded))


def _repeated_part(text: str) -> str:
    repetition = _REPEATED.fullmatch(text)
    return text if repetition is None else repetition[1]


def _parts_of(names: Iterable[str]) -> set[str]:
    """Returns the names, their single words and sequences of neighbouring words, each converted as `_core` converts a
    password.

    `Tischlerei Holm GmbH` also gives `tischlereiholm`, without the legal form.
    """
    parts = set()
    for text in _spelled(names):
        words = _WORD.findall(text)
        parts.add(_core(text))
        parts.update("".join(words[first:end]) for end in range(len(words) + 1) for first in range(end))
    return {_repeated_part(part) for part in parts if len(part) >= _SHORTEST_NAME}


def _is_run(folded: str) -> bool:
    squeezed = _NEITHER.sub("", folded)
    return any(len(_repeated_part(text)) <= _SHORTEST_PART for text in _with_less_at_ends(folded)) or any(
        2 * len(text) > len(folded) and any(text in sequence for sequence in _SEQUENCES)
        for text in _with_less_at_ends(squeezed)
    )


def _with_less_at_ends(text: str) -> Iterator[str]:
    """Yields the text, and the text without one or two characters at its ends, as long as the rest can be a run."""
    yield text
    for count in range(1, min(_MOST_BESIDE_A_RUN, len(text) - _SHORTEST_RUN) + 1):
        for first in range(count + 1):
            yield text[first : len(text) - count + first]
