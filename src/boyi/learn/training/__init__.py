"""Networks trained by self-play, from nothing but the rules: `boyi train`.

What describes a run (`settings`, `schedule`, `folder`, `results`) needs neither PyTorch nor NumPy.
"""
