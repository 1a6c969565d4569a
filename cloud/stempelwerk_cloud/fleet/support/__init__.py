"""Messages of companies to the operator's support, and the answers."""
