"""The interface of records for other rooms: a person's data for a larger archive, and the retention of times."""

PUBLISHED = ("data", "page", "years")
