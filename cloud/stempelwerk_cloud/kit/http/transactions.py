"""The transactions of requests: a request is one transaction.

`ReadTx` and `WriteTx` have the scope "function": the commit happens when the endpoint has returned and before the first
byte of the answer leaves, so a 2xx always means "committed". Just before it the guard checks the caller's access again
(`request.state.judge_again`), under a lock that is held until the commit.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Protocol

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.scopes import NOBODY, Scope
from stempelwerk_cloud.kit.platform import Platform


class TransactionHook(Protocol):
    """A hook into a request's writing transaction (`request.state.transaction_hook`): `begin` runs before the endpoint,
    `end` after it.
    """

    def begin(self, session: Session) -> None: ...

    def end(self, session: Session) -> None: ...


def _read_tx(request: Request) -> Iterator[Session]:
    platform: Platform = request.app.state.platform
    with platform.database.read(scope_of(request)) as session:
        yield session


def _write_tx(request: Request) -> Iterator[Session]:
    platform: Platform = request.app.state.platform
    hook: TransactionHook | None = getattr(request.state, "transaction_hook", None)
    judge: Callable[[Session], None] | None = getattr(request.state, "judge_again", None)
    with platform.database.write(scope_of(request)) as session:
        if hook is not None:
            hook.begin(session)
        yield session
        if judge is not None:
            judge(session)
        if hook is not None:
            hook.end(session)


def scope_of(request: Request) -> Scope:
    """Returns the row scope that the guard has set; without a guard's caller, `NOBODY`, which sees no company's
    rows.
    """
    scope: Scope = getattr(request.state, "scope", NOBODY)
    return scope


write_of = contextmanager(_write_tx)
"""A request's writing transaction as a context manager, for a dependency that opens it only if the request is no dry
run.
"""
ReadTx = Annotated[Session, Depends(_read_tx, scope="function")]
WriteTx = Annotated[Session, Depends(_write_tx, scope="function")]
