"""Engines: processes that choose moves for the AI, here or on a Ray cluster.

    questions   what an engine is asked and answers
    queue       who is answered next
    pool        a pool of workers, which works the queue off
    process     a worker that is a process of this machine
    cluster     a worker that is an actor of a Ray cluster
    worker      what runs in it
    slices      how live analyses share a worker
    live        their searches, in it
    describing  the lines of a search as they go over the wire
"""
