"""Trips by private car that an employee asks to be paid, and an administrator decides about."""
