"""The interface of the directory for other rooms, apart from its tables, which upper rooms join.

`companies` finds and locks companies and reads their settings; `people` finds and locks people; `visibility` decides
whom a caller sees and may change.
"""

PUBLISHED = ("callers", "companies", "people", "tables", "visibility", "words")
