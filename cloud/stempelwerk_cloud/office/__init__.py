"""The computed and attested figures: accounts and statements."""
