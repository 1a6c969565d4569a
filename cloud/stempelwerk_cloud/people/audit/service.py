"""The audit log: writes entries about decisions, and detects tampering with them. The interface for all other rooms.

An entry belongs to the transaction of its decision: both are committed or neither. `append` collects it in memory, and
it is written just before the commit. So the lock of a company's chain is the last one that a transaction takes, and
locks of several chains are taken in the order of the companies. This rules out deadlocks, and a wait lasts no longer
than a commit. Deliberately not here: stamps and entries derived from them, and reading the log (`audit_log`).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from sqlalchemy import event
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.audit import chain, operators, queries
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.chain import Link
from stempelwerk_cloud.people.audit.operators import Operator
from stempelwerk_cloud.people.audit.tables import AuditEntry, AuditWord

SALT_BYTES = 32


class Subject(NamedTuple):
    """The subject of an audit entry: its id, and when the entry was written. The subject's name may depend on both."""

    id: str
    written_at: datetime


Resolver = Callable[[Session, str, Collection[Subject]], Mapping[Subject, str]]
"""(session, company_id, subjects) -> the subjects' names as the company's log shows them; unknown subjects are left
out.
"""


@dataclass(frozen=True, slots=True)
class ErasableText:
    """A personal word (a name, a tag) among an entry's values. It is stored separately, so that it can be erased.

    `subject_id` is the id of the person or thing that the word names; without it, the subject of the entry.
    """

    text: str
    subject_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Note:
    actor: str | None
    action: Action
    subject: str | None
    old_values: Mapping[str, Any] | None
    new_values: Mapping[str, Any] | None
    operator: Operator | None


RESOLVERS: Slot[Platform, dict[str, Resolver]] = Slot(lambda _: {})
"""The resolvers of the subjects' names, by the first word of an action."""
_PENDING: Slot[Session, dict[str, list[_Note]]] = Slot(lambda _: {})
"""The decisions of the transaction, by company."""
_ERASED: Slot[Session, set[tuple[str, str]]] = Slot(lambda _: set())
"""The subjects whose words the transaction has erased, each with its company."""


def append(
    session: Session,
    platform: Platform,
    company_id: str,
    actor_id: str | None,
    action: Action,
    subject: str | None = None,
    old_values: Mapping[str, Any] | None = None,
    new_values: Mapping[str, Any] | None = None,
    *,
    operator: Operator | None = None,
) -> None:
    """Adds a decision to the company's log when this transaction is committed.

    `actor_id` None: the installation's own command. `subject` is the id of what the decision is about; `old_values` and
    `new_values` are its values before and after, as JSON. Names and tags go in as `ErasableText`. `operator`: a system
    administrator or the server; the operator log gets a row too.
    """
    noted = _PENDING.get(session)
    if noted is None:
        noted = _PENDING.of(session)
        event.listen(session, "before_commit", partial(_write, platform))
    noted.setdefault(company_id, []).append(_Note(actor_id, action, subject, old_values, new_values, operator))


def actions_in(*modules: ModuleType) -> tuple[Action, ...]:
    """Returns the actions that modules of a room declare: their constants of that type."""
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, Action))


def register_resolver(platform: Platform, kind: str, resolver: Resolver) -> None:
    """Registers the resolver of the subjects' names for actions whose first word is `kind`."""
    RESOLVERS.of(platform)[kind] = resolver


def erase_words(session: Session, company_id: str, subject_id: str) -> None:
    """Erases the stored personal words about a person or thing. The hash chain stays valid; the log shows null instead.

    Words in entries of this same transaction are hashed, but never stored.
    """
    queries.erase_words(session, company_id, subject_id)
    _ERASED.of(session).add((company_id, subject_id))


def _write(platform: Platform, session: Session) -> None:
    if session.in_nested_transaction():  # a savepoint is no commit
        return
    noted = _PENDING.of(session)
    logs: dict[tuple[Action, str | None], str] = {}
    for company_id in sorted(noted):
        queries.lock(session, company_id)
        last = queries.head(session, company_id)
        no, previous = (0, chain.BEGINNING) if last is None else last
        for note in noted[company_id]:
            no += 1
            entry = _entry(session, platform, company_id, no, previous, note)
            session.add(entry)
            # One decision may have an entry in two companies' logs; the operator log gets only one row for it.
            if note.operator is not None and logs.setdefault((note.action, note.subject), company_id) == company_id:
                _note_operator(session, platform, note.operator, entry)
            previous = entry.hash
    noted.clear()
    session.flush()


