// Sentences and numbers as the library writes them: result.explain() says the same.

// A number with three digits, as Python's format(value, ".3g").
function general(value) {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(2).split("e");
  const power = Number(exponent);
  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power < -4 || power >= 3) {
    const digits = String(Math.abs(power)).padStart(2, "0");
    return `${trimmed(mantissa)}e${power < 0 ? "-" : "+"}${digits}`;
  }
  return trimmed(value.toFixed(2 - power));
}

const quote = (v) => `'${content.names[v]}'`;

const stageName = (stage) => content.stage_names[stage] ?? stage;

const STAGE_WORDS = {
  leaf: (path) => `inside cluster ${path}`,
  between: (path) => `between the parts of cluster ${path}`,
  refine: (path) => `in the completeness pass of cluster ${path}`,
  "possible-d-sep": () => "in the possible-d-sep search",
  rfci: () => "in the tests of RFCI",
};

function givenWords(given) {
  return given.length ? `given ${given.map(quote).join(", ")}` : "without any condition";
}

// An independence without condition whose p-value does not look like one: all pairs were judged together.
function correctionWords(reason) {
  const rate = content.missing.corrected;
  if (reason.given.length || rate === null || Number(reason.p) >= rate) return "";
  const pairs = grouped((content.names.length * (content.names.length - 1)) / 2);
  const level = general(rate);
  return `, which is below ${level}, but not small enough for a false discovery rate of ${level} among ${pairs} pairs`;
}

const share = (probability) => probability.toFixed(2);

// What resamples had between two variables; nothing where that is not known.
function resampledWords(a, b) {
  const shares = sharesOf(a, b);
  if (!shares) return "";
  const drawn = grouped(confidence.resamples);
  const percent = (p) => `${general(100 * p)} %`;
  if (shares[3] === 1) return ` They are adjacent in none of ${drawn} resamples of the rows.`;
  const kinds = [`${quote(a)} -> ${quote(b)}`, `${quote(b)} -> ${quote(a)}`, "undirected"];
  const parts = kinds.map((kind, i) => [shares[i], `${kind} ${percent(shares[i])}`]).filter(([p]) => p).map(([, words]) => words);
  return ` The probability of an edge is ${percent(1 - shares[3])} (${parts.join(", ")}), from ${drawn} resamples of the rows.`;
}

function absenceSentence(a, b, reason) {
  return whyAbsent(a, b, reason) + resampledWords(a, b);
}

function whyAbsent(a, b, reason) {
  const pair = `${quote(a)} and ${quote(b)}`;
  if (reason.kind === "never" && content.missing.known) {
    return `${pair} are not adjacent: your knowledge excludes the edge.`;
  }
  if (reason.kind === "never") {
    return `${pair} are not adjacent, though nothing separated them: the edge was ruled out from the start.`;
  }
  if (reason.kind === "scored") {
    return `${pair} are not adjacent: no tested set separated them, but the score is higher without an edge.`;
  }
  if (reason.kind === "unlisted") {
    return `${pair} are not adjacent. The set that separated them is not in this page, to keep it small; `
      + "result.explain() gives it.";
  }
  const p = reason.p === "" ? "" : ` (p = ${reason.p}${correctionWords(reason)})`;
  const where = STAGE_WORDS[reason.stage](clusters.path[reason.cluster]);
  return `${pair} are not adjacent: they are independent ${givenWords(reason.given)}${p}. `
    + `This was found ${where} (${clusters.size(reason.cluster)} variables).`;
}

function presenceSentence(e) {
  if (edges.why[e] !== null) return edges.why[e];
  const [a, b] = [edges.from[e], edges.to[e]];
  const arrow = directed(e) ? ` The edge points ${quote(a)} -> ${quote(b)}.` : ` The edge is ${edges.type[e]}.`;
  return `${quote(a)} and ${quote(b)} are adjacent.${arrow} The full explanation is not in this page, to keep it small; `
    + `result.explain() gives it.${resampledWords(a, b)}`;
}

function confidenceWords(e) {
  const direction = directed(e) ? `, direction ${share(asDrawn(e))}` : "";
  return `confidence ${share(adjacent(e))}${direction}`;
}

const ruleWord = (rule) => content.rules[rule] ?? rule;

// The rules behind the marks of an edge; nothing if it has none.
function ruleWords(e) {
  return [...new Set([edges.rule[e], edges.source_rule[e]].filter((rule) => rule !== ""))].map(ruleWord).join(", ");
}

function arrowOf(e) {
  return typeOf(e).sign;
}

function edgeWords(e) {
  const sure = confidence === null ? "" : ` (${confidenceWords(e)})`;
  return `${content.names[edges.from[e]]} ${typeOf(e).verb} ${content.names[edges.to[e]]}${sure}`;
}
