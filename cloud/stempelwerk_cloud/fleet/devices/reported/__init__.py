"""Reports of clocks, and the lists made of them."""
