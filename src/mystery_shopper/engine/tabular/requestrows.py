"""A trial's row in the suite recbench: one request, and what it was answered with."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from mystery_shopper.engine.tabular.rows import (
    Acts,
    AgentSeconds,
    Attempts,
    Benchmark,
    CachedTokens,
    Calls,
    CanaryText,
    CatalogueName,
    CatalogueSize,
    Cost,
    Customer,
    Detail,
    EndingName,
    Excluded,
    FailureName,
    FaultName,
    Flag,
    InputTokens,
    ModelCalls,
    Models,
    Number,
    OutputTokens,
    OwnTools,
    Place,
    PromptName,
    SeedNumber,
    Statuses,
    TaskSetName,
    Texts,
    ToolErrors,
    Turns,
    WallSeconds,
    told,
)

Figure: TypeAlias = float | None
_FIVE = "The same of the answer's first five items."


class RequestRow(Place, frozen=True, kw_only=True):
    """One row a trial that has ended, excluded ones too. The figures bear their own names, with
    `_at_5` of the first five items; `with_empty` counts an answer without a recommendation as 0,
    where the figure alone is null. `own` holds against the user's own group, `all` against every
    item that fits. The lists of `picks` go together, an item each."""

    number: Number
    conditions: Annotated[
        str | None, told("How many conditions the query has: `1`, `2` or `3-4`; null of a profile.")
    ]
    user: Customer
    suite: Benchmark
    task_set: TaskSetName
    catalogue: CatalogueName
    catalogue_size: CatalogueSize
    interface: Annotated[str, told("`tools` or `bare`.")]
    prompt: PromptName
    history: Annotated[bool, told("The user's history was handed over.")]
    k: Annotated[
        int, told("How many items were asked for; 0: as many as the agent likes.", "items")
    ]
    seed: SeedNumber
    canary: CanaryText
    attempts: Attempts
    fault: FaultName
    excluded: Excluded
    success: Annotated[
        Flag, told("Something was recommended and all of it fits; null where that is unscored.")
    ]
    ending: EndingName
    failure: FailureName
    detail: Detail
    precision_own: Annotated[
        Figure, told("Share of what is recommended that is in the user's own group.")
    ]
    recall_own: Annotated[Figure, told("Share of the user's own group that is recommended.")]
    precision_all: Annotated[
        Figure, told("Share of what is recommended that is among all that fits.")
    ]
    recall_all: Annotated[Figure, told("Share of all that fits that is recommended.")]
    cmr: Annotated[Figure, told("Share of what is recommended that meets all true conditions.")]
    precision_own_with_empty: Annotated[Figure, told("With an empty answer as 0.")]
    recall_own_with_empty: Annotated[Figure, told("With an empty answer as 0.")]
    precision_all_with_empty: Annotated[Figure, told("With an empty answer as 0.")]
    recall_all_with_empty: Annotated[Figure, told("With an empty answer as 0.")]
    cmr_with_empty: Annotated[Figure, told("With an empty answer as 0.")]
    failed: Annotated[Figure, told("1 where nothing is recommended, else 0.")]
    names_mistake: Annotated[
        Figure, told("Of a misinformed query, 1 where the answer names the mistake.")
    ]
    hallucinated: Annotated[
        Figure, told("Share of what is recommended that no item bears the title of.")
    ]
    ambiguous: Annotated[
        Figure, told("Share of what is recommended that several items bear the title of.")
    ]
    novelty: Annotated[Figure, told("Mean self-information of the items.", "bits")]
    diversity: Annotated[Figure, told("1 - mean likeness of the items' values, pair by pair.")]
    pulled: Annotated[
        Figure, told("Share of the items that the history pulled off the conditions.")
    ]
    recommended: Annotated[Figure, told("How many are recommended.", "items")]
    precision_own_at_5: Annotated[Figure, told(_FIVE)]
    recall_own_at_5: Annotated[Figure, told(_FIVE)]
    precision_all_at_5: Annotated[Figure, told(_FIVE)]
    recall_all_at_5: Annotated[Figure, told(_FIVE)]
    cmr_at_5: Annotated[Figure, told(_FIVE)]
    precision_own_with_empty_at_5: Annotated[Figure, told(_FIVE)]
    recall_own_with_empty_at_5: Annotated[Figure, told(_FIVE)]
    precision_all_with_empty_at_5: Annotated[Figure, told(_FIVE)]
    recall_all_with_empty_at_5: Annotated[Figure, told(_FIVE)]
    cmr_with_empty_at_5: Annotated[Figure, told(_FIVE)]
    failed_at_5: Annotated[Figure, told(_FIVE)]
    names_mistake_at_5: Annotated[Figure, told(_FIVE)]
    hallucinated_at_5: Annotated[Figure, told(_FIVE)]
    ambiguous_at_5: Annotated[Figure, told(_FIVE)]
    novelty_at_5: Annotated[Figure, told(_FIVE, "bits")]
    diversity_at_5: Annotated[Figure, told(_FIVE)]
    pulled_at_5: Annotated[Figure, told(_FIVE)]
    recommended_at_5: Annotated[Figure, told(_FIVE, "items")]
    picks: Annotated[Texts, told("What was recommended, as the answer wrote it, each item once.")]
    pick_items: Annotated[Texts, told("The items' ids; empty where a title is no one item.")]
    pick_kinds: Annotated[
        Texts,
        told("`known`, `unknown`, `ambiguous`, or `named`: the request itself names it."),
    ]
    refused: Annotated[bool, told("The answer says that it will not or cannot recommend.")]
    turns: Turns
    calls: Calls
    tool_errors: ToolErrors
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
    http_statuses: Statuses
