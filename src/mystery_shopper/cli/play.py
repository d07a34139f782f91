"""`mystery-shopper play`: be the agent yourself."""

from __future__ import annotations

from pathlib import Path

import typer


def play(
    suite: str = typer.Argument("tau_rec", help="The suite: tau_rec or recbench."),
    condition: str | None = typer.Option(
        None,
        help="tau_rec: volunteer, mixed (if left out) or hidden. recbench: explicit, implicit, "
        "misinformed, interest or demographics; any if left out.",
    ),
    task: str | None = typer.Option(None, help="A task id; one is drawn if left out."),
    task_set: str | None = typer.Option(
        None, help="A shipped task set or a JSON file; the catalogue's own if left out."
    ),
    catalog: str | None = typer.Option(
        None, help="films, shop or a catalogue folder; a nested part: films:5000."
    ),
    interface: str | None = typer.Option(
        None,
        help="tau_rec: structured (if left out) or keyword. recbench: tools (if left out) or bare.",
    ),
    history: bool = typer.Option(
        False, "--history", help="recbench: be told what the user has had before."
    ),
    k: int = typer.Option(
        0, min=0, metavar="<int>", help="recbench: be asked for so many items; 0: any number."
    ),
    prompt: str | None = typer.Option(None, help="tau_rec: what /rules tells you."),
    seed: int | None = typer.Option(None, help="Draws the task; a fresh one if left out."),
    out: Path | None = typer.Option(None, help="Keep the trial in this new run folder."),
) -> None:
    """Serve one customer, then see what they wanted and how you did.

    In recbench the first thing that you say is your answer.
    """
    import secrets

    from mystery_shopper.cli.screen import Screen
    from mystery_shopper.engine.planning import Wishes, make_plan
    from mystery_shopper.engine.playing import draw_task, play_by_hand

    wishes = Wishes(
        agent="human",
        suite=suite,
        task_set=task_set,
        catalog=catalog,
        interface=interface,
        prompt=prompt,
        conditions=() if task else _asked(suite, condition),
        only=(task,) if task else (),
        trials=1,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        history=history,
        k=k,
    )
    plan = draw_task(make_plan(wishes))
    screen = Screen()
    # A task's name tells of what it withholds, so it is told at the end.
    screen.tell(f"A customer of {plan.task_set} (seed {plan.seed}).")
    try:
        trial = play_by_hand(plan, screen, out)
    except KeyboardInterrupt:
        screen.reveal(plan)
        raise
    screen.verdict(plan, trial)


def _asked(suite: str, condition: str | None) -> tuple[str, ...]:
    usual = ("mixed",) if suite == "tau_rec" else ()
    return usual if condition is None else (condition,)
