// The answer beside the picture: a variable with its neighbours, or two variables with the evidence about their edge.

function setUpWhy() {
  const answer = byId("answer");
  const first = combobox("first", "choose", (v) => change({ first: v, second: state.second === v ? null : state.second }));
  const second = combobox("second", "choose", (v) => {
    if (state.first === null || state.first === v) change({ first: v, second: null });
    else change({ second: v });
  });

  function refresh() {
    first.show(state.first);
    second.show(state.second);
    if (state.first === null) answer.replaceChildren(...welcome());
    else if (state.second === null) answer.replaceChildren(...aboutVariable(state.first));
    else answer.replaceChildren(...aboutPair(state.first, state.second));
    if (state.first !== null) bringIntoView(answer);
  }
  watch((changed) => {
    if (changed.has("first") || changed.has("second")) refresh();
  });
  refresh();
}

// Where the answer is below the picture, it comes into view, and as much of the picture as can stay stays.
function bringIntoView(answer) {
  if (!window.matchMedia("(max-width: 1080px)").matches) return;
  const box = answer.getBoundingClientRect();
  const lowest = Math.min(box.bottom + 12, box.top + window.innerHeight * 0.45);
  const by = lowest > window.innerHeight ? lowest - window.innerHeight : Math.min(0, box.top - 12);
  if (by) window.scrollBy({ top: by, behavior: calm.matches ? "auto" : "smooth" });
}

function welcome() {
  return [
    make("p", { class: "hint" }, "Click or tap an edge to read why it is there and why it has its direction. "
      + "Choose two variables, in the picture or by name, to read why there is no edge between them."),
    make("p", { class: "hint keys" }, "Keys: / finds a variable, arrow keys walk through the graph, Enter chooses, Escape clears the choice."),
    content.pag ? null : make("p", { class: "hint" }, "An arrow means \u201cis a cause of\u201d if no common cause is missing from the table, there is no feedback, and the rows are not selected."),
  ].filter(Boolean);
}

function variableButton(v) {
  return button(named(v), { class: "link" }, () => change({ first: v, second: null }));
}

function clusterButton(c) {
  const text = `${clusters.path[c]} (${counted(clusters.size(c), "variable")})`;
  return clusters.count === 1 ? text : button(text, { class: "link" }, () => showCluster(c));
}

function facts(rows) {
  return make("dl", { class: "facts" }, ...rows.filter(Boolean).flatMap(([term, ...values]) => [
    make("dt", {}, term), make("dd", {}, ...values),
  ]));
}

function setOf(variables) {
  if (!variables.length) return ["no variable: independent without condition"];
  return variables.flatMap((v, i) => (i ? [", ", variableButton(v)] : [variableButton(v)]));
}

function aboutVariable(v) {
  const heading = make("h3", {}, named(v));
  const roles = new Set(Object.values(content.types).flatMap((type) => [type.source_is, type.target_is]));
  const lists = [...roles].map((role) => {
    const title = role === "undirected" ? "Direction open" : role[0].toUpperCase() + role.slice(1);
    const found = edgesOf[v].filter((e) => roleOf(e, v) === role).sort((a, b) => strengthRank[b] - strengthRank[a]);
    if (!found.length) return null;
    return make("div", {}, make("h4", {}, `${title} (${found.length})`), make("ul", { class: "neighbours" }, ...found.map((e) => {
      const [title, amount] = confidence === null ? ["unconditional strength", edges.shown[e]] : ["confidence", share(adjacent(e))];
      const strength = amount === "" ? null : make("span", { class: "amount", title }, amount);
      return make("li", {}, button(named(otherEnd(e, v)), { class: "link" }, () => change({ first: v, second: otherEnd(e, v) })), strength);
    })));
  });
  const leaf = clusters.leaves[clusters.leafOf[v]];
  const closeUp = button("Show only its neighbours", { class: "close-up" }, () => { change({ around: v }); closeUp.remove(); });
  return [
    heading,
    edgesOf[v].length ? null : make("p", {}, "No edge: no dependence on other variables was found."),
    ...lists,
    edgesOf[v].length && state.around !== v ? closeUp : null,
    clusters.count > 1 ? facts([["Cluster", clusterButton(leaf)]]) : null,
    make("p", { class: "hint" }, "Choose a second variable, here or in the picture, to read about the two."),
  ].filter(Boolean);
}

function aboutPair(a, b) {
  const e = edgeAt.get(pairKey(a, b));
  return e === undefined ? aboutMissing(a, b) : aboutEdge(e);
}

function aboutEdge(e) {
  const [a, b] = [edges.from[e], edges.to[e]];
  const witness = edges.witness[e];
  const rules = content.pag
    ? [[b, edges.rule[e]], [a, edges.source_rule[e]]].map(([v, rule]) => [`Mark at ${quote(v)}`, rule === "" ? "none: the data leave it open" : ruleWord(rule)])
    : [["Rule for the direction", ruleWords(e) || "none: both directions fit the data equally well"]];
  return [
    make("h3", {}, named(a), ` ${arrowOf(e)} `, named(b)),
    make("p", { class: "kind" }, `${edges.type[e]} edge`),
    ...probabilities(a, b),
    make("p", { class: "sentence" }, presenceSentence(e)),
    facts([
      ...rules,
      witness && [content.pag ? "Other neighbour of the collider" : "Other cause", variableButton(witness.other)],
      witness && [content.pag ? "Separates the two" : "Separates the two causes", ...setOf(witness.given)],
      witness && witness.p !== "" && ["p-value of that test", witness.p],
      edges.shown[e] !== "" && ["Unconditional strength", edges.shown[e]],
      content.test !== "" && ["Test", content.test],
      clusters.count > 1 && ["Smallest common cluster", clusterButton(clusters.meeting(a, b))],
    ]),
    edges.conflicts[e].length ? make("h4", {}, "Tests that the graph disagrees with") : null,
    edges.conflicts[e].length ? make("ul", { class: "conflicts" }, ...edges.conflicts[e].map((c) => make("li", {}, ...conflictWords(content.conflicts[c])))) : null,
  ].filter(Boolean);
}

function aboutMissing(a, b) {
  const reason = missing(a, b);
  const known = reason.kind === "separated";
  return [
    make("h3", {}, named(a), " \u22EF ", named(b)),
    make("p", { class: "kind" }, "no edge"),
    ...probabilities(a, b),
    make("p", { class: "sentence" }, absenceSentence(a, b, reason)),
    known ? facts([
      ["Separated by", ...setOf(reason.given)],
      reason.p !== "" && ["p-value", reason.p],
      content.test !== "" && ["Test", content.test],
      ["Stage", stageName(reason.stage)],
      clusters.count > 1 && ["Cluster", clusterButton(reason.cluster)],
    ]) : null,
  ].filter(Boolean);
}

function conflictWords(conflict) {
  const [x, z, y] = conflict.triple;
  const found = conflict.kind === "dropped"
    ? ["The tests found that ", variableButton(z), " is a collider between ", variableButton(x), " and ", variableButton(y), "; the graph has none there: "]
    : ["In the graph ", variableButton(z), " is a collider between ", variableButton(x), " and ", variableButton(y), "; the tests found none there: "];
  return [...found, conflict.reason, conflict.p === "" ? "." : ` (p = ${conflict.p}).`];
}
