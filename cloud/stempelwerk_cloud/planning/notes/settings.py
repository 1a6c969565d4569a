"""What a company sets about its notes."""

from stempelwerk_cloud.kit.dated import Setting

KEPT_DAYS = Setting("notes_kept_days", int, 90, least=1, most=730)