def _note_operator(session: Session, platform: Platform, operator: Operator, entry: AuditEntry) -> None:
    # An entry about another company in the operator's own log concerns that company.
    is_about_company = entry.action.startswith("company.") and entry.subject is not None
    operators.note(
        session,
        platform.ids,
        entry.at,
        operator,
        Action(entry.action),
        company_id=entry.subject if is_about_company else entry.company_id,
        subject=entry.subject,
        entry=entry.id,
    )


def _entry(session: Session, platform: Platform, company_id: str, no: int, previous: bytes, note: _Note) -> AuditEntry:
    written_at = platform.clock.now()
    seal_values = partial(_seal_texts, session, platform, company_id, note.subject)
    old_json = None if note.old_values is None else chain.canonical(seal_values(note.old_values))
    new_json = None if note.new_values is None else chain.canonical(seal_values(note.new_values))
    link = Link(
        company_id, no, platform.ids.new(), ms_of(written_at), note.actor, note.action, note.subject, old_json, new_json
    )
    return AuditEntry(
        company_id=company_id,
        no=no,
        id=link.id,
        at=written_at,
        actor=note.actor,
        action=note.action,
        subject=note.subject,
        before=old_json,
        after=new_json,
        hash=chain.hash_of(previous, link),
    )


def _seal_texts(session: Session, platform: Platform, company_id: str, subject: str | None, value: Any) -> Any:
    """Replaces each `ErasableText` in a value by its seal (a salted hash), and stores the word separately."""
    if isinstance(value, ErasableText):
        salt = platform.ids.token(SALT_BYTES)
        sealed, subject_id = chain.seal(salt, value.text), value.subject_id or subject
        if (company_id, subject_id) not in _ERASED.of(session):
            session.add(AuditWord(company_id=company_id, id=sealed, about=subject_id, salt=salt, word=value.text))
        return {chain.WORD: sealed}
    if isinstance(value, Mapping):
        return {name: _seal_texts(session, platform, company_id, subject, member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_seal_texts(session, platform, company_id, subject, member) for member in value]
    return value


@dataclass(slots=True)
class Checked:
    """The result of verifying all chains. `heads`: by company, the number of entries and the last hash in hexadecimal;
    `broken_places`: by company, the first broken place.

    The head of a broken chain is that of its last intact entry. A company without entries counts 0: it was created
    before the log existed, or its log is gone. The log of a purged company may be gone; its tombstone records the last
    head.
    """

    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    broken_places: dict[str, str] = field(default_factory=dict)

    @property
    def broken(self) -> str | None:
        """The first broken place of each chain, a line each; None if all are intact."""
        lines = [f"company {company_id}, {self.broken_places[company_id]}" for company_id in sorted(self.broken_places)]
        return "\n".join(lines) or None


def head(session: Session, company_id: str) -> tuple[int, bytes]:
    """Returns the number of entries of the company's chain, and the hash of the last."""
    return queries.head(session, company_id) or (0, chain.BEGINNING)


def verify(session: Session, expected: Mapping[str, tuple[int, str]] | None = None) -> Checked:
    """Verifies every chain from its beginning. `expected`: heads recorded earlier (count, hash in hexadecimal), which
    the chains must still contain.

    Reads all entries once, in order. Stored personal words must match their seals; erased ones are accepted.
    """
    report = Checked({company_id: (0, chain.BEGINNING.hex()) for company_id in queries.companies(session)})
    awaited = {company_id: head for company_id, head in (expected or {}).items() if head[0]}
    for link, kept_hash in queries.links(session):
        company_id = link.company_id
        if company_id in report.broken_places:
            continue
        count, head = report.heads.get(company_id, (0, chain.BEGINNING.hex()))
        if link.no != count + 1:
            reason = f"is missing, the next one there is entry {link.no}."
        elif chain.hash_of(bytes.fromhex(head), link) != kept_hash:
            reason = "its hash does not fit what it says and what stands before it."
        elif link.no == awaited.get(company_id, (0, ""))[0] and awaited.pop(company_id)[1] != kept_hash.hex():
            reason = "is not the one whose hash was written down."
        else:
            report.heads[company_id] = (link.no, kept_hash.hex())
            continue
        report.broken_places[company_id] = f"entry {count + 1}: {reason}"
    for company_id in awaited.keys() - queries.purged_companies(session) - report.broken_places.keys():
        entry_count = report.heads.get(company_id, (0, ""))[0]
        place = f"entry {entry_count + 1}: is missing, {awaited[company_id][0]} were written down."
        report.broken_places[company_id] = place
    for company_id, sealed in queries.forged_words(session):
        report.broken_places.setdefault(company_id, f"the word {sealed} is not the one that was sealed.")
    return report
