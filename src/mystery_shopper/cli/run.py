"""`mystery-shopper run`: one agent on the tasks of a suite."""

from __future__ import annotations

from pathlib import Path

import typer


def run(
    suite: str = typer.Argument(help="The suite: tau_rec or recbench."),
    agent: str = typer.Option(
        help="A scripted one (tau_rec: oracle, eliminating, popularity, ask-never-propose, "
        "propose-never-ask, no-ask, null; recbench: oracle, oracle-all, graph, keyword, history, "
        "popularity, null); module:factory; model:PROVIDER/NAME; http://…, a server; FILE.yaml, a "
        "deployed agent; or inspect:module:agent.",
    ),
    user: str = typer.Option(
        "rule-based", help="The customer: rule-based; model:PROVIDER/NAME; module:Class."
    ),
    condition: list[str] = typer.Option(
        [],
        help="tau_rec: volunteer, mixed, hidden; recbench: explicit, implicit, misinformed, "
        "interest, demographics. May be repeated; all if left out.",
    ),
    interface: str | None = typer.Option(
        None,
        help="What the agent searches with. tau_rec: structured, if left out, or keyword; "
        "recbench: tools, if left out, or bare, as in the paper.",
    ),
    history: bool = typer.Option(
        False, "--history", help="recbench: tell the agent what the user has had before."
    ),
    k: int = typer.Option(0, min=0, help="recbench: ask for so many items; 0 leaves it open."),
    catalog: str | None = typer.Option(
        None, help="films, shop or a catalogue folder; a nested part: films:5000."
    ),
    tasks: str = typer.Option(
        "all",
        help="Which families: all; the panel, about a third; or reliability, a third of the panel. "
        "recbench: all, or the panel, a tenth of each kind.",
    ),
    task_set: str | None = typer.Option(
        None, help="A shipped task set or a JSON file; the catalogue's own if left out."
    ),
    task: list[str] = typer.Option([], help="Only this task id; may be repeated."),
    trials: int | None = typer.Option(
        None, help="Trials a task: 1 if left out, 8 on the reliability block."
    ),
    prompt: str | None = typer.Option(
        None,
        help="tau_rec: what the agent is told: base, if left out; ask, to ask first; "
        "ask-and-verify, to propose too; protocol, also what verdicts mean.",
    ),
    tool_line: str | None = typer.Option(
        None,
        help="tau_rec: the prompt's line on search: own, if left out; or fields: keyword search's "
        "with the fields.",
    ),
    as_paper: bool = typer.Option(False, help="Turn our own additions to the paper off."),
    workers: int = typer.Option(
        0, min=0, help="Processes; 0 means one a core. More for an agent of yours that waits."
    ),
    seed: int = typer.Option(0, help="The seed of the run."),
    temperature: float | None = typer.Option(None, help="Of an agent's model."),
    reasoning_effort: str | None = typer.Option(None, help="Of an agent's model."),
    max_tokens: int | None = typer.Option(None, min=1, help="Of one answer of an agent's model."),
    tool_mode: str = typer.Option(
        "native", help="How a model calls tools: native, or json: each answer one JSON object."
    ),
    base_url: str | None = typer.Option(None, help="Where the model's provider is."),
    enforce_disclosure: bool = typer.Option(
        True, help="Hold back a user's reply that gives away what it must not say."
    ),
    user_temperature: float | None = typer.Option(None, help="Of a user's model; 1 if left out."),
    user_max_tokens: int | None = typer.Option(None, min=1, help="Of one reply of a user's model."),
    user_base_url: str | None = typer.Option(None, help="Where the user's model's provider is."),
    voice_persona: bool = typer.Option(
        False, help="Have a user's model speak as its task's persona."
    ),
    cache: bool = typer.Option(False, help="Take equal model calls from Inspect's cache."),
    max_connections: int | None = typer.Option(None, min=1, help="Model calls at a time."),
    max_samples: int | None = typer.Option(
        None,
        min=1,
        help="Trials in flight with a model, or with an async agent in each process.",
    ),
    time_limit: int | None = typer.Option(
        None,
        min=1,
        help="Seconds of the agent's own in a trial; 600 if left out. To be set for models, "
        "inspect:…, http://… and FILE.yaml; a Python agent plays in this process and has 600.",
    ),
    token_limit: int | None = typer.Option(
        None, min=1, help="Tokens of the agent's model in a trial; of model:… and inspect:…"
    ),
    cost_limit: float | None = typer.Option(
        None, help="Dollars of the agent's model in a trial; of model:… and inspect:…"
    ),
    prices: Path | None = typer.Option(
        None, help="YAML of what models cost: NAME: {input: 1.25, output: 10}, $ a million tokens."
    ),
    estimate: int | None = typer.Option(
        None, min=1, help="Play only so many, and tell what the whole run will take."
    ),
    twin: int | None = typer.Option(
        None, help="A seed: play freshly drawn families of the same recipe too; tell the gap."
    ),
    out: Path = typer.Option(help="The run's folder, new or of the same run."),
) -> None:
    """Put an agent in front of the suite's customers.

    Each trial is kept as soon as it has ended. Stop with Ctrl-C; the same command goes on where it
    stopped. Your own agent: --agent package.module:factory, a class or function that takes
    nothing and gives an object with act(view); modules of this folder are found. Your own customer:
    --user package.module:Class, made with (task, catalogue), with open() and hear(text) that return
    words; what it may say, and the verdicts, stay with code.

    A trial whose agent reaches --time-limit ends as time_cap, one that reaches --token-limit or
    --cost-limit as an error; both are the agent's, are kept, and the run goes on. What the
    customer's model takes is not counted. The limits belong to the run: another one is another run.
    --estimate 12 draws a dozen trials evenly over conditions and tiers; they stay in the run, and
    the same command without it plays the rest.
    """
    from mystery_shopper.cli.amounts import sample_of, tell_estimate, tell_usage
    from mystery_shopper.cli.common import tell, worker_count
    from mystery_shopper.cli.playing import Means, play, play_twin
    from mystery_shopper.engine import RunFolder, Wishes, make_plan
    from mystery_shopper.engine.bounds import Bounds
    from mystery_shopper.engine.plan import ModelOptions, TrialLimits, UserOptions

    plan = make_plan(
        Wishes(
            agent=agent,
            suite=suite,
            task_set=task_set,
            catalog=catalog,
            conditions=condition,
            interface=interface,
            prompt=prompt,
            tool_line=tool_line,
            block=tasks,
            trials=trials,
            seed=seed,
            only=task,
            as_paper=as_paper,
            model=ModelOptions(
                temperature, reasoning_effort, max_tokens, tool_mode, base_url, cache
            ),
            user=user,
            user_options=UserOptions(
                enforce_disclosure,
                user_temperature,
                voice_persona,
                user_max_tokens,
                user_base_url,
            ),
            limits=TrialLimits(time_limit, token_limit, cost_limit),
            history=history,
            k=k,
        )
    )
    sample = None if estimate is None else sample_of(plan, estimate)
    means = Means(worker_count(workers), Bounds(max_samples, max_connections), prices)
    folder = RunFolder(out)
    at_once = play(plan, folder, means, sample)
    if sample is not None:
        tell_estimate(plan, folder, at_once)
        print(f"\nThey are kept in {out}. The same command without --estimate plays the rest.")
        return
    tell([folder])
    tell_usage(folder)
    print(f"\nWritten to {out}. See it: mystery-shopper report {out}")
    if twin is not None:
        play_twin(plan, folder, means, twin)
