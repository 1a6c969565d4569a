"""Refusals of inquiries."""

from stempelwerk_cloud.kit.http.problems import Problem


def not_taken() -> Problem:
    return Problem(404, "no_inquiries", "Hier werden keine Anfragen angenommen.")


def full(retry_after_s: int) -> Problem:
    """Builds the refusal at the day's limit of all visitors together."""
    return Problem(
        429,
        "inquiries_full",
        "Gerade kommen zu viele Anfragen an. Bitte später noch einmal versuchen oder anrufen.",
        headers={"Retry-After": str(max(1, retry_after_s))},
    )
