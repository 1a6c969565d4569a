"""The mails: made, packed, sent, and declined by their recipients."""
