"""Descriptions of tables: every table has one, and rows are erased while they can still be found."""

from typing import Any

import pytest
from sqlalchemy import Column as TableColumn
from sqlalchemy import Integer, MetaData, Table, Text
from sqlalchemy.sql import visitors
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database.described import (
    column_description,
    columns_in_file,
    columns_in_view,
    columns_with,
    described,
    hidden,
    in_erasure_order,
    parts,
    shown_tables,
    table_description,
)


def _table(*columns: TableColumn[Any]) -> Table:
    return Table("described", MetaData(), *columns)


def test_every_table_is_described() -> None:
    for table in metadata().sorted_tables:
        assert table_description(table)


def test_a_table_without_a_description_is_refused() -> None:
    with pytest.raises(KeyError):
        table_description(_table())


def test_rows_are_erased_before_the_tables_that_they_are_found_through() -> None:
    order = [part.table.name for part in in_erasure_order(reversed(parts()))]
    assert sorted(order) == sorted(part.table.name for part in parts())
    for part in parts():
        condition = part.rows("company", "person")
        read_tables = {element.name for element in visitors.iterate(condition) if isinstance(element, Table)}
        for table in read_tables & set(order) - {part.table.name}:
            assert order.index(part.table.name) < order.index(table), (part.table.name, table)
    assert order.index("resolutions") < order.index("stamps") < order.index("tag_holdings")
    assert order.index("review_confirmations") < order.index("entries")


def test_no_two_tables_have_the_same_place_in_a_file_or_in_the_data_view() -> None:
    file_ranks, view_ranks = [part.rank for part in parts()], [view.rank for _, view in shown_tables()]
    for ranks in (file_ranks, view_ranks):
        explicit = [rank for rank in ranks if rank < 1000]
        assert len(set(explicit)) == len(explicit)


def test_a_column_says_what_it_is_and_common_ones_need_not() -> None:
    table = _table(
        TableColumn("company_id", Integer),
        TableColumn("id", Integer),
        TableColumn("user_id", Integer),
        TableColumn("decided_by", Integer, info=described("Entschieden von", person="actor")),
        TableColumn("leave", Integer, info=described("Urlaub", reader="absences")),
        TableColumn("secret", Text, info=hidden()),
        TableColumn("tag", Text, info=described("Chip", in_view=False)),
    )
    assert [column.key for column in columns_in_file(table)] == ["id", "user_id", "decided_by", "leave", "tag"]
    assert "leave" not in {column.key for column in columns_in_file(table, lambda reader: reader != "absences")}
    assert [column.key for column in columns_in_view(table)] == ["id", "user_id", "decided_by", "leave"]
    assert [column.key for column in columns_with(table, "subject")] == ["user_id"]
    assert [column.key for column in columns_with(table, "actor", "party")] == ["decided_by"]
    assert column_description(table.c.id).is_key
