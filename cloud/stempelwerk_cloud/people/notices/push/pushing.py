"""Web push without content: the push service wakes the browser, whose service worker shows "Neue Nachricht"."""

from datetime import datetime
from email.utils import parseaddr, parsedate_to_datetime

import structlog

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.outbox import PermanentFailure, RetryLater
from stempelwerk_cloud.kit.outward import Answer, NoTarget, NotPublic, NotReached, Outward, target_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.notices.push.vapid import PushKey

log = structlog.get_logger(__name__)

TTL_S = 24 * 60 * 60
"""Seconds that a push service stores a notice for a browser that is offline."""
TOPIC = "nachricht"
"""The topic of all pushes: of several notices that wait at the push service, the browser gets one."""
_GONE = frozenset({404, 410})
_BUSY = 429


class Gone(Exception):
    """The push service no longer knows the subscription."""


class Pushing:
    """The client for push services; one for each process."""

    def __init__(self, key: PushKey, outward: Outward, contact: str | None) -> None:
        self.key = key
        self.outward = outward
        self._contact = contact

    def send(self, endpoint: str, now: datetime) -> None:
        """Sends an empty push to the browser. Raises Gone, RetryLater (it may succeed later) or PermanentFailure (it
        never will).
        """
        try:
            target = target_of(endpoint)
            headers = {
                "Authorization": self.key.authorization(target.origin, self._contact, now),
                "TTL": str(TTL_S),
                "Urgency": "normal",
                "Topic": TOPIC,
            }
            answer = self.outward.post(target, headers)
        except (NoTarget, NotPublic) as error:
            raise PermanentFailure("the push service is not on the public internet") from error
        except NotReached as error:
            raise RetryLater(reason=f"the push service does not answer: {error}") from error
        _judge(answer, target.host, now)


def contact_of(settings: Settings) -> str | None:
    """Returns the contact that push services get: the public https URL, or a `mailto:` address; None if neither is
    set.
    """
    if settings.public_url is not None and settings.public_url.startswith("https://"):
        return settings.public_url
    _, address = parseaddr(settings.mail_from or "")
    return f"mailto:{address}" if "@" in address else None


PUSHING: Slot[Platform, Pushing] = Slot(
    lambda platform: Pushing(PushKey(platform.settings.data_dir), Outward(), contact_of(platform.settings))
)
"""The client of this process."""


def _judge(answer: Answer, host: str, now: datetime) -> None:
    if 200 <= answer.status < 300:
        return
    if answer.status in _GONE:
        raise Gone
    if answer.status == _BUSY or answer.status >= 500:
        seconds = seconds_until(answer.headers.get("retry-after", ""), now)
        raise RetryLater(seconds, f"the push service answers {answer.status}")
    # 403: it does not accept our key; 3xx: redirects are not followed.
    log.error("push_refused", host=host, status=answer.status)
    raise PermanentFailure(f"the push service answers {answer.status}")


def seconds_until(retry_after: str, now: datetime) -> float | None:
    """Returns the seconds that a `Retry-After` asks for, given as seconds or a date; None if it is unreadable."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return (parsedate_to_datetime(text) - now).total_seconds()
    except (ValueError, TypeError):  # no date, or one without a zone
        return None
