"""Engines: processes that choose moves for the AI, here or on a Ray cluster.

    questions   what an engine is asked and answers
    pool        a pool of workers, never too many at a time
    process     a worker that is a process of this machine
    cluster     a worker that is an actor of a Ray cluster
    worker      what runs in it
"""
