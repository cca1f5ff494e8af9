// What is chosen is in the address: #edge=A,B or #variable=A. Such an address opens the page there.

function setUpLink() {
  // Half a pair of surrogates cannot stand in an address.
  const coded = content.names.map((name) => encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\uFFFD")));
  const sought = (part) => {
    const exact = coded.indexOf(part);
    if (exact >= 0) return exact;
    try {
      return content.names.indexOf(decodeURIComponent(part));
    } catch {
      return -1;
    }
  };
  function follow() {
    const [, kind, names] = window.location.hash.match(/^#(edge|variable)=(.*)$/) ?? [];
    if (kind === undefined) return;
    const found = (kind === "edge" ? names.split(",") : [names]).map(sought);
    if (found.length > 2 || found.some((v) => v < 0) || found[0] === found[1]) return;
    const [first, second = null] = found;
    if (first === state.first && second === state.second) return;
    bring(first, second);
  }
  watch((changed) => {
    if (!changed.has("first") && !changed.has("second")) return;
    const chosen = [state.first, state.second].filter((v) => v !== null).map((v) => coded[v]);
    const hash = chosen.length ? `#${chosen.length === 2 ? "edge" : "variable"}=${chosen.join(",")}` : "";
    try {
      window.history.replaceState(null, "", hash === "" ? window.location.pathname + window.location.search : hash);
    } catch {
      // A browser that has seen too many changes in a short time: the choice counts, its address comes with the next one.
    }
  });
  window.addEventListener("hashchange", follow);
  follow();
}
