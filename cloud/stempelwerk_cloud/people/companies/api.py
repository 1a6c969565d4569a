"""Calls about companies and their modules."""

from fastapi import Response

from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.request_life import ReadTx
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly, MemberOf
from stempelwerk_cloud.people.companies import service
from stempelwerk_cloud.people.companies.schemas import CompanyRow, FeatureChoice, FeatureRow, NewCompany, OwnCompanyRow
from stempelwerk_cloud.people.directory.companies import features_of, open_companies, open_company, zone_of
from stempelwerk_cloud.people.directory.words import FEATURES
from stempelwerk_cloud.people.work import Writing

router = room_router("companies")


@router.get("/api/companies")
def list_companies(_: AdminOnly, tx: ReadTx, paging: PagingDep) -> list[CompanyRow]:
    """Lists the open companies, including the operator's own, by name."""
    return [CompanyRow.model_validate(company) for company in paging.cut_whole(open_companies(tx))]


@router.post("/api/companies", status_code=201)
def create_company(_: AdminOnly, work: Writing, body: NewCompany) -> CompanyRow:
    return CompanyRow.model_validate(service.create(work, body.name))


@router.get("/api/companies/{id}")
def one_company(caller: MemberOf, tx: ReadTx, platform: PlatformDep) -> OwnCompanyRow:
    """Returns the company's name and time zone, for its people."""
    company = open_company(tx, caller.subject_company_id)
    zone = zone_of(tx, company.id, platform.clock.now())
    return OwnCompanyRow.from_row(company, time_zone=zone.key)


@router.delete("/api/companies/{id}", status_code=204)
def delete_company(_: AdminOnly, work: Writing, company_id: PathId) -> Response:
    """Closes the company and ends its people's sessions; its data stays as long as the law requires."""
    service.close(work, company_id)
    return Response(status_code=204)


@router.get("/api/features")
def list_features(_: AdminOnly) -> list[FeatureRow]:
    """Lists the modules that can be switched for a company."""
    return [FeatureRow.model_validate(feature) for feature in FEATURES]


@router.get("/api/companies/{id}/features")
def company_features(caller: MemberOf, tx: ReadTx) -> list[FeatureRow]:
    """Lists the modules that the company may use."""
    return [FeatureRow.model_validate(feature) for feature in features_of(tx, caller.subject_company_id)]


@router.put("/api/companies/{id}/features")
def set_company_features(_: AdminOnly, work: Writing, company_id: PathId, body: FeatureChoice) -> list[FeatureRow]:
    """Sets the company's modules, named by id or key; all others are removed."""
    features = service.set_features(work, company_id, body.feature_ids)
    return [FeatureRow.model_validate(feature) for feature in features]
