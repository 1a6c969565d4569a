"""The shared foundation of all rooms: database, web, live events, mail, passwords, operation. It imports no room.

It decides nothing about time, people or clocks, but it knows that there are companies and clocks: whose rows a
transaction sees and who has connections of their own (`database`), who may do how much (`limits`), which signals rooms
send each other (`events`), what an operator watches (`operations`). Its tables are those of the stored answers
(`http/routing`), the outbox, and the limits' counters.
"""
