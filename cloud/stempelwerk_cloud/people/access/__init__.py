"""Sessions, tickets and guards: who is calling, and what they may reach."""
