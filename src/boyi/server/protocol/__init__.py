"""What goes over the wire and to disk, as data; no rule is decided here.

    parts           what events, states and messages are made of
    events          what happens in a room, as it is stored
    views           what happens in a room, as one viewer is told
    state           what may be known of a room
    reducer         how each event changes what is known of a room
    positions       a position of any game, described for the wire
    messages        what clients and the server say to each other over a WebSocket
    bodies          requests and responses over HTTP
    refusals        why a request is refused: codes and words
    documentation   docs/protocol.md and the JSON schema, written from all of these

Records of `boyi.core` (`Stone`, `Change`, `Words`, …) are dataclasses, which msgspec writes as they are.
"""
