"""What mails say: each as text and as HTML with the same sentences, `<name>.txt` and `<name>.html` beside this file.

The HTML stands in `base.html`: plain, readable without its style, in dark as in light, and nothing of it is fetched
from anywhere. A value that a template wants and nobody gave is an error; in HTML all of them are escaped.
"""

from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

_ENVIRONMENT = Environment(
    loader=PackageLoader("stempelwerk_cloud.kit", "mail_templates"),
    autoescape=select_autoescape(["html"], default=False),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


class Letter(NamedTuple):
    """What a mail says, in both forms."""

    text: str
    html: str


def written(name: str, **values: str | None) -> Letter:
    """The mail of that name with these values. jinja2.UndefinedError if one is missing."""
    text, html = (_ENVIRONMENT.get_template(f"{name}.{form}").render(values) for form in ("txt", "html"))
    return Letter(text, html)
