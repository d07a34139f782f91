"""`mystery-shopper view`: whole runs in a browser, also while they go on."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import typer


def view(
    places: list[Path] = typer.Argument(help="Run folders, or folders with runs below them."),
    port: int = typer.Option(0, min=0, max=65_535, help="The port; 0 takes a free one."),
    open_: bool = typer.Option(
        True, "--open/--no-open", help="Open the page in your browser, or only print where it is."
    ),
) -> None:
    """Serve every trial of the runs on loopback, paged and filtered, until Ctrl-C.

    The page has the report's view of trials over whole runs, and follows a run that goes on. It
    listens on 127.0.0.1 alone, writes nothing, and asks nothing of the network.
    """
    from mystery_shopper.report.viewing import open_viewer

    viewer = open_viewer(places, port)
    signal.signal(signal.SIGTERM, _stop)
    try:
        print(viewer.url, flush=True)
        print("Ctrl-C ends it.", file=sys.stderr)
        if open_:
            threading.Thread(target=_open, args=(viewer.url,), daemon=True).start()
        viewer.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        viewer.server_close()


def _stop(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


def _open(url: str) -> None:
    import webbrowser

    webbrowser.open(url)
