"use strict";
// Tables that are wider than the page say so, trials can be filtered, and an address opens its trial.
(() => {
  const wide = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      const box = target.parentElement;
      if (box) box.toggleAttribute("data-more", box.scrollWidth > box.clientWidth + 1);
    }
  });
  for (const table of document.querySelectorAll(".scroll > table")) wide.observe(table);

  const trials = [...document.querySelectorAll(".played")];
  const form = document.querySelector(".filters");
  const count = document.querySelector(".count");
  const more = document.querySelector(".more");
  let most = 40;
  const words = new Map();
  const text = (trial) => {
    if (!words.has(trial)) words.set(trial, trial.textContent.toLowerCase());
    return words.get(trial);
  };
  const filter = () => {
    const chosen = Object.fromEntries(new FormData(form));
    const wanted = (chosen.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const trial of trials) {
      const fits = ["kind", "agent", "outcome", "how"].every((name) => !chosen[name] || trial.dataset[name] === chosen[name]) &&
        wanted.every((word) => text(trial).includes(word));
      left += fits;
      trial.hidden = !fits || left > most;
    }
    more.hidden = left <= most;
    more.textContent = `Show the other ${left - most}`;
    const told = left === trials.length ? `${left} trials` : `${left} of ${trials.length} trials`;
    if (count.textContent !== told) count.textContent = told;
  };
  more.addEventListener("click", () => { most = Infinity; filter(); trials.find((one) => !one.hidden)?.querySelector("summary").focus(); });
  let timer = 0;
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();

  const open = () => {
    // Ids hold the escapes of the address as they stand.
    const found = document.getElementById(location.hash.slice(1));
    if (!found?.classList.contains("played")) return;
    if (found.hidden) { form.reset(); most = Infinity; for (const trial of trials) trial.hidden = false; }
    found.open = true;
    found.scrollIntoView();
    found.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  open();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.table:not([open]), details.method:not([open]), .played[open] details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
})();
