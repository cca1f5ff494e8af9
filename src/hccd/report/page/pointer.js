// Mouse, pen and fingers on the picture: drag to move, wheel or two fingers to zoom, a short touch to choose.

const CLICK_RADIUS = 5;

function followPointers(clicked) {
  const { svg } = camera;
  const down = new Map();
  let travelled = 0;

  const spread = () => {
    const [p, q] = [...down.values()];
    return [Math.hypot(p.x - q.x, p.y - q.y), (p.x + q.x) / 2, (p.y + q.y) / 2];
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (!down.size) travelled = 0;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  svg.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    if (!last) return;
    const before = down.size === 2 ? spread() : null;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled += Math.hypot(dx, dy);
    if (travelled < CLICK_RADIUS) return;
    if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    svg.classList.add("dragged");
    if (before) {
      const after = spread();
      camera.pan(after[1] - before[1], after[2] - before[2]);
      if (before[0] > 0) camera.zoomAt(after[0] / before[0], after[1], after[2]);
    } else if (down.size === 1) {
      camera.pan(dx, dy);
    }
  });
  const up = (event) => {
    down.delete(event.pointerId);
    if (!down.size) svg.classList.remove("dragged");
  };
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", up);
  svg.addEventListener("click", (event) => {
    if (travelled < CLICK_RADIUS) clicked(event.target);
    travelled = 0;
  });
  svg.addEventListener("dblclick", (event) => camera.zoomAt(1.6, event.clientX, event.clientY));
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    camera.zoomAt(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * 0.0022), event.clientX, event.clientY);
  }, { passive: false });
}
