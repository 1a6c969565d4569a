"""Inquiries from the public forms: stored, mailed to the operator, deleted after six months."""
