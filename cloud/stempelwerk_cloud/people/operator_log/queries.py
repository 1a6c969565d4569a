"""Queries on the operator log, newest first."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import pages
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.directory.tables import key as name_key


def page(
    session: Session,
    page_request: PageRequest,
    *,
    start: datetime | None,
    end: datetime | None,
    text: str,
    actions: Collection[str],
) -> list[Any]:
    """Returns a page of the rows from `start` until before `end`, and one more if more follow. Raises NoSuchRow.

    With `text` or `actions`, only rows that contain the text or have one of the actions.
    """
    columns = [column for column in OperatorEntry.__table__.columns if column.name != "words"]
    conditions: list[ColumnElement[bool]] = [] if start is None else [OperatorEntry.at >= start]
    conditions += [] if end is None else [OperatorEntry.at < end]
    matching: ColumnElement[bool] | None = OperatorEntry.action.in_(actions) if actions else None
    if text:
        matches_text = OperatorEntry.words.contains(name_key(text), autoescape=True)
        matching = matches_text if matching is None else matches_text | matching
    conditions += [] if matching is None else [matching]
    order = (OperatorEntry.at, OperatorEntry.id)
    return pages.page(session, select(*columns), conditions, order, page_request, descending=True)
