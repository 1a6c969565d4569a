"""Endpoints of alarms. A company's administrators see their own alarms, system administrators all."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.fleet.alarms import service
from stempelwerk_cloud.fleet.alarms.service import AlarmRow, AlarmSettingsBody, AlarmSettingsChange
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.people.access.guards import administrators_with, own_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("alarms")

Own = Annotated[Caller, Depends(own_company_with(service.MODULE))]
"""Administrators who may manage devices, for their own company. For a system administrator some endpoints cover all
companies.
"""
Manager = Annotated[Caller, Depends(administrators_with(service.MODULE))]
"""Administrators who may manage devices. The called service checks that the alarm belongs to their company."""


@router.get("/api/alarms")
def alarms(
    _: Own, work: Reading, paging: PagingDep, is_open: Annotated[bool, Query(alias="open")] = False
) -> list[AlarmRow]:
    """Lists the alarms of the company, newest first; for a system administrator those of all companies. `open`: only
    open ones.
    """
    return service.rows(work, paging.cut(service.page(work, paging.page_request, is_open=is_open)))


@router.post("/api/alarms/{id}/acknowledge")
def acknowledge(_: Manager, work: Writing, alarm_id: PathId) -> AlarmRow:
    """Records the caller as the person who handles the alarm. A later acknowledgement does not replace the first."""
    return service.rows(work, [service.acknowledge(work, alarm_id)])[0]


@router.get("/api/alarm-settings")
def alarm_settings(caller: Own, work: Reading) -> AlarmSettingsBody:
    """Returns the settings for mails about alarms of the caller's company. The operator's apply to its mails about all
    companies.
    """
    return service.settings_body(work, caller.company_id)


@router.put("/api/alarm-settings")
def change_alarm_settings(caller: Own, work: Writing, body: AlarmSettingsChange) -> AlarmSettingsBody:
    """Changes the settings for mails about alarms. Raises 422 if only one end of the quiet hours is given, or both are
    equal.
    """
    return service.change_settings(work, caller.company_id, body)
