"""Rooms for people and programs, over the network.

    protocol    what goes over the wire and to disk, as data
    rooms       the rules of a room, pure: a command and the time give events, or a refusal
    store       what is on disk, in SQLite or PostgreSQL
    engines     processes that choose moves for the AI

A room at work:

    hosted      a room that this server owns: decide, apply, commit, tell
    room_clock  its clock, without what it waited for the disk (fair_clock: the server's, without its stalls)
    audience    who is connected to a room, and what they are sent
    lookahead   what comes next in a room: the clock rings, or the AI moves
    lobby       all rooms of a server
    accounts    who is who
    peers       other servers of the same database
    tasks       work beside everything else

How it is reached:

    app         the ASGI application
    api         what can be asked over HTTP
    page        the web page
    connection  one WebSocket (inbox: what it asked for; outbox: what it is still to be sent; heartbeat: pings;
                forwarding: a room elsewhere)
    wire        how bytes arrive; proxies: who asks, when others stand between
    budgets     what everyone may use; metering: what an answer takes of the loop
    turnstile   newcomers share the event loop with those who play
    serve       running it
    config      its settings
    client      the other end, for programs and the terminal

Running it for others:

    workers         several processes behind one address
    administration  what an operator does to the database; `overseer` carries it out on running servers
    bans            who is not let in
    retention       what is not kept for ever
    logs, metrics   how it is

What is answered without a room: `asked` reads the position that a request is about; `positions`, `notation`,
`openings`, `catalogue`, `boards`, `teaching`, `ratings`, `finished`, `my_games`, `profiles` and `results` answer.
"""
