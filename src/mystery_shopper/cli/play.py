"""`mystery-shopper play`: be the agent yourself."""

from __future__ import annotations

from pathlib import Path

import typer


def play(
    suite: str = typer.Argument("tau_rec", help="The suite: tau_rec."),
    condition: str = typer.Option("mixed", help="volunteer, mixed or hidden."),
    task: str | None = typer.Option(None, help="A task id; one is drawn if left out."),
    task_set: str | None = typer.Option(
        None, help="A shipped task set or a JSON file; the catalogue's own if left out."
    ),
    catalog: str | None = typer.Option(
        None, help="films, shop or a catalogue folder; a nested part: films:5000."
    ),
    interface: str = typer.Option("structured", help="structured or keyword."),
    prompt: str = typer.Option("base", help="What /rules tells you."),
    seed: int | None = typer.Option(None, help="Draws the task; a fresh one if left out."),
    out: Path | None = typer.Option(None, help="Keep the trial in this new run folder."),
) -> None:
    """Serve one customer from the terminal, then see what they wanted and how you did."""
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
        conditions=() if task else (condition,),
        only=(task,) if task else (),
        trials=1,
        seed=secrets.randbelow(2**31) if seed is None else seed,
    )
    plan = draw_task(make_plan(wishes))
    screen = Screen()
    screen.tell(f"Task {plan.tasks[0]} of {plan.task_set} (seed {plan.seed}).")
    try:
        trial = play_by_hand(plan, screen, out)
    except KeyboardInterrupt:
        screen.reveal(plan)
        raise
    screen.verdict(plan, trial)
