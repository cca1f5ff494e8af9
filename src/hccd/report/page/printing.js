// On paper there is nothing to click: the whole picture, all rows, and every explanation as text. A picture whose names
// would be too small on one page comes again, larger, on several sheets. They overlap, so every box is whole on one of them.

const PAPER = { width: 680, height: 860 }; // pixels of a page of A4 within its margins, less a line of text
const ON_PAPER = 8 / content.boxes.letters; // the least scale there: names of 6 points

// The parts of a length that fit into the room, each with its beginning.
function pieces(from, length, room, overlap) {
  const count = length <= room ? 1 : Math.ceil((length - overlap) / (room - overlap));
  const own = (length + overlap * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => [from + i * (own - overlap), own]);
}

// The picture in parts that can be read on a page each, by rows; none if all of it can.
function paperSheets() {
  const edge = 10;
  const { left, top, width, height } = graph.extent();
  const [wide, tall] = [width + 2 * edge, height + 2 * edge];
  if (Math.min(PAPER.width / wide, PAPER.height / tall) >= ON_PAPER) return [];
  const { widths, height: high } = content.boxes;
  const columns = pieces(left - edge, wide, PAPER.width / ON_PAPER, Math.max(...graph.visible().map((v) => widths[v])) + edge);
  const rows = pieces(top - edge, tall, PAPER.height / ON_PAPER, high + edge);
  const holds = ([x, own], at) => at >= x && at <= x + own;
  const filledParts = rows.flatMap((row, r) => columns.map((column, c) => ({ row, column, r, c })))
    .filter(({ row, column }) => graph.visible().some((v) => holds(row, graph.at(v).y) && holds(column, graph.at(v).x)));
  return filledParts.map(({ row: [y, deep], column: [x, own], r, c }, i) => make("figure", {},
    make("figcaption", {}, `Sheet ${i + 1} of ${filledParts.length}: row ${r + 1}, column ${c + 1} of the picture.`),
    sheet(x, y, own, deep)));
}

function sheet(x, y, wide, tall) {
  const scale = Math.min(PAPER.width / wide, PAPER.height / tall, 1);
  return draw("svg", { viewBox: [x, y, wide, tall].map(Math.round).join(" "), width: Math.round(wide * scale), height: Math.round(tall * scale) },
    draw("use", { href: "#scene" }));
}

function setUpPrinting(table) {
  let written = false;
  function before() {
    if (!written) {
      written = true;
      const list = make("ol", {}, ...byStrength.slice().reverse().map((e) => make("li", {}, presenceSentence(e))));
      byId("explanations").append(list);
      table.showAll();
      const more = byId("all-conflicts");
      if (more) more.click();
      for (const folded of document.querySelectorAll("details")) folded.open = true;
    }
    byId("file").textContent = `${pageName()}, ${today()}`;
    camera.freeze();
    const parts = paperSheets();
    byId("sheets").replaceChildren(...(parts.length ? [make("p", {}, `The same picture on ${counted(parts.length, "sheet")}, in larger letters:`)] : []), ...parts);
  }
  window.addEventListener("beforeprint", before);
  function after() {
    byId("file").textContent = pageName();
    byId("sheets").replaceChildren();
    camera.thaw();
  }
  window.addEventListener("afterprint", after);
  window.matchMedia("print").addEventListener("change", (event) => { if (event.matches) before(); else after(); });
  byId("print").addEventListener("click", () => window.print());
}
