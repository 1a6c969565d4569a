"""The texts of mails: each as text and as HTML with the same sentences, in `<name>.txt` and `<name>.html` in this
folder.

The HTML is embedded in `base.html`: plain, readable without its style, in dark as in light, without external resources.
A missing value is an error; in HTML all values are escaped.
"""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jinja2 import Environment


class Letter(NamedTuple):
    """The text of a mail, in both forms."""

    text: str
    html: str


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape  # noqa: PLC0415 -- 25 ms that no start waits for

    return Environment(
        loader=PackageLoader("stempelwerk_cloud.kit", "mail_templates"),
        autoescape=select_autoescape(["html"], default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(name: str, **values: str | None) -> Letter:
    """Renders the mail of that name with these values. jinja2.UndefinedError if one is missing."""
    text, html = (_environment().get_template(f"{name}.{form}").render(values) for form in ("txt", "html"))
    return Letter(text, html)
