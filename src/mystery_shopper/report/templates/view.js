"use strict";
// The pages of `mystery-shopper view`: the runs, and the trials of one, as the server reads them.
(() => {
  const live = document.getElementById("live");
  const get = async (path, query = {}) => {
    const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "" && value !== 0));
    let got;
    try { got = await fetch(asked.size ? `${path}?${asked}` : path); } catch { throw new Error("The viewer has stopped. Start it again, and this page goes on."); }
    const answer = await got.json();
    if (!got.ok) throw Object.assign(new Error(answer.error ?? got.statusText), { status: got.status });
    return answer;
  };
  // Look again while something may change: soon while it does, seldom while nobody writes.
  const follow = (look) => {
    const again = async () => {
      let wait = 10_000;
      try { wait = await look(); } catch (error) { say(live, String(error.message ?? error)); }
      if (wait !== null) setTimeout(again, document.hidden ? Math.max(wait, 5_000) : wait);
    };
    again();
  };
  const pause = (runs) => {
    if (runs.some((run) => !run.ready)) return 150;
    if (runs.some((run) => run.recent)) return 2_000;
    return runs.some((run) => run.live || run.problem) ? 10_000 : null;
  };
  const count = (run, name) => run[name] ?? 0;
  const success = (run) => {
    const valid = count(run, "success") + count(run, "failure");
    return valid ? `${whole(count(run, "success"))} of ${whole(valid)} (${(100 * count(run, "success") / valid).toFixed(1)} %)` : "–";
  };
  const state = (run) => run.problem ? `unreadable: ${run.problem}` : !run.ready ? "being read" : !run.live ? "complete" : run.recent ? "going on" : "not complete";

  const runsPage = () => {
    const heads = ["run", "agent", "conditions", "planned", "done", "excluded", "success", "state"];
    const body = make("tbody", { role: "rowgroup" });
    const table = make("table", { class: "list runs", role: "table" },
      make("caption", { class: "unseen" }, "Runs, one a line; the name of a run opens its trials."),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads.map((head) => make("th", { scope: "col", role: "columnheader", class: ["planned", "done", "excluded"].includes(head) ? "num" : "word" }, head)))), body);
    document.getElementById("list").append(table);
    watch(document);
    const line = (run) => {
      const number = (name) => run.problem ? "–" : whole(count(run, name));
      const cells = [
        [run.agent ?? "–", "agent-name"], [(run.conditions ?? []).join(", ") || "–", null],
        [number("planned"), "num told"], [number("done"), "num told"], [number("excluded"), "num told"],
        [success(run), "told"], [state(run), run.problem ? "how failure" : "how"],
      ];
      const name = run.problem ? run.name : make("a", { href: `/runs/${run.number}` }, run.name);
      return make("tr", { role: "row" }, make("th", { scope: "row", role: "rowheader", class: "key" }, name),
        ...cells.map(([text, kind], at) => make("td", { role: "cell", class: kind, "data-head": heads[at + 1] }, text)));
    };
    let drawn = "";
    follow(async () => {
      const { runs } = await get("/api/runs");
      const now = JSON.stringify(runs);
      if (now !== drawn) {
        const at = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
        drawn = now;
        body.replaceChildren(...runs.map(line));
        if (at) [...body.querySelectorAll("a")].find((one) => one.getAttribute("href") === at)?.focus();
      }
      const going = runs.filter((run) => run.recent).length;
      say(live, `${plural(runs.length, "run")}${going ? `, ${whole(going)} going on` : ""}.`);
      return pause(runs);
    });
  };

  const runPage = (number) => {
    const { name, label } = document.body.dataset;
    const at = `/api/runs/${number}`;
    const filters = ({ task, condition, outcome, failure, text, tier }) => ({ task, condition, outcome, failure, text, tier });
    const requests = document.body.dataset.suite === "recbench";
    const trials = browse({
      runs: [{ folder: name, label }],
      shape: requests ? requestShape(label) : undefined,
      missing: "This trial is not in the run.",
      list: (chosen, page) => get(`${at}/trials`, { ...filters(chosen), page }),
      trial: async (folder, key, chosen) => {
        if (folder !== name) return null;
        try {
          const got = await get(`${at}/trial`, { ...filters(chosen), key });
          return { ...got, results: (hash) => got.results[hash] ?? null };
        } catch (error) {
          if (error.status === 404) return null;
          throw error;
        }
      },
    });
    let mark = null;
    follow(async () => {
      const run = await get(at);
      const facts = [["Agent", run.agent], ["Customer", run.user], ["Conditions", (run.conditions ?? []).join(", ")], ["Interface", `${run.interface}, prompt ${run.prompt}`],
        [requests ? "Queries" : "Tasks", `${run.task_set}, ${plural(count(run, "trials"), "trial")} a ${requests ? "query" : "task"}`], ["Catalogue", run.catalogue]];
      if (requests) facts.splice(1, 3, ["Types of query", (run.conditions ?? []).join(", ")],
        ["Interface", `${run.interface}, history ${run.history ? "" : "not "}handed over, ${run.k ? `${whole(run.k)} items` : "any number of items"} asked for`]);
      const list = document.getElementById("facts");
      if (!run.problem && !list.childElementCount) list.append(...facts.flatMap(([head, text]) => [make("dt", {}, head), make("dd", {}, text ?? "–")]));
      const strange = count(run, "strange");
      say(live, run.problem ? `This folder cannot be read as a run: ${run.problem}` : [
        `${whole(count(run, "done"))} of ${plural(count(run, "planned"), "planned trial")}, ${whole(count(run, "excluded"))} excluded`,
        `success ${success(run)}`, count(run, "unscored") ? `${whole(count(run, "unscored"))} unscored` : null, state(run), strange ? `${plural(strange, "line")} of the files are no trials` : null,
      ].filter(Boolean).join(" · "));
      if (mark !== null && mark !== run.mark) await trials.refill();
      mark = run.mark;
      return pause([run]);
    });
  };

  const number = document.body.dataset.run;
  if (number === undefined) runsPage(); else runPage(number);
})();
