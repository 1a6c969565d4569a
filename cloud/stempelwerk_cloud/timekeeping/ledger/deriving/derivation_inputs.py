"""The inputs of a company's derivations other than stamps: holders of tags, dated settings, and people with decisions
or limits of working time of their own.

Holders are read for many tags or people at once, and looked up for one instant (pure). The inputs are valid for one
revision of the company. Writers of these things lock the company's rules exclusively (see `people/companies`) and call
`bump` in the same transaction. `keep` locks them out, reads the revision, and reuses remembered inputs only if they are
of that revision.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH, MILLISECOND, from_ms, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.domain.working_time_act import DatedLimits
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.directory.companies import lock_rules, lock_rules_shared
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.timekeeping.ledger import decisions
from stempelwerk_cloud.timekeeping.ledger.deriving.stretch import Gaps
from stempelwerk_cloud.timekeeping.ledger.settings import rules_of
from stempelwerk_cloud.timekeeping.status_bits import REVOKED_TAG, UNKNOWN_TAG
from stempelwerk_cloud.timekeeping.tx import COMPANIES_LIMIT, Tx

_HELD = "SELECT h.tag, h.user_id::text, h.held_from, h.held_until"
_BY_TAG = Statement(
    f"{_HELD} FROM @rows(w: tag text) @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.tag = w.tag)"
)
_BY_USER = Statement(
    f"{_HELD} FROM @rows(w: user_id uuid)"
    " @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.user_id = w.user_id)"
)


class Held(NamedTuple):
    """A holding as read: the person held the tag from `held_from` (None: always) to before `held_until`
    (None: still).
    """

    tag: str
    user_id: str
    held_from: datetime | None
    held_until: datetime | None


class Holding(NamedTuple):
    """A person's holding of a tag from `from_ms` (None: always) to before `until_ms` (None: still)."""

    user_id: str
    from_ms: int | None
    until_ms: int | None


def holders_of(session: Session, company_id: str, tags: Iterable[str]) -> list[Held]:
    """Returns all holdings of these tags, sorted by tag and beginning.

    A writer that depends on them calls `directory.lock_rules_shared` first.
    """
    return _read_held(session, _BY_TAG, company_id, [{"tag": tag} for tag in tags])


def holdings_of(session: Session, company_id: str, user_ids: Iterable[str]) -> list[Held]:
    """Returns all holdings of these people, sorted by tag and beginning."""
    return _read_held(session, _BY_USER, company_id, [{"user_id": user_id} for user_id in user_ids])


def _read_held(session: Session, statement: Statement, company_id: str, keys: list[dict[str, str]]) -> list[Held]:
    """Reads holdings, sorted by tag, then by beginning; one without a beginning comes first."""
    session.flush()
    rows = Sql(session).rows(statement, {"company": company_id, "w": as_rows(keys)})
    holdings = [
        Held(tag, user_id, _instant(held_from), _instant(held_until)) for tag, user_id, held_from, held_until in rows
    ]
    return sorted(holdings, key=lambda holding: (holding.tag, holding.held_from or EPOCH, holding.user_id))


def _instant(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)


def holder(at_ms: int, holdings: Iterable[Holding]) -> tuple[str | None, int]:
    """Returns the tag's holder at that time and 0; without a holder None and the status bit of the reason.

    The bit is `REVOKED_TAG` if the tag had a holder before, otherwise `UNKNOWN_TAG`.
    """
    withdrawn = False
    for holding in holdings:
        if holding.until_ms is not None and holding.until_ms <= at_ms:
            withdrawn = withdrawn or holding.from_ms is None or holding.from_ms < holding.until_ms
        elif holding.from_ms is None or holding.from_ms <= at_ms:
            return holding.user_id, 0
    return None, REVOKED_TAG if withdrawn else UNKNOWN_TAG


NEVER_SWEPT = "0001-01-01"
"""The value of `swept_to` before the first sweep. No entry is dated before this day."""
_REVISION = Statement("SELECT revision, swept_to::text FROM derivation_revisions WHERE company_id = :company::uuid")
_BUMP = Statement(
    "INSERT INTO derivation_revisions (company_id, revision) VALUES (:company::uuid, 1)"
    " ON CONFLICT (company_id) DO UPDATE SET revision = derivation_revisions.revision + 1"
)


