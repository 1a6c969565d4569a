"""Calls about a company's dated settings, generated from the settings that all rooms declare."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter

from stempelwerk_cloud.kit.dated import InForce, Setting
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, Wire
from stempelwerk_cloud.people.access.guards import OfCompany
from stempelwerk_cloud.people.companies import schemas, service
from stempelwerk_cloud.people.directory.companies import settings_on, today_of
from stempelwerk_cloud.people.work import Altering, Reading


def settings_router(settings: Sequence[Setting[Any]]) -> APIRouter:
    """Creates the router that reads and changes these settings of a company."""
    row, change = schemas.settings_row(settings), schemas.settings_change(settings)
    router = room_router("companies")

    def answer(in_force: InForce) -> Wire:
        values = {setting.name: in_force[setting] for setting in settings}
        return row(**values, valid_from=in_force.newest_change_day(settings))

    @router.get("/api/companies/{id}/settings", response_model=row)
    def company_settings(_: OfCompany, work: Reading, on: DayField | None = None) -> Wire:
        """Returns the settings in force today, or on the day `on`."""
        company_id = work.caller.subject_company_id
        day = on or today_of(work.session, company_id, work.now())
        return answer(settings_on(work.session, company_id, day))

    @router.put("/api/companies/{id}/settings", response_model=row)
    def change_company_settings(
        _: OfCompany,
        work: Altering,
        body: change,  # type: ignore[valid-type]  # it is made of what is declared
    ) -> Wire:
        """Changes settings and returns those in force on the first day of the change."""
        company_id = work.caller.subject_company_id
        payload: Any = body
        values = {
            setting: getattr(payload, setting.name) for setting in settings if setting.name in payload.model_fields_set
        }
        first = service.change_settings(work, company_id, values, payload.valid_from)
        return answer(settings_on(work.session, company_id, first))

    return router
