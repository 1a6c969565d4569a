"""The import of a company's people."""

from stempelwerk_cloud.kit.files import sheets
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.planning.importing.api import UPLOAD, UPLOAD_BYTES, router

ROOM = Room("importing", router, refused_for_size={UPLOAD: sheets.too_large()}, body_limits={UPLOAD: UPLOAD_BYTES})
