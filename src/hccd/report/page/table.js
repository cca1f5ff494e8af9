// All edges as a table: sorted by any column, filtered by name, and a button in every row that asks why.

const ROWS_AT_ONCE = 100;

function setUpTable() {
  const columns = [
    ["From", (e) => content.names[edges.from[e]], false],
    ["Edge", (e) => -Object.keys(content.types).indexOf(edges.type[e]), true],
    ["To", (e) => content.names[edges.to[e]], false],
    ["Strength", (e) => edges.strength[e] ?? Infinity, true],
    ...(confidence === null ? [] : [
      ["Confidence", adjacent, true],
      ["Direction", asDrawn, true],
    ]),
    [content.pag ? "Rules for the marks" : "Rule for the direction", ruleWords, false],
  ];
  const isNumber = (i) => ["Strength", "Confidence", "Direction"].includes(columns[i][0]);
  let sorted = { column: confidence === null ? 3 : 4, down: true };
  let limit = ROWS_AT_ONCE;
  const headers = columns.map(([title, , downFirst], i) => {
    const arrow = make("span", { class: "sort", "aria-hidden": "true" });
    const header = make("th", { scope: "col", class: isNumber(i) ? "number" : null }, button(title, { class: "header" }, () => {
      sorted = { column: i, down: sorted.column === i ? !sorted.down : downFirst };
      refresh();
    }));
    header.firstChild.append(arrow);
    return header;
  });
  headers.push(make("th", { scope: "col" }, make("span", { class: "sr" }, "Explanation")));
  const body = make("tbody");
  const more = button("Show all", { class: "quiet more-rows" }, () => { limit = Infinity; refresh(); });
  const caption = make("caption", { class: "sr" }, "All edges, with strength, probability if it is known, and the rule for the direction");
  byId("edge-table").append(make("table", {}, caption, make("thead", {}, make("tr", {}, ...headers)), body), more);
  const filter = byId("filter");

  function row(e) {
    const kind = edges.type[e];
    const cells = [
      named(edges.from[e]),
      make("span", { title: kind }, arrowOf(e), make("span", { class: "sr" }, ` ${kind}`)),
      named(edges.to[e]),
      edges.shown[e],
      ...(confidence === null ? [] : [share(adjacent(e)), share(asDrawn(e))]),
      ruleWords(e) || kind,
    ].map((cell, i) => make("td", { class: i === 1 ? "arrow" : isNumber(i) ? "number" : "" }, cell));
    const label = `Why: ${edgeWords(e)}`;
    const why = button("Why?", { class: "quiet", "aria-label": label }, () => {
      bring(edges.from[e], edges.to[e]);
      byId("explorer").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "start" });
      byId("answer").querySelector("h3").setAttribute("tabindex", "-1");
      byId("answer").querySelector("h3").focus({ preventScroll: true });
    });
    return make("tr", { "data-edge": e }, ...cells, make("td", {}, why));
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  function refresh() {
    const wanted = filter.value.toLowerCase();
    const value = columns[sorted.column][1];
    const sign = sorted.down ? -1 : 1;
    const compare = (x, y) => (typeof x === "string" ? collator.compare(x, y) : x === y ? 0 : x - y);
    const found = Array.from({ length: edgeCount }, (_, e) => e)
      .filter((e) => content.names[edges.from[e]].toLowerCase().includes(wanted) || content.names[edges.to[e]].toLowerCase().includes(wanted))
      .sort((a, b) => sign * compare(value(a), value(b)) || a - b);
    body.replaceChildren(...found.slice(0, limit).map(row));
    headers.slice(0, columns.length).forEach((header, i) => {
      const own = sorted.column === i;
      if (own) header.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
      header.querySelector(".sort").textContent = own ? (sorted.down ? " \u25BE" : " \u25B4") : "";
    });
    more.hidden = found.length <= limit;
    const shown = Math.min(limit, found.length);
    byId("edge-count").textContent = shown === found.length ? counted(found.length, "edge") : `${grouped(shown)} of ${counted(found.length, "edge")}`;
  }
  filter.addEventListener("input", refresh);
  refresh();
  return { showAll() { limit = Infinity; refresh(); } };
}
