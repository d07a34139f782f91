"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const home = document.getElementById("browser");
  const section = document.getElementById("trials");
  const runs = read("data-runs");
  const entries = read("data-entries");
  let results = null;
  let corpus = null;
  const chosen = { condition: "", run: "", outcome: "", failure: "", text: "" };

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== ""));
    return node;
  };
  const record = (place) => read(`data-trial-${place}`);
  const route = (entry) =>
    `#trial/${encodeURIComponent(runs[entry.run].folder)}/${encodeURIComponent(entry.key)}`;
  const result = (hash) => (results ??= read("data-results"))[hash];
  const nothing = "–";

  // --- the list -----------------------------------------------------------------------------
  const words = (place) => {
    corpus ??= entries.map((entry, at) => {
      const said = record(at).steps.map((step) => `${step.text ?? ""} ${step.item ?? ""} ${step.title ?? ""}`);
      return [entry.key, runs[entry.run].label, entry.template, entry.ending, entry.failure, ...said]
        .join(" ").toLowerCase();
    });
    return corpus[place];
  };
  const fits = (entry, place) =>
    (!chosen.condition || entry.condition === chosen.condition) &&
    (!chosen.run || String(entry.run) === chosen.run) &&
    (!chosen.outcome || entry.outcome === chosen.outcome) &&
    (!chosen.failure || entry.failure === chosen.failure) &&
    chosen.text.toLowerCase().split(/\s+/).every((word) => !word || words(place).includes(word));
  const matching = () => entries.map((_, place) => place).filter((place) => fits(entries[place], place));

  const heads = ["trial", "outcome", "how it went", "agent", "condition", "tier", "turns", "proposals", "calls"];
  const cells = (entry) => [
    [entry.outcome, entry.outcome],
    [entry.failure || entry.ending, "how"],
    [runs[entry.run].label, "agent-name"],
    [entry.condition + (entry.satisfiable ? "" : " (NVR)"), null],
    [entry.tier, null],
    [String(entry.turns), "num told"],
    [String(entry.proposals), "num told"],
    [String(entry.calls), "num told"],
  ];
  const counted = (number, of) => `${number} of ${of} trial${of === 1 ? "" : "s"}`;
  const body = make("tbody", { role: "rowgroup" });
  const count = make("p", { class: "count", role: "status", "aria-live": "polite" });
  const fill = () => {
    const places = matching();
    count.textContent = counted(places.length, entries.length);
    const lines = document.createDocumentFragment();
    for (const place of places) {
      const entry = entries[place];
      lines.append(
        make("tr", { role: "row" },
          make("th", { scope: "row", role: "rowheader", class: "key" }, make("a", { href: route(entry) }, entry.key)),
          ...cells(entry).map(([text, kind], at) =>
            make("td", { role: "cell", class: kind, "data-head": heads[at + 1] }, text))),
      );
    }
    body.replaceChildren(lines);
  };
  const select = (name, label, options) => {
    const field = make("select", { onchange: () => { chosen[name] = field.value; fill(); } },
      make("option", { value: "" }, "any"),
      ...options.map(([value, text]) => make("option", { value }, text)));
    return make("label", {}, label, field);
  };
  const values = (name) => [...new Set(entries.map((entry) => entry[name]).filter(Boolean))].map((v) => [v, v]);
  let list = null;
  const listing = () => {
    if (list) return list;
    let timer = 0;
    const text = make("input", {
      type: "search", autocomplete: "off",
      oninput: () => { clearTimeout(timer); timer = setTimeout(() => { chosen.text = text.value; fill(); }, 150); },
    });
    const filters = make("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      select("condition", "Condition", values("condition")),
      select("run", "Agent", runs.map((run, place) => [String(place), run.label])),
      select("outcome", "Outcome", values("outcome")),
      select("failure", "Failure", values("failure")),
      make("label", {}, "Words or item id", text),
      make("button", { type: "reset", onclick: () => {
        for (const name of Object.keys(chosen)) chosen[name] = "";
        setTimeout(fill);
      } }, "Clear"));
    const table = make("table", { class: "list", role: "table" },
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" },
        ...heads.map((head) => make("th", { scope: "col", role: "columnheader", class: "word" }, head)))),
      body);
    fill();
    list = make("div", {}, filters, count,
      make("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Trials" }, table));
    return list;
  };

  // --- one trial ----------------------------------------------------------------------------
  const tags = { stated: "stated at the start", on_ask: "given when asked", hidden: "never stated" };
  const short = (step, shown) =>
    step.full ? make("p", { class: "aside" }, `Cut here after ${shown.length.toLocaleString("en")} of ${step.full.toLocaleString("en")} characters.`) : null;
  const chips = (items) => make("ul", { class: "chips" }, ...items.map(([kind, text]) => make("li", { class: kind }, text)));

  const factName = (fact, trial) =>
    fact.name === "formats" && trial.formats ? `formats: ${trial.formats.join(", ")}` : fact.name;
  const facts = (trial) => make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...["requirement", "the user", "revealed"].map((head) => make("th", { scope: "col", class: "word" }, head)))),
    make("tbody", {}, ...trial.facts.map((fact) => make("tr", {},
      make("th", { scope: "row" }, factName(fact, trial)),
      make("td", {}, tags[fact.reveal] ?? "not told here"),
      make("td", {}, fact.turn == null ? "never" : fact.turn === 0 ? "in the opening" : `turn ${fact.turn}`))))));
  const pairs = (title, values) => make("details", {}, make("summary", {}, title),
    make("table", {}, make("tbody", {}, ...Object.entries(values).map(([name, value]) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value))))));

  const userStep = (step, trial, confused) => {
    const read = step.generic ? ["anything at all"] : [];
    read.push(...(step.asked ?? []));
    const lines = [];
    if (step.turn > 0 && read.length) lines.push(`Read as asking about: ${read.join(", ")}.`);
    else if (confused) lines.push("Read as a question, but about nothing the customer knows.");
    if (step.declined) lines.push(`Declined: ${step.declined.join(", ")}.`);
    if (step.unconcerned) lines.push(`No preference: ${step.unconcerned.join(", ")}.`);
    if (step.leaks) lines.push(`Gave away: ${step.leaks.join(", ")}${step.drafts ? ` (${step.drafts} held back)` : ""}.`);
    else if (step.drafts) lines.push(`Drawn again: ${step.drafts}.`);
    if (step.stood_in) lines.push("The rule-based reply stands in.");
    if (step.withheld) lines.push(`Due and not said: ${step.withheld.join(", ")}.`);
    const open = new Set(step.revealed ?? []);
    const fresh = new Set(step.fresh ?? []);
    const state = trial.facts.map((fact, place) => {
      if (fresh.has(place)) return ["fresh", `now revealed: ${factName(fact, trial)}`];
      if (open.has(place)) return ["open", `revealed: ${factName(fact, trial)}`];
      const until = fact.reveal === "on_ask" ? "withheld until asked" : "withheld";
      return ["withheld", `${until}: ${factName(fact, trial)}`];
    });
    return make("div", { class: "user" },
      make("p", { class: "who" }, "Customer"),
      make("p", { class: "words" }, step.text ?? ""), short(step, step.text ?? ""),
      lines.length ? make("p", { class: "aside" }, lines.join(" ")) : null,
      trial.facts.length ? chips(state) : null);
  };
  const callView = (step) => {
    const inner = make("details", { ontoggle: () => {
      if (inner.childElementCount > 1) return;
      inner.append(make("pre", {}, step.arguments ?? ""));
      const found = step.result ? result(step.result) : null;
      inner.append(make("pre", {}, found ? found.text : "No result."));
      if (found && found.full) inner.append(short(found, found.text));
    } }, make("summary", { class: step.error ? "failure" : null },
      `${step.name}(${(step.arguments ?? "").slice(0, 100)}${(step.arguments ?? "").length > 100 ? "…" : ""})`,
      step.error ? ` error: ${step.error.replaceAll("_", " ")}` : ""));
    return inner;
  };
  const callsView = (steps) => {
    const names = {};
    for (const step of steps) names[step.name] = (names[step.name] ?? 0) + 1;
    const told = Object.entries(names).map(([name, n]) => (n > 1 ? `${name} × ${n}` : name)).join(", ");
    const outer = make("details", { class: "calls", ontoggle: () => {
      if (outer.childElementCount === 1) outer.append(...steps.map(callView));
    } }, make("summary", {}, `${steps.length} tool call${steps.length === 1 ? "" : "s"}: ${told}`));
    return outer;
  };
  const named = (step) => (step.title ? `${step.title} (${step.item})` : step.item);
  const stepView = (step, trial, confused) => {
    switch (step.kind) {
      case "user": return userStep(step, trial, confused);
      case "agent": return make("div", { class: "agent" }, make("p", { class: "who" }, "Agent"),
        make("p", { class: "words" }, step.text ?? ""), short(step, step.text ?? ""));
      case "note": return make("p", { class: "aside" }, `Agent, unheard: ${step.text ?? ""}`);
      case "reference": return make("p", { class: "aside" }, `Reference line: ${step.text ?? ""}`);
      case "confused": return make("p", { class: "aside failure" }, `The customer did not understand: ${step.text ?? ""}`);
      case "stage": return make("p", { class: "aside" }, `Stage: ${step.name}. ${step.text ?? ""}`);
      case "verdict": {
        const told = step.accepted == null ? "Unknown id" : step.accepted ? "Accepted" : "Rejected";
        const kind = step.accepted == null ? "excluded" : step.accepted ? "success" : "failure";
        return make("div", {}, make("p", { class: `verdict ${kind}` }, `${told}: ${named(step)}`),
          step.failed ? make("p", { class: "aside" }, `Fails: ${step.failed.join("; ")}. The agent does not see this.`) : null,
          step.others ? make("p", { class: "aside" }, `Not judged: ${step.others.join(", ")}`) : null);
      }
      case "ended": return make("p", { class: "verdict" }, `Ended: ${[step.name, named(step) || null, step.error, step.text].filter(Boolean).join(" · ")}`);
      default: return make("p", { class: "aside" }, step.kind);
    }
  };
  const turnView = (turn, steps, trial) => {
    const said = make("div", { class: "said" });
    const confused = steps.some((step) => step.kind === "confused");
    for (let at = 0; at < steps.length; at += 1) {
      if (steps[at].kind !== "call") { said.append(stepView(steps[at], trial, confused)); continue; }
      let end = at;
      while (end < steps.length && steps[end].kind === "call") end += 1;
      said.append(callsView(steps.slice(at, end)));
      at = end - 1;
    }
    return make("div", { class: "turn" }, make("div", { class: "at" }, turn === 0 ? "Opening" : `Turn ${turn}`), said);
  };
  const trialView = (place) => {
    const entry = entries[place];
    const trial = record(place);
    const turns = new Map();
    for (const step of trial.steps) {
      if (!turns.has(step.turn)) turns.set(step.turn, []);
      turns.get(step.turn).push(step);
    }
    const places = matching();
    const at = places.indexOf(place);
    const beside = (step, text) => {
      const other = at < 0 ? undefined : places[at + step];
      return other === undefined ? null : make("a", { href: route(entries[other]) }, text);
    };
    const heading = make("h3", { tabindex: "-1" }, `${entry.key} · ${runs[entry.run].label}`);
    const about = [entry.condition, entry.tier, entry.template, entry.satisfiable ? "satisfiable" : "nothing fits (NVR)"];
    const view = make("article", { class: "trial" },
      make("div", { class: "crumbs" }, make("a", { href: "#trials" }, "All trials"), beside(-1, "Previous"), beside(1, "Next")),
      heading,
      make("p", { class: "note" }, about.join(" · ")),
      make("p", {}, make("strong", { class: entry.outcome }, entry.outcome), ` · ${entry.failure || entry.ending}`),
      make("div", { class: "state" },
        make("div", {}, make("h4", {}, "What the user knew"), facts(trial),
          trial.history ? make("p", { class: "aside" }, `Already knows: ${trial.history.join(", ")}`) : null,
          trial.persona ? make("p", { class: "aside" }, `Persona: ${trial.persona}`) : null,
          trial.known ? null : make("p", { class: "aside" }, "Without the task set, only what the transcript names is listed.")),
        make("div", {}, make("h4", {}, "How it was scored"), pairs(trial.held ? "Policies of the shop" : "Protocol checks", trial.checks), pairs("Scores", trial.scores))),
      make("h4", {}, "What happened"),
      ...[...turns].map(([turn, steps]) => turnView(turn, steps, trial)));
    return [view, heading];
  };

  // --- routes -------------------------------------------------------------------------------
  let opened = "";
  const back = () => {
    const link = [...body.querySelectorAll("a")].find((one) => one.getAttribute("href") === opened);
    opened = "";
    (link ?? document.getElementById("trials-head")).focus();
  };
  const show = () => {
    const parts = location.hash.match(/^#trial\/([^/]*)\/(.*)$/);
    let place = -1;
    if (parts) {
      const [folder, key] = parts.slice(1).map((part) => { try { return decodeURIComponent(part); } catch { return ""; } });
      place = entries.findIndex((entry) => entry.key === key && runs[entry.run].folder === folder);
    }
    section.classList.toggle("listing", place < 0);
    if (place >= 0) {
      const [view, heading] = trialView(place);
      opened = route(entries[place]);
      home.replaceChildren(view);
      section.scrollIntoView();
      heading.focus({ preventScroll: true });
      return;
    }
    home.replaceChildren(...(parts ? [make("p", { class: "warn", role: "alert" }, "This trial is not on the page.")] : []), listing());
    if (opened && !parts) back();
    else if (parts || location.hash === "#trials") { section.scrollIntoView(); section.focus({ preventScroll: true }); }
  };
  // Tables that are wider than the page say so.
  const wide = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      const box = target.parentElement;
      box.toggleAttribute("data-more", box.scrollWidth > box.clientWidth + 1);
    }
  });
  for (const table of document.querySelectorAll(".scroll > table")) wide.observe(table);
  home.hidden = false;
  addEventListener("hashchange", show);
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.table:not([open]), details.method:not([open]), .state details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  show();
})();
