// Which part of the picture is seen: one scale and one shift, moved smoothly unless the reader prefers stillness.

const CLOSEST = 4;
const LABELS_FROM = 0.42; // names are drawn from this scale on, below it they could not be read

const camera = (() => {
  const scene = draw("g", { id: "scene" });
  const svg = draw("svg", {
    id: "graph", role: "group", "aria-roledescription": "graph", tabindex: "0", "aria-describedby": "graph-help",
  }, scene);
  let [x, y, scale] = [0, 0, 1];
  let picture = { width: 1, height: 1, left: 0, top: 0 };
  let moving = 0;
  let frozen = false;

  function place(nextX, nextY, nextScale) {
    [x, y, scale] = [nextX, nextY, nextScale];
    if (frozen) return;
    scene.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    svg.classList.toggle("far", scale < LABELS_FROM);
    if (scale < LABELS_FROM) svg.style.setProperty("--scale", scale.toFixed(3));
  }
  function size() {
    const box = svg.getBoundingClientRect();
    return [Math.max(box.width, 50), Math.max(box.height, 50)];
  }
  function fitted({ left, top, width, height }) {
    const [wide, tall] = size();
    // The legend, which may need two lines, and the line above must not hide anything.
    const [side, head, foot] = [18, 44, Math.max(52, byId("legend").offsetHeight + 20)];
    const to = Math.min((wide - 2 * side) / width, (tall - head - foot) / height, 1.25);
    return [(wide - width * to) / 2 - left * to, head + (tall - head - foot - height * to) / 2 - top * to, to];
  }
  function least() {
    return Math.min(fitted(picture)[2] / 2, 0.2);
  }
  function glide(to) {
    cancelAnimationFrame(moving);
    if (calm.matches || document.hidden) { place(...to); return; }
    const from = [x, y, scale];
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / 220);
      const eased = 1 - (1 - part) ** 3;
      place(...from.map((value, i) => value + (to[i] - value) * eased));
      if (part < 1) moving = requestAnimationFrame(step);
    };
    moving = requestAnimationFrame(step);
  }
  function zoomed(factor, atX, atY) {
    const to = Math.min(CLOSEST, Math.max(least(), scale * factor));
    return [atX - (atX - x) * (to / scale), atY - (atY - y) * (to / scale), to];
  }
  return {
    svg,
    scene,
    scale: () => scale,
    show(box, atOnce = false) {
      picture = box;
      if (atOnce) { cancelAnimationFrame(moving); place(...fitted(box)); } else glide(fitted(box));
    },
    zoom(factor) {
      const [wide, tall] = size();
      glide(zoomed(factor, wide / 2, tall / 2));
    },
    zoomAt(factor, clientX, clientY) {
      cancelAnimationFrame(moving);
      const box = svg.getBoundingClientRect();
      place(...zoomed(factor, clientX - box.left, clientY - box.top));
    },
    pan(dx, dy, smooth = false) {
      if (smooth) glide([x + dx, y + dy, scale]);
      else { cancelAnimationFrame(moving); place(x + dx, y + dy, scale); }
    },
    // Bring a point of the picture into view, close enough to read its name.
    reveal(px, py, always = false) {
      const [wide, tall] = size();
      const to = Math.max(scale, 0.8);
      const [sx, sy] = [x + px * scale, y + py * scale];
      const seen = sx > 60 && sx < wide - 60 && sy > 40 && sy < tall - 40;
      if (!always && seen) return;
      glide([wide / 2 - px * to, tall / 2 - py * to, always ? to : scale]);
    },
    // For paper: the whole picture in its own measure.
    freeze() {
      frozen = true;
      svg.classList.remove("far");
      scene.removeAttribute("transform");
      svg.setAttribute("viewBox", [picture.left - 10, picture.top - 10, picture.width + 20, picture.height + 20].join(" "));
    },
    thaw() {
      frozen = false;
      svg.removeAttribute("viewBox");
      place(x, y, scale);
    },
  };
})();
