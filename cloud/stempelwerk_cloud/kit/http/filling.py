"""Fills prebuilt documents with data that only the running installation knows.

A token `⟦operator.street.text⟧` stands for a leaf of a JSON value by its dotted path, as text that is safe in HTML and
XML, in quotes too; `⟦site⟧` for a whole document, as JSON that is safe inside of a `<script>`. Unknown tokens are left
as they are. Inserted values are not scanned again, so that no user's words become a token.
"""

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

_TOKEN = re.compile(r"⟦([A-Za-z0-9.]+)⟧")
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class Filling(NamedTuple):
    """The replacement of each token. Equal fillings give equal documents."""

    words: tuple[tuple[str, str], ...]


def make_filling(leaves: Mapping[str, Any], **documents: Any) -> Filling:
    """Builds a filling of leaves by their dotted paths, and of whole documents by their names."""
    document_words = [(name, _json(document)) for name, document in documents.items()]
    return Filling((*_flat("", leaves), *document_words))


def filled(text: str, filling: Filling) -> str:
    words = dict(filling.words)
    return _TOKEN.sub(lambda token: words.get(token[1], token[0]), text)


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _flat(f"{path}.{name}" if path else name, member)
    else:
        yield path, escape(value if isinstance(value, str) else json.dumps(value), quote=True)


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)
