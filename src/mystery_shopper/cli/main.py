"""The command line: finds the command, and turns errors into one message and an exit code.

Exit codes: 0 done; 1 a check failed; 2 bad input; 3 the run stopped and can go on; 130 interrupted.
"""

from __future__ import annotations

import sys

import typer

from mystery_shopper.cli.answers import answers
from mystery_shopper.cli.bundle import bundle
from mystery_shopper.cli.catalog import catalog
from mystery_shopper.cli.check import check
from mystery_shopper.cli.cite import cite
from mystery_shopper.cli.compare import compare
from mystery_shopper.cli.demo import demo
from mystery_shopper.cli.export import export
from mystery_shopper.cli.generate import generate
from mystery_shopper.cli.importing import import_
from mystery_shopper.cli.measure import measure
from mystery_shopper.cli.play import play
from mystery_shopper.cli.replay import replay
from mystery_shopper.cli.report import report
from mystery_shopper.cli.run import run as run_command
from mystery_shopper.cli.runs import runs
from mystery_shopper.cli.scoring import score
from mystery_shopper.cli.serve_mcp import serve_mcp
from mystery_shopper.cli.verify import verify
from mystery_shopper.cli.view import view

app = typer.Typer(
    name="mystery-shopper",
    help="Send simulated customers to a recommender agent and report how well it serves them.",
    epilog="Start with: mystery-shopper demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo)
app.command("run")(run_command)
app.command()(runs)
app.command()(report)
app.command()(compare)
app.command()(view)
app.command()(export)
app.command()(replay)
app.command()(bundle)
app.command()(verify)
app.command()(cite)
app.command()(play)
app.command("serve-mcp")(serve_mcp)
app.command()(check)
app.command()(generate)
app.command("import")(import_)
app.command()(score)
app.command()(answers)
app.add_typer(measure, name="measure")
app.add_typer(catalog, name="catalog")


def _version(wanted: bool) -> None:
    if wanted:
        from mystery_shopper.engine.plan import package_version

        print(package_version())
        raise typer.Exit


@app.callback()
def common(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Send simulated customers to a recommender agent and report how well it serves them."""


def run() -> None:
    """The entry point: as `app`, with errors made readable."""
    from mystery_shopper.foundation import InputError, RunStopped

    try:
        app()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except RunStopped as error:
        print(f"\n{error}", file=sys.stderr)
        sys.exit(3)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            raise
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(130)
