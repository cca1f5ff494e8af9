// Independence tests by the size of the conditioning set, and by what they were for: bars, and the same as a table.

function setUpTests() {
  const { total, by_order: byOrder, by_stage: byStage } = content.tests;
  const place = byId("tests");
  if (!total) {
    place.append(make("p", {}, "No test was made."));
    return;
  }
  const most = Math.max(...byOrder);
  const bars = make("div", { class: "bars", "aria-hidden": "true" }, ...byOrder.map((count, order) => {
    const bar = make("div", { class: "bar" }, ...byStage.map(({ tests }, stage) => {
      const part = make("span", { class: `stage-${stage}` });
      part.style.width = `${(100 * (tests[order] ?? 0)) / most}%`;
      return part;
    }));
    return make("div", { class: "bar-row" }, make("span", { class: "bar-label" }, String(order)), bar, make("span", { class: "bar-count" }, grouped(count)));
  }));
  const key = make("p", { class: "key", "aria-hidden": "true" }, ...byStage.map(({ stage }, i) => make("span", {}, make("span", { class: `dot stage-${i}` }), stage)));
  const head = make("tr", {}, make("th", { scope: "col" }, "Order"), ...byStage.map(({ stage }) => make("th", { scope: "col" }, stage)), make("th", { scope: "col" }, "all"));
  const line = (label, counts, all, cell) => make("tr", {}, make("th", { scope: "row" }, label),
    ...counts.map((count) => make(cell, { class: "number" }, count ? grouped(count) : "")), make(cell, { class: "number" }, grouped(all)));
  const rows = byOrder.map((all, order) => line(String(order), byStage.map(({ tests }) => tests[order] ?? 0), all, "td"));
  const sums = line("all", byStage.map(({ tests }) => tests.reduce((sum, count) => sum + count, 0)), total, "td");
  place.append(
    make("p", { class: "hint" }, "The order of a test is the number of variables it conditions on; tests of high order need most data."),
    bars, key,
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tests by order and stage" },
      make("table", { class: "compact" }, make("caption", { class: "sr" }, "Tests by order and stage"), make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, sums))),
  );
}
