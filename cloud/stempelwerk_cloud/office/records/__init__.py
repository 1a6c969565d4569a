"""What is kept of a person: given to them whole, erased when it may go, and gone when its time is over."""
