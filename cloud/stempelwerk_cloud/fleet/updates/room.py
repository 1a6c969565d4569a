"""The room of the signed update repository for clocks."""

from datetime import timedelta

from stempelwerk_cloud.fleet.updates import expiry, words
from stempelwerk_cloud.fleet.updates.api import RELEASES, UPLOAD_BYTES, router
from stempelwerk_cloud.fleet.updates.intake import collecting, publishing
from stempelwerk_cloud.fleet.updates.service import FOLDER
from stempelwerk_cloud.fleet.updates.signed import signing
from stempelwerk_cloud.fleet.updates.signed.keys import KEY_FILE, identify
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "updates",
    router,
    jobs=(
        PerCompanyJob("sign_updates", timedelta(hours=1), signing.sign_daily),
        PerCompanyJob("collect_update_files", timedelta(hours=6), collecting.collect),
    ),
    audit_actions=actions_in(publishing),
    gauges={"update_days_left": expiry.days_left, "update_service_days_left": expiry.service_days_left},
    ports=(ports.EXPIRIES.provided_by(expiry.warnings),),
    refused_for_size={RELEASES: words.bundle_too_large()},
    streamed_bodies={RELEASES: UPLOAD_BYTES},
    hears=publishing.hears,
    files=(KEY_FILE, f"{FOLDER}/"),
    keys={KEY_FILE: identify},
)
