"""Figures for the office: time accounts, costs, exports and statements, and companies' and people's records."""
