// The picture by keyboard: arrow keys go from variable to variable.

const PAN = 60;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function walkByKeyboard() {
  const { svg } = camera;
  let here = null;

  function go(v) {
    here = v;
    const { element, x, y } = graph.at(v);
    camera.reveal(x, y);
    element.focus({ preventScroll: true });
  }
  function start() {
    return state.first !== null && graph.at(state.first) ? state.first : graph.hub();
  }
  function next([dx, dy]) {
    const from = graph.at(here);
    let [best, least] = [here, Infinity];
    for (const v of graph.visible()) {
      if (v === here) continue;
      const { x, y } = graph.at(v);
      const along = (x - from.x) * dx + (y - from.y) * dy;
      const across = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
      // Boxes are far wider than high, so going sideways must not jump to another row.
      const cost = along + (dx ? 6 : 1.2) * across;
      if (along > 4 && cost < least) [best, least] = [v, cost];
    }
    return best;
  }
  svg.addEventListener("focusin", (event) => {
    const box = event.target.closest("[data-node]");
    if (box) here = Number(box.dataset.node);
  });
  svg.addEventListener("keydown", (event) => {
    const direction = DIRECTIONS[event.key];
    if (direction && event.shiftKey) camera.pan(-direction[0] * PAN, -direction[1] * PAN, true);
    else if (direction && graph.visible().length) {
      if (here === null || !graph.at(here) || event.target === svg) go(start());
      else go(next(direction));
    } else if (event.key === "Enter" || event.key === " ") {
      if (here !== null && event.target !== svg) choose(here);
      else if (graph.visible().length) go(start());
    } else if (event.key === "+" || event.key === "=") camera.zoom(1.3);
    else if (event.key === "-" || event.key === "_") camera.zoom(1 / 1.3);
    else if (event.key === "0") camera.show(graph.extent());
    else if (event.key === "Escape") chooseNothing();
    else return;
    event.preventDefault();
  });
}
