"""What every room stands on: database, web, live events, mail, passwords, operation. It imports no room.

It decides nothing about time, people or clocks, but it knows that there are companies and clocks: whose rows a
transaction sees (`scopes`), who has connections and threads of their own (`db`, `lanes`), which signals rooms send each
other (`events`), what an operator watches (`metrics`). Its only table is that of the kept answers (`routing`)."""
