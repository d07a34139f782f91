"""`mystery-shopper bundle`: runs as one zip that others can check."""

from __future__ import annotations

import sys
from pathlib import Path

import typer


def bundle(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
    out: Path = typer.Option(..., help="The zip to write."),
    redact: bool = typer.Option(
        False, "--redact", help="Take headers, secrets and personal data out of every text."
    ),
    timings: bool = typer.Option(
        False, "--timings", help="Put clock readings in; equal runs then differ in bytes."
    ),
    with_catalogue: bool = typer.Option(
        False, "--with-catalogue", help="Put a catalogue of your own in whole."
    ),
    unfinished: bool = typer.Option(
        False, "--unfinished", help="Bundle a run of which planned trials are missing."
    ),
    weights: list[str] = typer.Option(
        [], help="PARTY=FILE: the weights behind a local model, e.g. agent=model.gguf."
    ),
) -> None:
    """Write runs as one zip: transcripts, raw counts, plans, versions, licences, model ids.

    Equal runs give equal bytes. mystery-shopper verify checks the zip offline.
    """
    from mystery_shopper.cli.common import progress_over
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.engine.bundling import Wanted
    from mystery_shopper.engine.bundling import bundle as pack
    from mystery_shopper.report.words import plural

    folders = [RunFolder(path) for path in runs]
    wanted = Wanted(redact, timings, with_catalogue, unfinished, _weights(weights))
    with progress_over(sum(folder.plan().count for folder in folders), "trials") as advance:
        made = pack(folders, out, wanted, advance)
    manifest = made.manifest
    trials = sum(run.trials.planned - run.trials.missing for run in manifest.runs)
    print(
        f"{out}: {plural(len(manifest.runs), 'run')}, {plural(trials, 'trial')}, "
        f"{plural(len(manifest.files) + 1, 'file')}, {made.size:,} bytes"
    )
    if manifest.redacted is not None:
        print(f"redacted: {_counts(manifest.redacted)}")
        exempt = sum(len(run.exempt) for run in manifest.runs)
        if exempt:
            print(f"  {plural(exempt, 'trial')} can no longer be replayed in full")
    for entry in manifest.catalogues:
        if not entry.licences:
            print(f"warning: the catalogue {entry.name} has no LICENSE in its folder, so its "
                  "licence is unknown to whoever gets the bundle", file=sys.stderr)  # fmt: skip
    for run, model in made.floating:
        name = model.name or ", ".join(model.answered)
        print(
            f"warning: nothing pins the {model.party}'s model {name} of {run}; verify will say so. "
            "Name a dated model, or give --weights for a local one.",
            file=sys.stderr,
        )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing found"


def _weights(given: list[str]) -> dict[str, Path]:
    from mystery_shopper.foundation import InputError

    found: dict[str, Path] = {}
    for text in given:
        party, equals, file = text.partition("=")
        if not equals or not file or party in found:
            raise InputError(
                f"{text!r} names no party's file" if party not in found else f"{party} twice",
                where="--weights",
                remedy="Write it as agent=model.gguf, once a party.",
            )
        found[party] = Path(file)
    return found
