"""Vacation accounts: rules, carried days and balances."""
