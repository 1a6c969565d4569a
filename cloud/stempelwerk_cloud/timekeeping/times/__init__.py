"""Times as people, administrators and clocks read them: entries, sums, reviews and held stamps."""

PUBLISHED = (
    "clock_people",
    "held.waiting",
    "reading.finding",
    "reading.own",
    "reading.values",
    "reading.worked",
    "review.review",
)
