"""A company's consent to the privacy notice, and its papers about how its data are processed."""

PUBLISHED = ("documents.papers",)
