"""The rules of a room, pure: no sockets, no clock, no database and no randomness of their own.

    room        a room: commands become events, and events change it
    commands    what a room can be asked, and what it answers

Deciding, `(room, command) -> events` or a refusal:

    decide      which rule answers a command
    people      who comes, sits and goes
    starting    how a game begins
    moving      moves of people and of the AI
    offers      draws and take-backs, offered and answered
    resigning   how a player gives up, or is given up
    deadlines   what happens by itself when time passes
    clock       the arithmetic of time
    guards      what must be so before a command is carried out
    draft       events in the making: a game is played on from where it stands

What is known, told and asked:

    referee     the game as the referee knows it
    views       the game as each viewer knows it
    courses     a move as a viewer saw it
    history     the course of the game, written as it goes on
    telling     what viewers are told of a room
    asking      what the AI is asked
    requests    which requests were carried out already
    conduct     how each seat was played, and so whose strength a result shows
"""

from boyi.server.rooms.commands import (
    Create,
    Decision,
    EngineAnswer,
    EngineMove,
    EngineRequest,
    Identity,
    Internal,
    Moment,
    Pause,
    Presence,
    Shut,
    Tick,
)
from boyi.server.rooms.room import Room

__all__ = ["Create", "Decision", "EngineAnswer", "EngineMove", "EngineRequest", "Identity", "Internal", "Moment",
           "Pause", "Presence", "Room", "Shut", "Tick"]
