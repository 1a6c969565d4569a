"""What a person wants to be told beside the inbox: web push and mail."""
