"""Verification of signatures, and limits for devices without a company."""
