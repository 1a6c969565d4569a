"""`german.alphabetical` in SQL, for lists of names that are read page by page. The database's collation has no say."""

from typing import Any

from sqlalchemy import String
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

from stempelwerk_cloud.kit import german


class alphabetical(GenericFunction[str]):  # noqa: N801 -- a function of SQL
    """Takes a column of folded words (NFKC, without case), such as the keys of names."""

    type = String()
    inherit_cache = True


@compiles(alphabetical, "postgresql")
def _on_postgresql(element: alphabetical, compiler: Any, **more: Any) -> str:
    folded = compiler.process(element.clauses, **more)
    base = f"regexp_replace(normalize({folded}, NFKD), '[{german.MARKS}]', '', 'g')"
    for letter, plain in german.LIGATURES.items():
        base = f"replace({base}, '{letter}', '{plain}')"
    return f'(({base} || chr(1) || {folded}) COLLATE "C")'


def prepare_sqlite(connection: DBAPIConnection) -> None:
    """Makes the function known to a connection."""
    connection.create_function("alphabetical", 1, german.alphabetical, deterministic=True)
