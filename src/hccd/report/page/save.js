// The picture as a file, as it is drawn: in light colours, with its legend, the name of this page and the date.

const PNG_SCALE = 2;
const PNG_LONGEST = 8000;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-weight"];

const today = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
};
// The last parts of the address: the folder of a run says more than the name of its report. A page that shows the report
// of a table (hccd serve) gives the table's name.
const pageName = () => new URLSearchParams(window.location.search).get("name") || window.location.pathname.split("/").filter(Boolean).slice(-2).map((part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}).join("/");

// A copy of an element that needs no style sheet; what is hidden is left out.
function alone(element) {
  const style = window.getComputedStyle(element);
  if (style.display === "none" || element.tagName === "title" || element.classList.contains("hit")) return null;
  const copy = document.createElementNS(SVG, element.tagName);
  for (const name of ["d", "x", "y", "width", "height", "rx", "cx", "cy", "r", "dy", "transform"]) {
    if (element.hasAttribute(name)) copy.setAttribute(name, element.getAttribute(name));
  }
  if (["path", "rect", "circle", "text"].includes(element.tagName)) {
    for (const name of STYLES) copy.setAttribute(name, style.getPropertyValue(name));
  } else if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
  if (element.tagName === "text") {
    copy.setAttribute("text-anchor", "middle");
    copy.setAttribute("font-size", content.boxes.letters);
  }
  if (element.children.length) copy.append(...[...element.children].map(alone).filter(Boolean));
  else copy.textContent = element.textContent;
  return copy;
}

function pictureAlone() {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = "light";
  const box = graph.extent();
  const edge = 12;
  const wide = Math.max(box.width + 2 * edge, 420); // at least as wide as its legend
  const [left, top] = [box.left - (wide - box.width) / 2, box.top - edge];
  const ink = { fill: window.getComputedStyle(document.body).color, "font-size": 12 };
  const foot = draw("g");
  let [x, y] = [0, 0];
  for (const entry of document.querySelectorAll("#legend > .entry")) {
    const sample = entry.querySelector("svg > g");
    const room = (sample ? 52 : 0) + [...entry.textContent].length * 7.2 + 18;
    if (x > 0 && x + room > wide - 2 * edge) [x, y] = [0, y + 20];
    if (sample) foot.append(draw("g", { transform: `translate(${x} ${y - 7})` }, alone(sample)));
    foot.append(draw("text", { x: x + (sample ? 50 : 0), y: y + 4, ...ink }, entry.textContent));
    x += room;
  }
  const shown = document.querySelectorAll("#scene .edge:not(.gone)").length;
  const edgesDrawn = shown < edgeCount ? `${grouped(shown)} of ${counted(edgeCount, "edge")}` : counted(edgeCount, "edge");
  const caption = `${pageName()}, ${counted(n, "variable")}, ${edgesDrawn}, hccd ${content.software.hccd ?? ""}, ${today()}`;
  foot.append(draw("text", { x: 0, y: y + 26, ...ink }, caption));
  const tall = box.height + 2 * edge + y + 56;
  const font = window.getComputedStyle(document.body).fontFamily;
  const svg = draw("svg", { viewBox: [left, top, wide, tall].map(Math.round).join(" "), width: Math.round(wide), height: Math.round(tall), "font-family": font },
    draw("title", {}, caption),
    draw("rect", { x: left, y: top, width: wide, height: tall, fill: "white" }),
    ...[...camera.scene.children].map(alone).filter(Boolean));
  foot.setAttribute("transform", `translate(${left + edge} ${box.top + box.height + 28})`);
  svg.append(foot);
  if (before === undefined) delete root.dataset.theme;
  else root.dataset.theme = before;
  return { text: new XMLSerializer().serializeToString(svg), wide, tall };
}

function setUpSaving() {
  function save(blob, ending) {
    const name = pageName().split("/").pop().replace(/\.[^.]*$/, "") || "graph";
    const url = URL.createObjectURL(blob);
    const link = make("a", { href: url, download: `${name}-${today()}.${ending}` });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
  byId("save-svg").addEventListener("click", () => save(new Blob([pictureAlone().text], { type: "image/svg+xml" }), "svg"));
  byId("save-png").addEventListener("click", () => {
    const { text, wide, tall } = pictureAlone();
    const scale = Math.min(PNG_SCALE, PNG_LONGEST / Math.max(wide, tall));
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = make("canvas", { width: Math.round(wide * scale), height: Math.round(tall * scale) });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(blob, "png"), "image/png");
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))}`;
  });
  byId("file").textContent = pageName();
  byId("file").title = `hccd report ${pageName()}`;
}
