"""The cloud service of Stempelwerk: the web API, the clocks' API, and the rooms that answer them."""
