"""The checker of statements, applied to the vectors, which the web's checker reads too, and to a thousand changes."""

import json
import random
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.statement import NotCanonical, canonical, check, digest_of, read, sealed
from stempelwerk_cloud.office.statement.keys import verifiers

from cloud.tests.office import vectors
from cloud.tests.office.vectors import FIRST, FOREIGN, KEY, SECOND, UNNAMED

KEYS = verifiers([KEY.published()])
VECTORS = json.loads(vectors.FILE.read_text(encoding="utf-8"))
CHANGES = 1000


def test_the_vectors_are_those_that_the_program_makes() -> None:
    assert vectors.vectors() == VECTORS, "python -m cloud.tests.office.vectors"


@pytest.mark.parametrize("vector", VECTORS["files"], ids=lambda vector: vector["name"])
def test_a_vector_is_found_to_be_what_it_is(vector: dict[str, Any]) -> None:
    previous = None if vector["previous"] is None else b64decode(vector["previous"])
    finding = check(b64decode(vector["content"]), verifiers(VECTORS["keys"]), previous)
    assert finding.code == vector["code"]
    genuine = finding.code in {"valid", "sums", "previous_missing", "previous_mismatch"}
    assert (finding.statement is not None) == genuine


def test_broken_vectors_are_all_different() -> None:
    contents = [content for content, _ in vectors.BROKEN.values()]
    assert len({*contents, UNNAMED, FIRST, SECOND}) == len(contents) + 3


# -- a thousand changes


def _byte(rng: random.Random) -> bytes:
    content, index = bytearray(UNNAMED), rng.randrange(len(UNNAMED))
    content[index] ^= rng.randrange(1, 256)
    return bytes(content)


def _cut(rng: random.Random) -> bytes:
    index, length = rng.randrange(len(UNNAMED)), rng.randrange(1, 40)
    return UNNAMED[:index] + UNNAMED[index + length :]


def _repeated(rng: random.Random) -> bytes:
    index, length = rng.randrange(len(UNNAMED) - 40), rng.randrange(1, 40)
    return UNNAMED[: index + length] + UNNAMED[index:]


def _spaced(rng: random.Random) -> bytes:
    """Inserts white space where JSON allows it."""
    places = [index for index, char in enumerate(UNNAMED) if char in b",:{}[]"]
    index = rng.choice(places)
    return UNNAMED[:index] + rng.choice([b" ", b"\n", b"\t", b"\r\n"]) + UNNAMED[index:]


def _reordered(rng: random.Random) -> bytes:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: shuffled(value[name]) for name in rng.sample(list(value), len(value))}
        return [shuffled(member) for member in value] if isinstance(value, list) else value

    return json.dumps(shuffled(json.loads(UNNAMED)), separators=(",", ":"), ensure_ascii=False).encode()


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Yields every member and element, as its holder and its name in it."""
    places_: list[tuple[Any, Any]] = []
    names = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for name in names:
        places_ += [(value, name), *_places(value[name])]
    return places_


def _other_value(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-60, -1, 1, 60, 10**6])
    if isinstance(value, str):
        return value + rng.choice([" ", "x", "0"])
    return rng.choice([0, "", {}, [[]], True])


def _changed(rng: random.Random) -> dict[str, Any]:
    """Replaces or removes a member or element, or swaps two of them."""
    content: dict[str, Any] = json.loads(UNNAMED)
    while canonical(content) == UNNAMED:
        holder, name = rng.choice(_places(content))
        kind = rng.randrange(3)
        if kind == 0:
            holder[name] = _other_value(holder[name], rng)
        elif kind == 1:
            del holder[name]
        elif isinstance(holder, list):
            index = rng.randrange(len(holder))
            holder[name], holder[index] = holder[index], holder[name]
    return content


def _forged(rng: random.Random) -> bytes:
    return canonical(_changed(rng))


def _resigned(rng: random.Random) -> bytes:
    """Changes the content and signs it with a forger's key: in its own name or the installation's, with or without the
    key.
    """
    content = {name: value for name, value in _changed(rng).items() if name != "signature"}
    if rng.random() < 0.5:
        content["kid"] = FOREIGN.kid
    if rng.random() < 0.5:
        content["keys"] = [FOREIGN.published()]
    return sealed(content, FOREIGN.sign)


MEANS: list[Callable[[random.Random], bytes]] = [
    _byte,
    _cut,
    _repeated,
    _spaced,
    _reordered,
    _forged,
    _forged,
    _resigned,
]


def test_a_thousand_changes_are_all_found() -> None:
    rng, detected = random.Random(44), 0
    while detected < CHANGES:
        content = rng.choice(MEANS)(rng)
        if content == UNNAMED:
            continue
        assert check(content, KEYS).code not in {"valid", "sums"}, content
        detected += 1


def test_what_the_genuine_key_has_signed_wrongly_is_found_too() -> None:
    """Any changed figure contradicts the sums, even with a genuine signature."""
    content = json.loads(UNNAMED)
    del content["signature"]
    free = {"carried"}
    for holder, name in _places(content):
        if type(holder[name]) is int and name not in free:
            holder[name] += 1
            assert check(sealed(content, KEY.sign), KEYS).code == "sums", name
            holder[name] -= 1
    assert check(sealed(content, KEY.sign), KEYS).code == "valid"


# -- the one byte form


def test_the_byte_form_is_that_of_rfc_8785() -> None:
    """The RFC's own examples, without its fractions."""
    assert canonical({"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}) == (
        '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'.encode()
    )
    assert canonical(['€$\u000f\nA\'B"\\\\"/', True, None, False, -1, []]) == (
        '["€$\\u000f\\nA\'B\\"\\\\\\\\\\"/",true,null,false,-1,[]]'.encode()
    )


@pytest.mark.parametrize("value", [0.5, 1.0, 2**53, -(2**53), "\ud800", {"\udc00": 1}, b"", object()])
def test_what_does_not_occur_has_none(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical({"a": [value]})


WHATEVER = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), WHATEVER, max_size=5))
def test_what_was_read_back_is_written_as_it_was(told: dict[str, Any]) -> None:
    try:
        content = canonical(told | {"format": "stempelwerk-statement/1"})
    except NotCanonical:  # too deep
        return
    assert canonical(read(content)) == content


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_whatever_is_no_statement_is_told_so(content: bytes) -> None:
    assert check(content, KEYS).code in {"format", "not_canonical"}


def test_a_digest_is_that_of_the_whole_file() -> None:
    assert json.loads(SECOND)["previous"]["digest"] == digest_of(FIRST)
