"""The signed update repository for clocks (`docs/contract/v1/update.md`)."""
