"use strict";
// Trials of recbench for `browse`: a request, its answer title by title, and what was right.
const requestShape = (label) => {
  const share = (value) => value === null ? "–" : value.toFixed(3);
  const width = (text) => !text ? "–" : `${text} condition${text === "1" ? "" : "s"}`;
  const listed = ({ shown = [], of = 0 } = {}) => `${shown.join(" · ")}${of > shown.length ? ` … and ${whole(of - shown.length)} more` : ""}`;
  const titles = (name, list) => `${name}: ${plural(list?.of ?? 0, "item")}`;
  const mark = (came) => came.good === undefined || came.good === null ? ["", "excluded"] : came.good ? ["✓ ", "success"] : ["✗ ", "failure"];
  const asked = (trial, { table, folded }) => {
    const query = trial.asked;
    if (!query) return [make("p", { class: "aside" }, "Without the query set, only what the trial has is shown.")];
    const rows = (query.conditions ?? []).map((one) => [one.relation, one.value, one.given]);
    const group = Object.entries(query.group ?? {});
    const some = (text) => make("p", { class: "words" }, text);
    return [
      make("p", { class: "words" }, query.text),
      make("p", { class: "note" }, `Asked by ${(query.who ?? []).join(", ")}.`),
      rows.length ? table("The true conditions", ["relation", "value", "how it is given"], rows) : null,
      group.length ? table("The group", null, group) : null,
      query.reason ? make("p", { class: "note" }, `Why the answers fit: ${query.reason}`) : null,
      query.named?.of ? make("p", { class: "note" }, `Named in the request, so counted neither way: ${listed(query.named)}`) : null,
      folded(titles(rows.length ? "The user's own group" : "The subset that the reason speaks of", query.own), some(listed(query.own)), true),
      query.others?.of ? folded(titles("What else is right", query.others), some(listed(query.others))) : null,
    ];
  };
  const history = (trial, { folded }) => trial.history
    ? folded(titles("History handed over", trial.history), make("p", { class: "words" }, listed(trial.history))) : null;
  const answer = (trial, { table }) => {
    const came = trial.came ?? [];
    if (!came.length) return make("p", { class: "aside" }, trial.refused ? "The answer says that it will not or cannot recommend." : "Nothing was recommended.");
    const rows = came.map((one, at) => {
      const [sign, kind] = mark(one);
      return [`${at + 1}. ${one.text}`, one.item ? `${one.title || one.item} (${one.item})` : "–", make("span", { class: kind }, `${sign}${one.verdict || "not told here"}`)];
    });
    return make("div", { class: "answer-titles" }, table("What was recommended", ["as it is written", "the item", "what that is"], rows, "list"),
      trial.more ? make("p", { class: "aside" }, `… and ${whole(trial.more)} more.`) : null);
  };
  return {
    task: "Query", example: "implicit-2", condition: "Type", tier: "Conditions", happened: "What happened",
    heads: ["trial", "outcome", "how it went", "agent", "type", "conditions", "items", "precision", "recall", "CMR", "calls"],
    cells: (entry) => [
      [entry.outcome, entry.outcome],
      [entry.failure || entry.ending, "how"],
      [label, "agent-name"],
      [entry.condition, null],
      [entry.conditions || "–", null],
      [entry.items === null ? "–" : whole(entry.items), "num told"],
      [share(entry.precision), "num told"],
      [share(entry.recall), "num told"],
      [share(entry.cmr), "num told"],
      [whole(entry.calls), "num told"],
    ],
    about: (entry, trial) => [entry.condition, entry.conditions ? width(entry.conditions) : null, trial.fault ? `fault of the ${trial.fault}` : null].filter(Boolean),
    trial: ({ trial }, tools) => [
      make("div", { class: "state" },
        make("div", {}, make("h4", {}, "What was asked"), ...asked(trial, tools), history(trial, tools)),
        make("div", {}, make("h4", {}, "How it was scored"),
          trial.figures?.length ? tools.table("Figures", ["figure", "K free", "first five"], trial.figures, "figured") : make("p", { class: "aside" }, "Nothing was scored."),
          make("h4", {}, "Time and tokens"), tools.clock())),
      make("h4", {}, "What was recommended"), answer(trial, tools),
    ],
  };
};
