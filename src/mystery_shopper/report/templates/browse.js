"use strict";
// The trials of a page: a list with filters, and one trial beside the truth. Where they come from is
// the source's matter (static.js: the page itself; view.js: the server).
const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
};
const whole = (number) => number.toLocaleString("en");
const plural = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;
// Text that changes under a reader is told once, and only when it did change.
const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };

// Tables that are wider than the page say so.
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    const box = target.parentElement;
    if (box) box.toggleAttribute("data-more", box.scrollWidth > box.clientWidth + 1);
  }
});
const watch = (root) => { for (const table of root.querySelectorAll(".scroll > table")) wide.observe(table); };

// The words that a search goes through; `haystack` in browse.py does the same.
const haystack = (entry, label, trial) => {
  const parts = [entry.key, label, entry.template, entry.ending, entry.failure];
  for (const step of trial.steps) {
    parts.push(step.text ?? "", step.name ?? "", step.arguments ?? "", step.item ?? "", step.title ?? "");
    parts.push(...(step.failed ?? []));
  }
  return parts.join(" ").toLowerCase();
};

const browse = (source) => {
  const home = document.getElementById("browser");
  const section = document.getElementById("trials");
  const runs = source.runs;
  // A suite may bring its own list and its own view of a trial (requests.js).
  const shape = source.shape;
  const chosen = { task: "", condition: "", run: "", outcome: "", failure: "", text: "", tier: "" };
  let page = 0;
  const route = (entry) =>
    `#trial/${encodeURIComponent(runs[entry.run].folder)}/${encodeURIComponent(entry.key)}`;

  // --- the list -----------------------------------------------------------------------------
  const heads = shape?.heads ?? ["trial", "outcome", "how it went", "agent", "condition", "tier", "turns", "proposals", "calls"];
  const cells = shape?.cells ?? ((entry) => [
    [entry.outcome, entry.outcome],
    [entry.failure || entry.ending, "how"],
    [runs[entry.run].label, "agent-name"],
    [entry.condition + (entry.satisfiable ? "" : " (NVR)"), null],
    [entry.tier, null],
    [whole(entry.turns), "num told"],
    [whole(entry.proposals), "num told"],
    [whole(entry.calls), "num told"],
  ]);
  const body = make("tbody", { role: "rowgroup" });
  const count = make("p", { class: "count", role: "status", "aria-live": "polite" });
  const pager = make("nav", { class: "pager", "aria-label": "Pages of the list" });
  const counted = (got) => {
    const some = got.matching === got.total ? plural(got.total, "trial") : `${whole(got.matching)} of ${plural(got.total, "trial")}`;
    return got.searched === undefined || got.searched >= got.within ? some
      : `${whole(got.matching)} found so far; ${whole(got.searched)} of ${plural(got.within, "trial")} searched.`;
  };
  const turnTo = (to) => make("button", {
    type: "button", onclick: () => { page = to; fill().then(() => count.scrollIntoView({ block: "nearest" })); },
  });
  const pages = (got) => {
    const kept = document.activeElement && pager.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (got.pages < 2) { pager.replaceChildren(); return; }
    const buttons = [["First", 0], ["Previous page", got.page - 1], ["Next page", got.page + 1], ["Last", got.pages - 1]]
      .map(([text, to]) => {
        const button = turnTo(to);
        button.textContent = text;
        button.disabled = to < 0 || to >= got.pages || to === got.page;
        return button;
      });
    const told = make("span", {}, `Page ${whole(got.page + 1)} of ${whole(got.pages)}`);
    pager.replaceChildren(...buttons.slice(0, 2), told, ...buttons.slice(2));
    if (kept) (buttons.find((one) => one.textContent === kept && !one.disabled) ?? buttons.find((one) => !one.disabled)).focus();
  };
  const line = (entry) => make("tr", { role: "row" },
    make("th", { scope: "row", role: "rowheader", class: "key" }, make("a", { href: route(entry) }, entry.key)),
    ...cells(entry).map(([text, kind], at) => make("td", { role: "cell", class: kind, "data-head": heads[at + 1] }, text)));
  let asked = 0;
  let drawn = "";
  const fill = async () => {
    const mine = ++asked;
    let got = null;
    try { got = await source.list(chosen, page); } catch (error) { if (mine === asked) count.textContent = String(error.message ?? error); return; }
    if (mine !== asked) return;
    page = got.page;
    offer(got.choices);
    const now = JSON.stringify(got.entries);
    if (now !== drawn) {
      // A reader's place in the list is kept when lines come or go.
      const at = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      drawn = now;
      body.replaceChildren(...(got.entries.length ? got.entries.map(line)
        : [make("tr", { role: "row" }, make("td", { role: "cell", colspan: String(heads.length), class: "none" },
            got.total ? "No trial fits these filters." : "There is no trial yet."))]));
      if (at) [...body.querySelectorAll("a")].find((one) => one.getAttribute("href") === at)?.focus();
    }
    say(count, counted(got));
    pages(got);
    // A search that is not done goes on.
    if (got.searched !== undefined && got.searched < got.within && list?.isConnected) setTimeout(() => { if (mine === asked) fill(); }, 30);
  };
  const fields = {};
  const select = (name, label) => {
    fields[name] = make("select", { onchange: () => { chosen[name] = fields[name].value; page = 0; fill(); } },
      make("option", { value: "" }, "any"));
    return make("label", {}, label, fields[name]);
  };
  const offer = (choices) => {
    for (const [name, options] of Object.entries(choices)) {
      const field = fields[name];
      if (!field) continue;
      for (const [value, text] of options) {
        if (![...field.options].some((one) => one.value === value)) field.append(make("option", { value }, text));
      }
    }
  };
  const typed = (name, label, attributes = {}) => {
    let timer = 0;
    const field = make("input", {
      type: "search", autocomplete: "off", maxlength: "200", ...attributes,
      oninput: () => { clearTimeout(timer); timer = setTimeout(() => { chosen[name] = field.value; page = 0; fill(); }, 150); },
    });
    return make("label", {}, label, field);
  };
  let list = null;
  const listing = () => {
    if (list) return list;
    const filters = make("form", { class: "filters", role: "search", "aria-label": "Filter the trials", onsubmit: (event) => event.preventDefault() },
      typed("task", shape?.task ?? "Task", { size: "12", placeholder: shape?.example ?? "f001", spellcheck: "false" }),
      select("condition", shape?.condition ?? "Condition"),
      shape?.tier ? select("tier", shape.tier) : null,
      runs.length > 1 ? select("run", "Agent") : null,
      select("outcome", "Outcome"),
      select("failure", "Failure"),
      typed("text", "Words or item id", { size: "22" }),
      make("button", { type: "reset", onclick: () => {
        for (const name of Object.keys(chosen)) chosen[name] = "";
        page = 0;
        setTimeout(fill);
      } }, "Clear"));
    const table = make("table", { class: "list", role: "table" },
      make("caption", { class: "unseen" }, "Trials, one a line; the name of a trial opens it."),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" },
        ...heads.map((head, at) => make("th", { scope: "col", role: "columnheader", class: at > 5 ? "num" : "word" }, head)))),
      body);
    list = make("div", {}, filters, count,
      make("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Trials" }, table), pager);
    watch(list);
    return list;
  };

  // --- one trial ----------------------------------------------------------------------------
  const tags = {
    stated: ["stated", "said in the opening"],
    on_ask: ["on ask", "given when asked"],
    hidden: ["hidden", "never stated"],
  };
  const short = (step, shown) =>
    step.full ? make("p", { class: "aside" }, `Cut here after ${whole(shown.length)} of ${whole(step.full)} characters.`) : null;
  const factName = (fact, trial) =>
    fact.name === "formats" && trial.formats ? `formats: ${trial.formats.join(", ")}` : fact.name;
  const table = (caption, head, rows, kind = null) => make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    make("table", { class: kind }, make("caption", { class: "unseen" }, caption),
      head ? make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", class: "word" }, text)))) : null,
      make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {}, make("th", { scope: "row" }, first),
        ...rest.map((cell) => cell instanceof Node ? make("td", {}, cell) : make("td", {}, String(cell))))))));
  const tag = (fact) => {
    const [name, meaning] = tags[fact.reveal] ?? ["", "not told here"];
    return make("span", {}, name ? make("span", { class: `tag ${fact.reveal}` }, name) : null, name ? ` ${meaning}` : meaning);
  };
  const facts = (trial) => {
    const verdicts = trial.steps.filter((step) => step.kind === "verdict");
    return table("What the customer wants", ["requirement", "reveal tag", "revealed", "fails"], trial.facts.map((fact) => {
      const fails = verdicts.filter((step) => (step.failed ?? []).includes(fact.name)).length;
      return [
        factName(fact, trial), tag(fact),
        fact.turn == null ? "never" : fact.turn === 0 ? "opening" : `turn ${fact.turn}`,
        fails ? `${fails} of ${plural(verdicts.length, "proposal")}` : "–",
      ];
    }));
  };
  const folded = (title, inner, open = false) => make("details", { open }, make("summary", {}, title), inner);
  const marks = { passed: "✓ passed", failed: "✗ failed" };
  const seconds = (taken) => taken < 0.005 ? "< 0.01 s"
    : `${taken.toLocaleString("en", { minimumFractionDigits: taken < 10 ? 2 : taken < 100 ? 1 : 0, maximumFractionDigits: taken < 10 ? 2 : taken < 100 ? 1 : 0 })} s`;
  const money = (cost) => cost === undefined ? "$0" : cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  const clock = (trial) => {
    const taken = trial.clock;
    if (!taken) return make("p", { class: "aside" }, "No timing was kept for this trial.");
    const used = Object.entries(taken.usage ?? {});
    const statuses = Object.entries(taken.statuses ?? {});
    return make("div", {},
      make("p", { class: "figures" }, `The agent took ${seconds(taken.seconds)} over ${plural(taken.acts, "act")}${taken.acts ? `, the slowest ${seconds(taken.slowest ?? 0)}` : ""}.`),
      used.length ? table("Tokens and cost", ["model of", "calls", "input", "cached", "output", "cost"], used.map(([party, use]) =>
        [party, ...["calls", "input", "cached", "output"].map((name) => whole(use[name] ?? 0)), money(use.cost)]), "usage")
        : make("p", { class: "aside" }, "No model was used, so there are no tokens."),
      statuses.length ? make("p", { class: "aside" }, `HTTP answers: ${statuses.map(([status, times]) => `${status} × ${whole(times)}`).join(", ")}.`) : null);
  };

  const userStep = (step, confused) => {
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
    return make("div", { class: "user" },
      make("p", { class: "who" }, "Customer"),
      make("p", { class: "words" }, step.text ?? ""), short(step, step.text ?? ""),
      lines.length ? make("p", { class: "aside" }, lines.join(" ")) : null);
  };
  const knownView = (turn, steps, trial, before) => {
    if (!trial.facts?.length) return null;
    const user = steps.findLast((step) => step.kind === "user");
    const open = new Set(user ? user.revealed ?? [] : before);
    const fresh = new Set([...open].filter((place) => !before.has(place)));
    const when = turn === 0 ? "after the opening" : `after turn ${turn}`;
    const head = `Known ${when}: ${open.size} of ${trial.facts.length}`;
    before.clear();
    for (const place of open) before.add(place);
    if (turn > 0 && !fresh.size) return make("div", { class: "known" }, make("p", { class: "who" }, `${head}, as before`));
    const state = trial.facts.map((fact, place) => {
      if (fresh.has(place)) return ["fresh", `now revealed: ${factName(fact, trial)}`];
      if (open.has(place)) return ["open", `revealed: ${factName(fact, trial)}`];
      const until = fact.reveal === "on_ask" ? "withheld until asked" : "withheld";
      return ["withheld", `${until}: ${factName(fact, trial)}`];
    });
    return make("div", { class: "known" }, make("p", { class: "who" }, head),
      make("ul", {}, ...state.map(([kind, text]) => make("li", { class: kind }, text))));
  };
  const callView = (step, results) => {
    const inner = make("details", { ontoggle: () => {
      if (inner.childElementCount > 1) return;
      const pre = (text) => make("pre", { tabindex: "0" }, text);
      inner.append(pre(step.arguments ?? ""));
      const found = step.result ? results(step.result) : null;
      inner.append(pre(found ? found.text : step.result ? "The result is left off: this trial is too large." : "No result."));
      if (found && found.full) inner.append(short(found, found.text));
    } }, make("summary", { class: step.error ? "failure" : null },
      `${step.name}(${(step.arguments ?? "").slice(0, 100)}${(step.arguments ?? "").length > 100 ? "…" : ""})`,
      step.error ? ` error: ${step.error.replaceAll("_", " ")}` : ""));
    return inner;
  };
  const callsView = (steps, results) => {
    const names = new Map();
    for (const step of steps) names.set(step.name, (names.get(step.name) ?? 0) + 1);
    const told = [...names].map(([name, n]) => (n > 1 ? `${name} × ${n}` : name)).join(", ");
    const outer = make("details", { class: "calls", ontoggle: () => {
      if (outer.childElementCount === 1) outer.append(...steps.map((step) => callView(step, results)));
    } }, make("summary", {}, `${plural(steps.length, "tool call")}: ${told}`));
    return outer;
  };
  const named = (step) => (step.title ? `${step.title} (${step.item})` : step.item);
  const verdictView = (step) => {
    const told = step.accepted == null ? "Unknown id" : step.accepted ? "✓ Accepted" : "✗ Rejected";
    const kind = step.accepted == null ? "excluded" : step.accepted ? "success" : "failure";
    return make("div", { class: `judged ${kind}` },
      make("p", { class: "who" }, "Verdict, by code"),
      make("p", { class: `verdict ${kind}` }, `${told}: ${named(step)}`),
      step.failed ? make("p", { class: "aside" }, `Fails: ${step.failed.join("; ")}. The agent does not see this.`) : null,
      step.others ? make("p", { class: "aside" }, `Not judged: ${step.others.join(", ")}`) : null);
  };
  const stepView = (step, confused) => {
    switch (step.kind) {
      case "user": return userStep(step, confused);
      case "agent": return make("div", { class: "agent" }, make("p", { class: "who" }, "Agent"),
        make("p", { class: "words" }, step.text ?? ""), short(step, step.text ?? ""));
      case "note": return make("p", { class: "aside" }, `Agent, unheard: ${step.text ?? ""}`);
      case "reference": return make("p", { class: "aside" }, `Reference line: ${step.text ?? ""}`);
      case "confused": return make("p", { class: "aside failure" }, `The customer did not understand: ${step.text ?? ""}`);
      case "stage": return make("p", { class: "aside" }, `Stage: ${step.name}. ${step.text ?? ""}`);
      case "left_off": return make("p", { class: "warn" }, step.text ?? "");
      case "verdict": return verdictView(step);
      case "ended": return make("p", { class: "verdict" }, `Ended: ${[step.name, named(step) || null, step.error, step.text].filter(Boolean).join(" · ")}`);
      default: return make("p", { class: "aside" }, step.kind);
    }
  };
  const turnView = (turn, steps, trial, results, known) => {
    const said = make("div", { class: "said" });
    const confused = steps.some((step) => step.kind === "confused");
    for (let at = 0; at < steps.length; at += 1) {
      if (steps[at].kind !== "call") { said.append(stepView(steps[at], confused)); continue; }
      let end = at;
      while (end < steps.length && steps[end].kind === "call") end += 1;
      said.append(callsView(steps.slice(at, end), results));
      at = end - 1;
    }
    const taken = turn > 0 ? trial.clock?.turns?.[turn - 1] : undefined;
    return make("div", { class: "turn" },
      make("div", { class: "at" }, turn === 0 ? "Opening" : `Turn ${turn}`, taken === undefined ? null : make("small", {}, ` ${seconds(taken)}`)),
      said, knownView(turn, steps, trial, known));
  };
  const trialView = ({ entry, trial, results, before, after }) => {
    const turns = new Map();
    for (const step of trial.steps) {
      if (!turns.has(step.turn)) turns.set(step.turn, []);
      turns.get(step.turn).push(step);
    }
    const known = new Set();
    const beside = (other, text) => other ? make("a", { href: route(other) }, text) : null;
    const heading = make("h3", { tabindex: "-1" }, `${entry.key} · ${runs[entry.run].label}`);
    const about = shape?.about(entry, trial) ?? [entry.condition, entry.tier, entry.template, entry.satisfiable ? "satisfiable" : "nothing fits (NVR)"];
    const view = make("article", { class: "trial" },
      make("div", { class: "crumbs" }, make("a", { href: "#trials" }, "All trials"), beside(before, "Previous"), beside(after, "Next")),
      heading,
      make("p", { class: "note" }, about.join(" · ")),
      make("p", {}, make("strong", { class: entry.outcome }, entry.outcome), ` · ${entry.failure || entry.ending}`),
      ...(shape?.trial({ entry, trial }, { table, folded, clock: () => clock(trial) }) ?? [make("div", { class: "state" },
        make("div", {}, make("h4", {}, "What the customer wants"), facts(trial),
          trial.history ? make("p", { class: "aside" }, `Already knows: ${trial.history.join(", ")}`) : null,
          trial.persona ? make("p", { class: "aside" }, `Persona: ${trial.persona}`) : null,
          trial.known ? null : make("p", { class: "aside" }, "Without the task set, only what the transcript names is listed.")),
        make("div", {}, make("h4", {}, "How it was scored"),
          folded(trial.held ? "Policies of the shop" : "Protocol checks",
            table(trial.held ? "Policies of the shop" : "Protocol checks", null, Object.entries(trial.checks).map(([name, value]) => [name, marks[value] ?? value.replaceAll("_", " ")])), true),
          folded("Scores", table("Scores", null, Object.entries(trial.scores))),
          make("h4", {}, "Time and tokens"), clock(trial)))]),
      make("h4", {}, shape?.happened ?? "What happened, and what was known"),
      ...[...turns].map(([turn, steps]) => turnView(turn, steps, trial, results, known)));
    watch(view);
    return [view, heading];
  };

  // --- routes -------------------------------------------------------------------------------
  let opened = "";
  let going = 0;
  const back = () => {
    const link = [...body.querySelectorAll("a")].find((one) => one.getAttribute("href") === opened);
    opened = "";
    (link ?? document.getElementById("trials-head")).focus();
  };
  const warning = (text) => make("p", { class: "warn", role: "alert" }, text);
  const show = async () => {
    const mine = ++going;
    const parts = location.hash.match(/^#trial\/([^/]*)\/(.*)$/);
    let got = null;
    let told = "";
    if (parts) {
      const [folder, key] = parts.slice(1).map((part) => { try { return decodeURIComponent(part); } catch { return ""; } });
      try { got = await source.trial(folder, key, chosen); } catch (error) { told = String(error.message ?? error); }
      if (mine !== going) return;
      if (!got) told ||= source.missing;
    }
    section.classList.toggle("listing", !got);
    if (got) {
      const [view, heading] = trialView(got);
      opened = route(got.entry);
      home.replaceChildren(view);
      section.scrollIntoView();
      heading.focus({ preventScroll: true });
      return;
    }
    const made = listing();
    await fill();
    if (mine !== going) return;
    home.replaceChildren(...(told ? [warning(told)] : []), made);
    if (opened && !parts) back();
    else if (parts || location.hash === "#trials") { section.scrollIntoView(); section.focus({ preventScroll: true }); }
  };
  home.hidden = false;
  watch(document);
  addEventListener("hashchange", show);
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.table:not([open]), details.method:not([open]), .state details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  show();
  return { refill: () => (list?.isConnected ? fill() : Promise.resolve()) };
};
