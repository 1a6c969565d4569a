"""The call about the installation that public pages make."""

from fastapi import Request

from stempelwerk_cloud.kit.http.routing import Anyone, room_router
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.site import service
from stempelwerk_cloud.people.site.service import SiteRow

router = room_router("site")


@router.get("/api/site")
async def site(_: Anyone, request: Request, platform: PlatformDep) -> SiteRow:
    """Returns the operator of this installation, and which of its public forms work."""
    return service.site_for(platform.settings, request, platform.clock.now())
