"""`python -m boyi` is `boyi`."""

from boyi.cli import main

if __name__ == "__main__":
    main()
