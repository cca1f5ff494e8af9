// The sheets below the picture: figures, conflicts, what clustering did, the data check, how to repeat the run.

const secondsShown = (value) => (value < 0.01 ? value.toFixed(4) : value < 10 ? value.toFixed(2) : value.toFixed(0));

function setUpSections() {
  const times = Object.entries(seconds).filter(([phase]) => phase !== "total");
  const largest = times.reduce((best, time) => (best && best[1] >= time[1] ? best : time), null);
  const took = seconds.total === undefined ? [] : [[secondsShown(seconds.total), "seconds", largest ? `most for ${stageName(largest[0])}` : ""]];
  byId("headline").append(...[...content.headline, ...took].map(([figure, what, note]) => make("div", {},
    make("dt", {}, what), make("dd", {}, figure), note === "" ? null : make("dd", { class: "note" }, `(${note})`))));
  if (content.left_out.length) {
    const box = byId("left-out");
    box.hidden = false;
    box.className = "banner";
    box.append(make("strong", {}, "Left out of this page, to keep it small. "), ...content.left_out.map((text) => make("p", {}, text)));
  }
  conflictSheet();
  const story = byId("story");
  for (const sentence of content.story) story.append(make("p", {}, sentence));
  timesTable(story);
  const fit = byId("goodness");
  fit.hidden = content.fit.length === 0;
  for (const sentence of content.fit) fit.append(make("p", {}, sentence));
  nearlySheet();
  checkSheet();
  repeatSheet();
}

// The headline takes one line: notes go first where there is no room, then figures, from the end on.
function setUpHeadline() {
  const line = byId("headline");
  const parts = [...[...line.querySelectorAll(".note")].reverse(), ...[...line.children].reverse()];
  line.title = [...line.children].map((item) => [item.querySelector("dd"), item.querySelector("dt"), item.querySelector(".note")].filter(Boolean).map((part) => part.textContent).join(" ")).join(", ");
  function fit() {
    for (const part of parts) part.classList.remove("gone");
    for (const part of parts) {
      if (line.scrollWidth <= line.clientWidth) break;
      part.classList.add("gone");
    }
  }
  new ResizeObserver(fit).observe(line);
  fit();
}

function conflictSheet() {
  const place = byId("conflicts");
  const all = content.conflicts;
  if (!all.length) {
    place.append(make("p", {}, "None: the graph agrees with all tests for colliders."));
    return;
  }
  place.append(make("p", { class: "hint" }, `The graph disagrees with ${counted(all.length, "test")} for a collider (common effect). `
    + "A few are usual in samples. Many mean that an assumption fails, or that there are too few rows."));
  const list = make("ol", { class: "conflicts" });
  const fill = (items) => list.append(...items.map((conflict) => make("li", {}, ...conflictWords(conflict))));
  fill(all.slice(0, 20));
  place.append(list);
  if (all.length > 20) {
    const more = button(`Show all ${grouped(all.length)}`, { class: "quiet", id: "all-conflicts" }, () => { fill(all.slice(20)); more.remove(); });
    place.append(more);
  }
}

function timesTable(place) {
  const parts = Object.entries(seconds);
  if (!parts.length) return;
  place.append(make("table", { class: "compact" }, make("caption", {}, "Seconds"),
    make("tbody", {}, ...parts.map(([phase, value]) => make("tr", {}, make("th", { scope: "row" }, stageName(phase)), make("td", { class: "number" }, secondsShown(value)))))));
}

function checkSheet() {
  const place = byId("check");
  place.hidden = !content.check || !content.check.lines.length;
  if (place.hidden) return;
  place.append(make("h3", {}, content.check.title), make("ul", { class: "check" }, ...content.check.lines.map(({ level, text }) => checkLine(level, text))));
}

function repeatSheet() {
  const place = byId("repeat");
  if (content.repeat) {
    place.append(make("p", { class: "hint" }, "DATA is the file of the same table. The same data and parameters give the same graph, with any number of workers."));
    if (content.repeat.command !== "") place.append(codeBlock("Command line", content.repeat.command));
    place.append(codeBlock("Python", content.repeat.python));
  }
  const rows = [...Object.entries(content.software).map(([name, version]) => [`version of ${name}`, version]), ...content.parameters];
  place.append(make("h3", {}, "Versions and parameters"),
    make("dl", { class: "parameters" }, ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))));
}
