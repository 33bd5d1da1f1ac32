"""Rooms for people and programs, over the network.

    events      what happens in a room: what is stored, and what of it each viewer is told
    state       what may be known of a room, and how each event changes it
    messages    the protocol: what clients and the server say to each other
    room        the rules of a room: a command and the time give events, or a refusal
    store       events on disk, in SQLite or PostgreSQL
    engines     worker processes that choose moves for the seats of the AI
    lobby       all rooms of a server: who is connected, what is committed, who is told
    app         HTTP and WebSocket
    client      the other end, for programs and the terminal

`room` and everything above it is pure: no sockets, no clock, no database, no chance of its own.
"""
