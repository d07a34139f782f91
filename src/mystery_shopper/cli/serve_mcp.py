"""`mystery-shopper serve-mcp`: hand one task to an MCP client."""

from __future__ import annotations

import sys
from pathlib import Path

import typer


def serve_mcp(
    suite: str = typer.Argument(help="The suite: tau_rec or recbench."),
    task: str = typer.Option(help="The task's id, e.g. f001-mixed or implicit-2-017."),
    task_set: str | None = typer.Option(
        None, help="A shipped task set or a JSON file; the catalogue's own if left out."
    ),
    catalog: str | None = typer.Option(
        None, help="films, shop or a catalogue folder; a nested part: films:5000."
    ),
    interface: str | None = typer.Option(
        None,
        help="How the agent searches. tau_rec: structured, if left out, or keyword; recbench: "
        "tools, if left out, or bare.",
    ),
    history: bool = typer.Option(
        False, "--history", help="recbench: tell the agent what the user has had before."
    ),
    k: int = typer.Option(0, min=0, help="recbench: ask for so many items; 0 leaves it open."),
    prompt: str | None = typer.Option(
        None, help="tau_rec: base, if left out, ask, ask-and-verify or protocol."
    ),
    seed: int = typer.Option(0, help="The seed of the trial."),
    out: Path | None = typer.Option(
        None, help="Keep the trial in this run folder; OUT-2, OUT-3, … where it holds one."
    ),
) -> None:
    """Serve one customer to an MCP client: it gets the suite's tools, and `say` to speak.

    Put this command into your client's list of MCP servers; it speaks JSON-RPC on stdin and stdout.
    The client calls `start` for the rules and the customer's first words. The trial is written as
    soon as it has ended; a client that leaves in the middle ends it as excluded, and one that never
    acted leaves nothing. Started again, it writes to the next free folder: OUT-2, OUT-3, …
    Needs the extra: pip install 'mystery-shopper[mcp]'.
    """
    from mystery_shopper.engine.planning import Wishes
    from mystery_shopper.engine.serving import plan_served, serve_task

    wishes = Wishes(
        agent="mcp",
        suite=suite,
        task_set=task_set,
        catalog=catalog,
        interface=interface,
        prompt=prompt,
        only=(task,),
        seed=seed,
        history=history,
        k=k,
    )
    place = out

    def kept(chosen: Path) -> None:
        nonlocal place
        place = chosen
        if chosen != out:
            print(f"{out} is taken; the trial goes to {chosen}.", file=sys.stderr)

    trial = serve_task(plan_served(wishes), out, kept)
    if trial is None:
        print("The client left before it did anything; there is no trial.", file=sys.stderr)
    elif place is not None:
        print(f"Written to {place}. See it: mystery-shopper report {place}", file=sys.stderr)
    else:
        print(f"The trial ended: {trial.score.ending}. --out would keep it.", file=sys.stderr)
