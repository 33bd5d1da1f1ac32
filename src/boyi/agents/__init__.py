"""Agents: the players of a game, programs and people alike.

An agent is shown what its seat may know and answers with a move. Everywhere a
person names one it is a spec string, `random` or `random:seed=3`:

>>> import boyi
>>> from boyi.agents import Clock, make_agent
>>> position = boyi.start("othello")
>>> agent = make_agent("random:seed=3")
>>> position.is_legal(agent.choose(position.observe(position.turn), Clock()))
True
"""

from boyi.agents.agent import Agent, AgentError, Clock, close_agent, expectation_of, prepare_agent
from boyi.agents.spec import AgentKind, AgentSpec, Parameter, all_kinds, find_kind, make_agent, read_spec

__all__ = [
    "Agent", "AgentError", "AgentKind", "AgentSpec", "Clock", "Parameter", "all_kinds", "close_agent",
    "expectation_of", "find_kind", "make_agent", "prepare_agent", "read_spec",
]
