"""What visitors send by the public forms: kept, mailed to the operator, forgotten after six months."""
