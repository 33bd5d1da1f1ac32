"""Agents asked from Python: for a move, or for what they think of a position.

    engine          `analyse`, one question to the search that suits a game; `Engine`, many to any agent
    async_engine    `AsyncEngine`, the same for asyncio
"""
