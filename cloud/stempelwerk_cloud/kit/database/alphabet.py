"""Sort orders of paged lists, in SQL, independent of the database's collation.

Names are sorted by `german.alphabetical`, machine names by code points.
"""

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
def _on_postgresql(element: alphabetical, compiler: Any, **options: Any) -> str:
    folded = compiler.process(element.clauses, **options)
    base = f"regexp_replace(normalize({folded}, NFKD), '[{german.MARKS}]', '', 'g')"
    for letter, plain in german.LIGATURES.items():
        base = f"replace({base}, '{letter}', '{plain}')"
    return f'(({base} || chr(1) || {folded}) COLLATE "C")'


class by_code_point(GenericFunction[str]):  # noqa: N801 -- a function of SQL
    """Takes a column of text, and sorts it as Python does."""

    type = String()
    inherit_cache = True


@compiles(by_code_point, "postgresql")
def _code_points_on_postgresql(element: by_code_point, compiler: Any, **options: Any) -> str:
    return f'({compiler.process(element.clauses, **options)} COLLATE "C")'


@compiles(by_code_point, "sqlite")
def _code_points_on_sqlite(element: by_code_point, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)} COLLATE BINARY)"


def prepare_sqlite(connection: DBAPIConnection) -> None:
    """Makes the function known to a connection."""
    connection.create_function("alphabetical", 1, german.alphabetical, deterministic=True)
