"""The rows of the tables. A field's type is the column's, its words are its documentation.

A suite's trials have columns of their own: `TrialRow` is tau_rec's, recbench's is in `requestrows`.

A change here is a change of the schema: see `schema.SCHEMA_VERSION`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec


def told(about: str, unit: str = "") -> msgspec.Meta:
    """What a column holds, and its unit."""
    return msgspec.Meta(description=about, extra={"unit": unit})


Texts: TypeAlias = tuple[str, ...]
Flag: TypeAlias = bool | None

TOKENS, DOLLARS, SECONDS = "tokens", "US dollars", "seconds"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The columns that every table begins with; (run, trial) joins them."""

    run: Annotated[str, told("The run's folder.")]
    trial: Annotated[str, told("The trial within its run, `task#number`.")]
    task: Annotated[str, told("The task: a family under a condition; in recbench a query.")]
    family: Annotated[
        str, told("What intervals resample: the task family; in recbench the user who asks.")
    ]
    condition: Annotated[
        str, told("`volunteer`, `mixed` or `hidden`; in recbench the query's kind.")
    ]
    agent: Annotated[str, told("The system under test, as the run named it.")]


# What the trials of every suite tell.
Number: TypeAlias = Annotated[int, told("Counts the trials of one task from 0.")]
Customer: TypeAlias = Annotated[str, told("The simulated customer.")]
Benchmark: TypeAlias = Annotated[str, told("The benchmark.")]
TaskSetName: TypeAlias = Annotated[str, told("The task set's name.")]
CatalogueName: TypeAlias = Annotated[str, told("The catalogue's name or folder.")]
CatalogueSize: TypeAlias = Annotated[
    int, told("Items of the nested subset that was searched.", "items")
]
PromptName: TypeAlias = Annotated[str, told("What the agent was told.")]
SeedNumber: TypeAlias = Annotated[int, told("The trial's seed: 64 bits, without a sign.")]
CanaryText: TypeAlias = Annotated[str, told("Marks copies of the task set.")]
Attempts: TypeAlias = Annotated[int, told("Plays, faulty ones included.")]
Excluded: TypeAlias = Annotated[
    bool, told("The fault is not the agent's: the trial counts nowhere.")
]
EndingName: TypeAlias = Annotated[str, told("How the trial ended.")]
FailureName: TypeAlias = Annotated[str | None, told("The first kind of failure that holds.")]
Detail: TypeAlias = Annotated[str | None, told("What the error was that ended it.")]
Turns: TypeAlias = Annotated[int, told("The agent's messages.", "messages")]
Calls: TypeAlias = Annotated[int, told("Calls of our tools.", "calls")]
ToolErrors: TypeAlias = Annotated[int, told("Calls that gave an error.", "calls")]
OwnTools: TypeAlias = Annotated[
    bool, told("The agent has tools of its own, not counted in `calls`.")
]
Acts: TypeAlias = Annotated[int | None, told("The agent's acts in the play that counts.", "acts")]
AgentSeconds: TypeAlias = Annotated[float | None, told("Their time together.", SECONDS)]
WallSeconds: TypeAlias = Annotated[
    float | None, told("From the trial's beginning to its end.", SECONDS)
]
InputTokens: TypeAlias = Annotated[int | None, told("Tokens paid in full.", TOKENS)]
CachedTokens: TypeAlias = Annotated[int | None, told("Tokens read from a cache.", TOKENS)]
OutputTokens: TypeAlias = Annotated[int | None, told("Tokens written.", TOKENS)]
Cost: TypeAlias = Annotated[float | None, told("Null too where the price is unknown.", DOLLARS)]
FaultName: TypeAlias = Annotated[
    str | None, told("Whose fault the ending is: `agent`, `user` or `infrastructure`.")
]
ModelCalls: TypeAlias = Annotated[
    int | None, told("Calls of the agent's model, over every attempt.", "calls")
]
Models: TypeAlias = Annotated[
    Texts | None, told("The ids with which the provider named the models that answered.")
]
Statuses: TypeAlias = Annotated[
    str | None, told("JSON: how often the agent's server answered with which status.")
]


