// How strict to be, where the data chose it: a curve of what was tried, and the same as a table.

function setUpChoice() {
  const place = byId("choice");
  place.hidden = content.choice === null;
  if (place.hidden) return;
  const { name, by, rule, chosen, tried } = content.choice;
  const short = (value) => String(Number(value.toPrecision(4)));
  const [width, height, left, right, top, bottom] = [560, 190, 16, 16, 26, 30];
  const scores = tried.map(([, score]) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  // Values of a grid stand at equal distances: each is about so many times the one before.
  const x = (i) => left + ((width - left - right) * (i + 0.5)) / tried.length;
  const y = (score) => (high > low ? top + ((height - top - bottom) * (high - score)) / (high - low) : height / 2);
  const points = tried.map(([, score], i) => `${x(i).toFixed(1)},${y(score).toFixed(1)}`);
  const marks = tried.flatMap(([value, score], i) => [
    draw("circle", { cx: x(i).toFixed(1), cy: y(score).toFixed(1), r: value === chosen ? 6 : 3.5, class: value === chosen ? "chosen" : false }),
    draw("text", { x: x(i).toFixed(1), y: height - 8 }, short(value)),
    draw("text", { x: x(i).toFixed(1), y: (y(score) - 10).toFixed(1) }, score.toFixed(3)),
  ]);
  const head = make("tr", {}, ...[name, by].map((title) => make("th", { scope: "col" }, title)), make("th", { scope: "col" }, ""));
  const rows = tried.map(([value, score]) => make("tr", {}, make("th", { scope: "row" }, short(value)),
    make("td", { class: "number" }, score.toFixed(3)), make("td", {}, value === chosen ? "chosen" : "")));
  place.append(
    make("p", {}, `The data chose ${name} = ${short(chosen)}: ${rule} by the ${by}. The strictest value is on the left; higher is better.`),
    draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img", "aria-label": `${by} for each ${name} that was tried; the table has the same` },
      draw("polyline", { points: points.join(" ") }), ...marks),
    make("table", { class: "compact" }, make("caption", { class: "sr" }, `What was tried as ${name}`), make("thead", {}, head), make("tbody", {}, ...rows)),
  );
}
