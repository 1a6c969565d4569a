"""What is counted and attested: accounts and statements."""
