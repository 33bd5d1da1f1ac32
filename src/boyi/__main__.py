"""`python -m boyi` is `boyi`."""

from boyi.cli import main

main()
