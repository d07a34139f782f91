// The trials that stand in the page itself.
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const runs = read("data-runs");
  const entries = read("data-entries");
  let results = null;
  let corpus = null;
  const record = (place) => read(`data-trial-${place}`);
  const words = (place) => {
    corpus ??= entries.map((entry, at) => haystack(entry, runs[entry.run].label, record(at)));
    return corpus[place];
  };
  const fits = (chosen) => {
    const task = chosen.task.trim().toLowerCase();
    const wanted = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    return (place) => {
      const entry = entries[place];
      return entry.key.slice(0, entry.key.lastIndexOf("#")).toLowerCase().includes(task) &&
        (!chosen.condition || entry.condition === chosen.condition) &&
        (!chosen.run || String(entry.run) === chosen.run) &&
        (!chosen.outcome || entry.outcome === chosen.outcome) &&
        (!chosen.failure || entry.failure === chosen.failure) &&
        wanted.every((word) => words(place).includes(word));
    };
  };
  const matching = (chosen) => entries.map((_, place) => place).filter(fits(chosen));
  const values = (name) => [...new Set(entries.map((entry) => entry[name]).filter(Boolean))].map((value) => [value, value]);
  const choices = {
    condition: values("condition"), outcome: values("outcome"), failure: values("failure"),
    ...(runs.length > 1 ? { run: runs.map((run, place) => [String(place), run.label]) } : {}),
  };
  browse({
    runs,
    missing: "This trial is not on the page.",
    list: async (chosen) => {
      const places = matching(chosen);
      return { entries: places.map((place) => entries[place]), matching: places.length, total: entries.length, page: 0, pages: 1, choices };
    },
    trial: async (folder, key, chosen) => {
      const place = entries.findIndex((entry) => entry.key === key && runs[entry.run].folder === folder);
      if (place < 0) return null;
      const places = matching(chosen);
      const at = places.indexOf(place);
      const beside = (step) => (at < 0 ? undefined : entries[places[at + step]]);
      return {
        entry: entries[place], trial: record(place), results: (hash) => (results ??= read("data-results"))[hash],
        before: beside(-1), after: beside(1),
      };
    },
  });
})();
