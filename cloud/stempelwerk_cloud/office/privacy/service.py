"""Use cases of the privacy notice: what a company has agreed to, and agreeing, once and for good."""

from typing import NamedTuple

from stempelwerk_cloud.kit.database.upsert import upsert
from stempelwerk_cloud.office.privacy import actions, problems
from stempelwerk_cloud.office.privacy.papers import TITLES as PAPERS
from stempelwerk_cloud.office.privacy.papers import ordered as paper
from stempelwerk_cloud.office.privacy.tables import PrivacyConsent
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work

__all__ = ["PAPERS", "VERSION", "Consent", "accept", "current", "paper"]

VERSION = "v1.0"
"""Of the notice that the page shows (8 August 2025). Who has agreed to an older one has not agreed to this one."""


class Consent(NamedTuple):
    """By whom, as a username, and when; both None until somebody has."""

    row: PrivacyConsent | None
    by: str | None


def current(work: Work, company_id: str) -> Consent:
    """What the company has said to this version."""
    row = work.session.get(PrivacyConsent, (company_id, VERSION))
    if row is None:
        return Consent(None, None)
    return Consent(row, directory.deciders_of(work.session, company_id, [row.accepted_by]).get(row.accepted_by))


def accept(work: Work, company_id: str, version: str, *, accepted: bool) -> Consent:
    """The company agrees; of two at once the first counts, and both are told so. 422 for another version, or for no."""
    if not accepted:
        raise problems.not_taken_back()
    if version != VERSION:
        raise problems.other_version(VERSION)
    work.company(company_id)
    said = {"company_id": company_id, "version": VERSION, "accepted_at": work.now(), "accepted_by": work.by}
    new = upsert(work.session, PrivacyConsent).values(**said).on_conflict_do_nothing()
    if work.session.execute(new.returning(PrivacyConsent.version)).first() is not None:
        work.audit(company_id, actions.ACCEPTED, company_id, after={"version": VERSION})
    return current(work, company_id)