class TrialRow(Place, frozen=True, kw_only=True):
    """One row a trial that has ended, excluded ones too. The score's fields bear their own names
    (docs/results-schema.md); what a model or a clock gave comes from `timings.jsonl`."""

    number: Number
    tier: Annotated[str, told("`simple`, `medium` or `complex`.")]
    template: Annotated[Texts, told("The fields of the family's requirements.")]
    satisfiable: Annotated[bool, told("Whether the catalogue holds an answer.")]
    user: Customer
    suite: Benchmark
    task_set: TaskSetName
    catalogue: CatalogueName
    catalogue_size: CatalogueSize
    interface: Annotated[str, told("`structured` or `keyword`.")]
    prompt: PromptName
    tool_line: Annotated[str, told("The line on the tools within the prompt.")]
    seed: SeedNumber
    canary: CanaryText
    attempts: Attempts
    fault: FaultName
    excluded: Excluded
    success: Annotated[Flag, told("The right ending and every check; null in an excluded trial.")]
    ending: EndingName
    failure: FailureName
    detail: Detail
    one_recommendation: Annotated[Flag, told("Check: at most one recommendation.")]
    not_from_history: Annotated[Flag, told("Check: not what the customer knows already.")]
    formats_checked: Annotated[Flag, told("Check: the formats of the recommended item.")]
    abstains_without_match: Annotated[Flag, told("Check: abstains where nothing fits.")]
    recommends_with_match: Annotated[Flag, told("Check: recommends where something fits.")]
    policies_kept: Annotated[Texts | None, told("Of an imported task, the policies kept.")]
    policies_broken: Annotated[Texts | None, told("Those broken.")]
    policies_unscored: Annotated[Texts | None, told("Those that cannot be told.")]
    meets: Annotated[Flag, told("The recommended item meets every requirement.")]
    elicited: Annotated[str | None, told("`all`, `some` or `none` of the askable facts.")]
    askable: Annotated[int, told("Facts that the customer gives only when asked.", "facts")]
    elicited_facts: Annotated[int, told("Those that the agent got.", "facts")]
    questions: Annotated[int, told("Messages that the customer read as asking.", "messages")]
    not_understood: Annotated[int, told("Questions that matched no field.", "messages")]
    turns: Turns
    calls: Calls
    tool_errors: ToolErrors
    proposals: Annotated[int, told("Proposed items that the customer judged.", "items")]
    rejections: Annotated[int, told("Those that it rejected.", "items")]
    accepted: Annotated[bool, told("It accepted one.")]
    untested: Annotated[Flag, told("What was recommended was never proposed.")]
    before_proposals: Annotated[Flag, told("It was recommended before any proposal.")]
    after_decline: Annotated[Flag, told("It was recommended after a field was declined.")]
    unsearched: Annotated[Flag, told("No search had returned it.")]
    untagged: Annotated[int, told("Acceptable items named in words without a tag.", "items")]
    recommended: Annotated[str | None, told("The recommended item's id.")]
    rank: Annotated[int | None, told("Its popularity rank, from 1.", "rank")]
    leaks: Annotated[int, told("Withheld facts given away, held back or not.", "facts")]
    leaked: Annotated[int, told("Those that reached the agent.", "facts")]
    withheld: Annotated[int, told("Facts that were due and did not come.", "facts")]
    stood_in: Annotated[int, told("Replies in which the rule-based customer stood in.", "replies")]
    own_tools: OwnTools
    acts: Acts
    agent_seconds: AgentSeconds
    wall_seconds: WallSeconds
    agent_model_calls: ModelCalls
    agent_input_tokens: InputTokens
    agent_cached_tokens: CachedTokens
    agent_output_tokens: OutputTokens
    agent_cost: Cost
    agent_models: Models
    user_model_calls: Annotated[int | None, told("The same of the customer's model.", "calls")]
    user_input_tokens: Annotated[int | None, told("The same of the customer's model.", TOKENS)]
    user_cached_tokens: Annotated[int | None, told("The same of the customer's model.", TOKENS)]
    user_output_tokens: Annotated[int | None, told("The same of the customer's model.", TOKENS)]
    user_cost: Annotated[float | None, told("The same of the customer's model.", DOLLARS)]
    user_models: Annotated[Texts | None, told("The same of the customer's model.")]
    judge_model_calls: Annotated[int | None, told("The same of a judge's model.", "calls")]
    judge_input_tokens: Annotated[int | None, told("The same of a judge's model.", TOKENS)]
    judge_cached_tokens: Annotated[int | None, told("The same of a judge's model.", TOKENS)]
    judge_output_tokens: Annotated[int | None, told("The same of a judge's model.", TOKENS)]
    judge_cost: Annotated[float | None, told("The same of a judge's model.", DOLLARS)]
    judge_models: Annotated[Texts | None, told("The same of a judge's model.")]
    http_statuses: Statuses


