"""The parts of Monte Carlo tree search, one thought each; `boyi.search.mcts` puts them together.

    memory       the nodes, in one block
    proof        MCTS-Solver: results that are certain
    selection    which child to descend to: UCT, PUCT, forced playouts
    halving      Gumbel: sequential halving among the moves of the root
    priors       softmax, and Dirichlet noise at the root
    pending      leaves that wait for a prediction (virtual visits)
    ranking      the best child, by what is known at the end
    policy       what is to be learned from a search, and the move to play in a game to learn from
"""