class DerivationInputs:
    """The tags, settings, limits and decided people of one company at one revision. Tags are read when first needed.

    `rules` are the company's; `rules_for` and `gaps_for` return those of one person.
    """

    def __init__(
        self,
        company_id: str,
        revision: int,
        rules: DatedRules,
        limits: Mapping[str, DatedLimits],
        decided: frozenset[str],
        swept_to: str,
    ) -> None:
        self.company_id = company_id
        self.revision = revision
        self.rules = rules
        self.decided = decided
        self.swept_to = swept_to
        self._gaps = _gaps(rules)
        self._limits = limits
        self._own: dict[str, tuple[DatedRules, Gaps]] = {}
        self._of_tag: dict[str, list[Holding]] = {}
        self._of_user: dict[str, list[tuple[str, Holding]]] = {}

    def rules_for(self, user_id: str) -> DatedRules:
        """Returns the company's rules, with the person's own limits of working time if they have any."""
        return self._owned(user_id)[0] if user_id in self._limits else self.rules

    def gaps_for(self, user_id: str) -> Gaps:
        """Returns the pauses (ms) beyond which stamps do not depend on earlier ones, by the person's rules."""
        return self._owned(user_id)[1] if user_id in self._limits else self._gaps

    def need_tags(self, tx: Tx, tags: Iterable[str]) -> None:
        """Reads the holders of these tags, and the other tags of those people."""
        missing = {tag for tag in tags if tag not in self._of_tag}
        if not missing:
            return
        holdings_by_tag: dict[str, list[Holding]] = {tag: [] for tag in missing}
        people = set()
        for row in holders_of(tx.session, self.company_id, missing):
            holdings_by_tag[row.tag].append(Holding(row.user_id, _ms(row.held_from), _ms(row.held_until)))
            people.add(row.user_id)
        self.need_users(tx, people)
        self._of_tag.update(holdings_by_tag)

    def need_users(self, tx: Tx, user_ids: Iterable[str]) -> None:
        """Reads the tags of these people."""
        missing = {user_id for user_id in user_ids if user_id not in self._of_user}
        if not missing:
            return
        holdings_by_user: dict[str, list[tuple[str, Holding]]] = {user_id: [] for user_id in missing}
        for row in holdings_of(tx.session, self.company_id, missing):
            holdings_by_user[row.user_id].append(
                (row.tag, Holding(row.user_id, _ms(row.held_from), _ms(row.held_until)))
            )
        self._of_user.update(holdings_by_user)

    def holder(self, tag: str, at_ms: int) -> tuple[str | None, int]:
        """Returns the tag's holder at that time and 0; without a holder None and the status bit of the reason.

        Call `need_tags` first.
        """
        return holder(at_ms, self._of_tag[tag])

    def holders(self, tag: str) -> set[str]:
        """Returns all people who ever held the tag. Call `need_tags` first."""
        return {holding.user_id for holding in self._of_tag[tag]}

    def held_by(self, user_id: str) -> list[tuple[str, Holding]]:
        """Returns (tag, holding) for each time that the person held a tag. Call `need_users` or `need_tags` first."""
        return self._of_user[user_id]

    def _owned(self, user_id: str) -> tuple[DatedRules, Gaps]:
        rules_and_gaps = self._own.get(user_id)
        if rules_and_gaps is None:
            rules = self.rules.for_person(self._limits[user_id])
            rules_and_gaps = self._own[user_id] = rules, _gaps(rules)
        return rules_and_gaps


def _gaps(rules: DatedRules) -> Gaps:
    return Gaps(*(gap // MILLISECOND for gap in (rules.idle_gap, rules.shift_gap, rules.rest_gap)))


def remembered(tx: Tx, company_id: str) -> DerivationInputs | None:
    """Returns the inputs that the process remembers, or None. The caller must check their revision under the lock."""
    inputs: DerivationInputs | None = tx.memory.inputs.get(company_id)
    return inputs


def forget(tx: Tx, company_id: str) -> None:
    """Drops the remembered inputs of the company, because they are outdated."""
    tx.memory.inputs.pop(company_id, None)


def keep(tx: Tx, company_id: str) -> DerivationInputs:
    """Returns the company's inputs, locked against changes until the end of the transaction.

    A caller that needs several companies locks them in the order of their ids, which rules out deadlocks.
    """
    lock_rules_shared(tx.session, company_id)
    revision, swept_to = _revision(tx, company_id)
    remembered_inputs = remembered(tx, company_id)
    if remembered_inputs is not None and remembered_inputs.revision == revision:
        return remembered_inputs
    inputs = _read(tx, company_id, revision, swept_to)
    tx.memory.inputs[company_id] = inputs
    while len(tx.memory.inputs) > COMPANIES_LIMIT:
        tx.memory.inputs.popitem(last=False)
    return inputs


def lock_and_read(tx: Tx, company_id: str) -> DerivationInputs:
    """Locks the company's rules exclusively until the end of the transaction, and reads the inputs from the database.

    For transactions that change inputs or decide. The result is not remembered, because the transaction may be rolled
    back.
    """
    lock_rules(tx.session, company_id)
    return _read(tx, company_id, *_revision(tx, company_id))


def bump(tx: Tx, company_id: str) -> None:
    """Increases the company's revision after a change of tags, settings, limits or decisions. The caller holds the lock
    on its rules.
    """
    tx.session.flush()
    tx.sql.do(_BUMP, {"company": company_id})


def _revision(tx: Tx, company_id: str) -> tuple[int, str]:
    rows = tx.sql.rows(_REVISION, {"company": company_id})
    return (rows[0][0], rows[0][1] or NEVER_SWEPT) if rows else (0, NEVER_SWEPT)


def _read(tx: Tx, company_id: str, revision: int, swept_to: str) -> DerivationInputs:
    return DerivationInputs(
        company_id,
        revision,
        rules_of(tx.session, company_id),
        employment.limits_of(tx.session, company_id),
        decisions.decided_people(tx.session, company_id),
        swept_to,
    )


def _ms(instant: datetime | None) -> int | None:
    return None if instant is None else ms_of(instant)