class TurnRow(Place, frozen=True, kw_only=True):
    """One row a turn. Turn 0 is the customer's opening; turn n is the agent's nth stretch of work,
    its words, and what the customer answered. Columns of the answer are null where there was none;
    a list is empty where there was an answer that held nothing of the kind."""

    turn: Annotated[int, told("From 0, the opening.")]
    agent_said: Annotated[str | None, told("The agent's words to the customer.")]
    agent_cut: Annotated[int, told("Characters of them beyond the length kept.", "characters")]
    notes: Annotated[Texts, told("Words beside tool calls, which the customer does not hear.")]
    tools: Annotated[Texts, told("Our tools that were called, in order.")]
    tool_errors: Annotated[int, told("Calls that gave an error.", "calls")]
    own_calls: Annotated[int, told("Reported calls of the agent's own tools.", "calls")]
    proposal: Annotated[str | None, told("The proposed item's id.")]
    accepted: Annotated[Flag, told("The verdict; null too for an id that nobody knows.")]
    failed: Annotated[Texts | None, told("The requirements that the proposed item fails.")]
    others: Annotated[Texts | None, told("Further ids in the same message, not judged.")]
    user_said: Annotated[str | None, told("The customer's words.")]
    asked: Annotated[Texts | None, told("The fields that the customer read as asked about.")]
    generic: Annotated[Flag, told("It read the message as asking for anything more.")]
    not_understood: Annotated[Texts, told("Beginnings of questions that matched no field.")]
    disclosed: Annotated[Texts | None, told("The facts that the answer gave.")]
    declined: Annotated[Texts | None, told("The fields that it declined to speak of.")]
    unconcerned: Annotated[Texts | None, told("Those on which there is no requirement.")]
    withheld: Annotated[Texts | None, told("Facts that were due and did not come.")]
    leaks: Annotated[Texts | None, told("Facts that had to stay unsaid, one for each slip.")]
    stood_in: Annotated[Flag, told("The words are the rule-based customer's.")]
    known: Annotated[Texts, told("Every fact disclosed up to the turn's end, in order.")]
    seconds: Annotated[float | None, told("The agent's time in this turn.", SECONDS)]
    ending: Annotated[str | None, told("How the trial ended, in its last turn.")]


class EventRow(Place, frozen=True, kw_only=True):
    """One row an event of the transcript. `payload` is the whole event, the other columns what is
    asked for most."""

    event: Annotated[int, told("Its place in the transcript, from 0.")]
    turn: Annotated[int, told("The turn it belongs to.")]
    kind: Annotated[str, told("For example `tool_called`; docs/results-schema.md has them all.")]
    text: Annotated[str | None, told("Words: what was said, noted, or not understood.")]
    tool: Annotated[str | None, told("The tool that was called or returned.")]
    call_id: Annotated[str | None, told("Joins a tool's call and its return.")]
    item_id: Annotated[str | None, told("The item of a verdict or of the ending.")]
    error: Annotated[str | None, told("The kind of a tool's error.")]
    payload: Annotated[str, told("The event as JSON, as in `trials.jsonl`.")]
