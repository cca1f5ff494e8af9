// Which part of the picture is seen: one scale and one shift, moved smoothly unless the reader prefers stillness.

const CLOSEST = 4;
const READABLE = 11 / content.boxes.letters; // a picture opens at this scale or above: with letters of 11 pixels
const LABELS_FROM = 7 / content.boxes.letters; // names are in their boxes from this scale on, below it they could not be read
const LARGEST_FIT = 1.25;
const MARGIN = 10;

const camera = (() => {
  const scene = draw("g", { id: "scene" });
  const svg = draw("svg", {
    id: "graph", role: "group", "aria-roledescription": "graph", tabindex: "0", "aria-describedby": "graph-help",
  }, scene);
  let [x, y, scale] = [0, 0, 1];
  let picture = { width: 1, height: 1, left: 0, top: 0 };
  let moving = 0;
  let frozen = false;
  let asOpened = true; // nobody has moved the picture since it was opened
  const followers = [];

  function place(nextX, nextY, nextScale) {
    [x, y, scale] = [nextX, nextY, nextScale];
    if (frozen) return;
    scene.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    svg.classList.toggle("far", scale < LABELS_FROM);
    for (const told of followers) told();
  }
  function size() {
    const box = svg.getBoundingClientRect();
    return [Math.max(box.width, 50), Math.max(box.height, 50)];
  }
  function fitted({ left, top, width, height }) {
    const [wide, tall] = size();
    const to = Math.min((wide - 2 * MARGIN) / width, (tall - 2 * MARGIN) / height, LARGEST_FIT);
    return [(wide - width * to) / 2 - left * to, (tall - height * to) / 2 - top * to, to];
  }
  // All of a picture, or as much around a point of it as can be read: no side of the canvas stays empty then.
  function opened(box, [px, py]) {
    const whole = fitted(box);
    if (whole[2] >= READABLE) return whole;
    const within = (room, from, length, at) => (length * READABLE <= room - 2 * MARGIN
      ? (room - length * READABLE) / 2 - from * READABLE
      : Math.min(MARGIN - from * READABLE, Math.max(room - MARGIN - (from + length) * READABLE, room / 2 - at * READABLE)));
    const [wide, tall] = size();
    return [within(wide, box.left, box.width, px), within(tall, box.top, box.height, py), READABLE];
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
    asOpened: () => asOpened,
    size,
    // What is seen, in the measure of the picture, and where a point of it is on the canvas.
    window: () => { const [wide, tall] = size(); return { left: -x / scale, top: -y / scale, width: wide / scale, height: tall / scale }; },
    onCanvas: (px, py) => [x + px * scale, y + py * scale],
    follow: (told) => followers.push(told),
    // Show all of a picture.
    show(box) {
      picture = box;
      asOpened = false;
      glide(fitted(box));
    },
    // Show a picture so that it can be read, at a point if not all of it fits.
    open(box, point, atOnce = false) {
      picture = box;
      asOpened = true;
      if (atOnce) { cancelAnimationFrame(moving); place(...opened(box, point)); } else glide(opened(box, point));
    },
    // Bring a part of the picture onto the canvas by as little as possible; further away only as far as names can be read.
    include({ left, top, width, height }) {
      const [wide, tall] = size();
      const to = Math.max(Math.min(scale, (wide - 2 * MARGIN) / width, (tall - 2 * MARGIN) / height), Math.min(scale, LABELS_FROM));
      const shifted = (room, from, length, at) => {
        const start = length * to > room ? (room - length * to) / 2 : Math.min(room - MARGIN - length * to, Math.max(MARGIN, at));
        return start - from * to;
      };
      const next = [shifted(wide, left, width, x + left * scale), shifted(tall, top, height, y + top * scale), to];
      if (next.some((value, i) => Math.abs(value - [x, y, scale][i]) > 0.5)) glide(next);
    },
    centre(px, py) {
      asOpened = false;
      const [wide, tall] = size();
      cancelAnimationFrame(moving);
      place(wide / 2 - px * scale, tall / 2 - py * scale, scale);
    },
    zoom(factor) {
      asOpened = false;
      const [wide, tall] = size();
      glide(zoomed(factor, wide / 2, tall / 2));
    },
    zoomAt(factor, clientX, clientY) {
      asOpened = false;
      cancelAnimationFrame(moving);
      const box = svg.getBoundingClientRect();
      place(...zoomed(factor, clientX - box.left, clientY - box.top));
    },
    pan(dx, dy, smooth = false) {
      asOpened = false;
      if (smooth) glide([x + dx, y + dy, scale]);
      else { cancelAnimationFrame(moving); place(x + dx, y + dy, scale); }
    },
    // Bring a point of the picture into view, close enough to read its name.
    reveal(px, py, always = false) {
      const [wide, tall] = size();
      const to = Math.max(scale, READABLE);
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
