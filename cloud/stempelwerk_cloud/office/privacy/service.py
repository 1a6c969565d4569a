"""Use cases of the privacy notice: what a company has agreed to, and agreeing, once and for good."""

from typing import NamedTuple

from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.office.privacy import words
from stempelwerk_cloud.office.privacy.tables import PrivacyConsent
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.people import deciders_of
from stempelwerk_cloud.people.work import UnitOfWork

ACCEPTED = Action("privacy.accepted")


VERSION = "v1.0"
"""Version of the notice on the page (8 August 2025). Consent to an older version does not count for this one."""


class Consent(NamedTuple):
    """The consent with the username of its author; both None without consent."""

    row: PrivacyConsent | None
    accepted_by: str | None


def current(work: UnitOfWork, company_id: str) -> Consent:
    """Returns the company's consent to this version."""
    row = work.session.get(PrivacyConsent, (company_id, VERSION))
    if row is None:
        return Consent(None, None)
    return Consent(row, deciders_of(work.session, company_id, [row.accepted_by]).get(row.accepted_by))


def accept(work: UnitOfWork, company_id: str, version: str, *, accepted: bool) -> Consent:
    """Records the company's consent. Of two concurrent ones the first counts, and both callers get it. 422 for another
    version, or for a refusal.
    """
    if not accepted:
        raise words.not_taken_back()
    if version != VERSION:
        raise words.other_version(VERSION)
    work.company(company_id)
    values = {"company_id": company_id, "version": VERSION, "accepted_at": work.now(), "accepted_by": work.actor_id}
    new = upsert(work.session, PrivacyConsent).values(**values).on_conflict_do_nothing()
    if work.session.execute(new.returning(PrivacyConsent.version)).first() is not None:
        work.audit(company_id, ACCEPTED, company_id, new_values={"version": VERSION})
    return current(work, company_id)
