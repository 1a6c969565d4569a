"""How many statements something takes: those of SQLAlchemy, and the set-based ones that go past it."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event
from stempelwerk_cloud.kit.database.statements import Sql
from stempelwerk_cloud.kit.platform import Platform


def statements_of(platform: Platform, action: Callable[[], object]) -> int:
    """The number of statements that pages' connections send meanwhile."""
    return len(sent_by(platform, action))


def sent_by(platform: Platform, action: Callable[[], object]) -> list[object]:
    """The statements that pages' connections send meanwhile: the text, or a set-based statement with its parameters.

    On SQLite the two that begin each transaction are among them. On PostgreSQL it begins by a message of the driver,
    which also sets the scope and is not counted.
    """
    sent: list[object] = []
    several, stream = Sql.several, Sql.stream

    def note(*called: Any) -> None:
        sent.append(called[2])

    def note_several(sql: Sql, asked: Any, **more: Any) -> Any:
        sent.extend(asked)
        return several(sql, asked, **more)

    def note_stream(sql: Sql, *asked: Any) -> Any:
        sent.append(asked)
        return stream(sql, *asked)

    event.listen(platform.database.engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sql, "several", note_several)
        patch.setattr(Sql, "stream", note_stream)
        action()
    event.remove(platform.database.engine, "before_cursor_execute", note)
    return sent
