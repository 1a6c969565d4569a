"""Advances: an employee asks for a part of the wages before payday; an administrator decides."""
