"""`python -m mystery_shopper` is the command `mystery-shopper`."""

from mystery_shopper.cli.main import run

if __name__ == "__main__":
    run()
