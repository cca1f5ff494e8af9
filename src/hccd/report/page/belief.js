// How much to believe: the first screen's figures and warnings, the probabilities of a pair, and pairs that nearly are edges.

// On a phone there is room for the picture only if warnings are unfolded by hand.
const WARNINGS_AT_ONCE = window.matchMedia("(max-width: 640px)").matches ? 0 : 2;
const NEARLY_AT_ONCE = 20;

function setUpBelief() {
  const title = make("h2", { id: "believe-title" }, "How much to believe");
  const rated = confidence !== null && edgeCount > 0;
  const resampled = rated ? ` (${counted(confidence.resamples, "resample")})` : "";
  const learned = content.repeat !== null ? " Learn with --bootstrap 100 (bootstrap=100) to estimate it." : "";
  const said = rated ? confidence.advice : `No resamples were drawn, so the probability of each edge is unknown.${learned}`;
  const advice = edgeCount ? [make("p", {}, make("strong", {}, said), make("span", { class: "hint" }, resampled), ` ${content.fit_line}`)] : [];
  byId("believe").append(...(rated ? [beliefFigures()] : []), make("div", { class: "said" }, title, ...advice, warningList()));
}

function beliefFigures() {
  const rows = [["Edges", confidence.edge_classes], ["Arrowheads", confidence.arrowhead_classes]];
  const head = make("tr", {}, make("th", { scope: "col" }, "Probability"), ...confidence.classes.map((name) => make("th", { scope: "col", class: "number" }, name)));
  const body = rows.filter(([, counts]) => counts.some((count) => count)).map(([name, counts]) => make("tr", {},
    make("th", { scope: "row" }, name), ...counts.map((count) => make("td", { class: "number" }, grouped(count)))));
  return make("div", { class: "figures" }, make("table", { class: "compact" }, make("caption", { class: "sr" }, "Edges and arrowheads by probability"), make("thead", {}, head), make("tbody", {}, ...body)));
}

function warningList() {
  const lines = content.warnings.map((text) => checkLine("warning", text));
  if (!lines.length) return make("ul", { class: "check" }, checkLine("fine", "No warning about the data."));
  const rest = lines.slice(WARNINGS_AT_ONCE);
  return make("div", { class: "warnings" }, WARNINGS_AT_ONCE ? make("ul", { class: "check" }, ...lines.slice(0, WARNINGS_AT_ONCE)) : null,
    rest.length ? make("details", {}, make("summary", {}, counted(rest.length, WARNINGS_AT_ONCE ? "more warning" : "warning")), make("ul", { class: "check" }, ...rest)) : null);
}

// A bar of the four probabilities of a pair, which the sentence below it tells too; nothing where there are none.
function probabilities(a, b) {
  const shares = sharesOf(a, b);
  if (!shares || shares[3] === 1) return [];
  const [x, y] = [quote(a), quote(b)];
  const kinds = [`${x} \u2192 ${y}`, `${x} \u2190 ${y}`, "undirected", "no edge"];
  const bar = make("div", { class: "bar", "aria-hidden": "true" }, ...shares.map((p, i) => {
    const part = make("span", { class: `share-${i}` });
    part.style.width = `${100 * p}%`;
    return part;
  }));
  const key = make("ul", { class: "shares" }, ...shares.map((p, i) => make("li", {}, make("span", { class: `dot share-${i}`, "aria-hidden": "true" }), `${kinds[i]} ${share(p)}`)));
  return [make("div", { class: "probabilities" }, bar, key)];
}

function nearlySheet() {
  const place = byId("nearly");
  const near = confidence === null ? [] : confidence.unjoined.filter((row) => 1 - row[5] >= confidence.nearly - 1e-9);
  place.hidden = !near.length;
  if (place.hidden) return;
  const list = make("ul", { class: "nearly" });
  const item = ([x, y, , , , none]) => make("li", {}, button("", { class: "link" }, () => {
    bring(x, y);
    byId("explorer").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "start" });
  }), make("span", { class: "amount" }, share(1 - none)));
  const fill = (rows) => list.append(...rows.map((row) => {
    const made = item(row);
    made.firstChild.append(named(row[0]), " \u22EF ", named(row[1]));
    return made;
  }));
  fill(near.slice(0, NEARLY_AT_ONCE));
  place.append(make("p", { class: "hint" }, `${counted(near.length, "pair")} without an edge in the graph, but with a probability of an edge of ${confidence.nearly} or more.`), list);
  if (near.length > NEARLY_AT_ONCE) {
    const more = button(`Show all ${grouped(near.length)}`, { class: "quiet" }, () => { fill(near.slice(NEARLY_AT_ONCE)); more.remove(); });
    place.append(more);
  }
}
