from boyi.search.alphabeta import Worker

class PathWorker(Worker):
    """One thread's search, which looks for repetitions on its path."""
