"""Half days in JSON bodies: numbers such as 12 or 12.5 outside, whole numbers of halves inside."""

from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from stempelwerk_cloud.domain.half_days import halves_of, number_of


def halves_input(most_days: int) -> Any:
    """Returns the type of a number of days in a request: a multiple of a half, at most `most_days` up or down."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most_days:
            raise ValueError("not a number of half days")
        return halves_of(value)

    schema = {"type": "number", "multipleOf": 0.5, "minimum": -most_days, "maximum": most_days}
    return Annotated[int, BeforeValidator(read), WithJsonSchema(schema)]


HalvesField = Annotated[
    int, PlainSerializer(number_of, return_type=int | float), WithJsonSchema({"type": "number", "multipleOf": 0.5})
]
"""A number of days in an answer (12 or 12.5); the model's value is in half days."""
