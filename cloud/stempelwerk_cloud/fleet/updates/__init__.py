"""The signed repository from which clocks take their updates (`docs/contract/v1/update.md`)."""
