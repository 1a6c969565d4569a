"""The access log: administrators' reads of people's times."""
