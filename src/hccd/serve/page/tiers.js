// Tiers: columns that come first in time or by nature. Dragged with a mouse or a finger; chosen and moved by buttons; or
// moved with the arrow keys.

const chosen = new Set(); // names
const FAR = 6; // pixels that a press may move and still be a click
const LONG = 350; // milliseconds after which a finger drags rather than scrolls

const tierOf = (name) => state.tiers.findIndex((tier) => tier.includes(name));
const tierName = (t) => (t < 0 ? "no tier" : `tier ${t + 1}`);

function move(names, t) {
  const moved = new Set(names);
  state.tiers = state.tiers.map((tier) => tier.filter((name) => !moved.has(name)));
  if (t >= 0) {
    const place = new Map(state.columns.map((column, i) => [column.name, i]));
    state.tiers[t] = [...state.tiers[t], ...names].sort((a, b) => place.get(a) - place.get(b));
  }
  chosen.clear();
  announce(`${names.length === 1 ? names[0] : counted(names.length, "column")}: ${tierName(t)}`);
  changed();
}

function addTier() {
  state.tiers.push([]);
  drawTiers();
}

function chip(name) {
  const made = button(name, { class: "chip", "aria-pressed": String(chosen.has(name)), "data-name": name }, () => {
    if (chosen.has(name)) chosen.delete(name);
    else chosen.add(name);
    drawTiers(name);
  });
  made.replaceChildren(columnName(name));
  made.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const t = tierOf(name) + step;
    if (t < -1) return;
    if (t === state.tiers.length) state.tiers.push([]);
    move([name], t);
    focusChip(name);
  });
  made.addEventListener("pointerdown", (event) => press(event, name, made));
  return made;
}

function focusChip(name) {
  [...document.querySelectorAll(".chip")].find((made) => made.dataset.name === name)?.focus();
}

function lane(t, names, free) {
  const title = make("h3", {}, t < 0 ? "In no tier" : `Tier ${t + 1}`, make("span", { class: "hint" }, t < 0 ? " may cause anything and be caused by anything" : t === 0 ? " the earliest" : ""));
  const head = make("div", { class: "lane-head" }, title);
  if (chosen.size && [...chosen].some((name) => tierOf(name) !== t)) {
    head.append(button("Move here", { class: "primary move", "aria-label": `Move ${counted(chosen.size, "column")} to ${tierName(t)}` }, () => move([...chosen], t)));
  }
  if (t >= 0 && !chosen.size && free.length) {
    head.append(button("All others here", { "aria-label": `Move all columns without a tier to tier ${t + 1}` }, () => move(free, t)));
  }
  if (t >= 0) head.append(button("Remove", { class: "quiet", "aria-label": `Remove tier ${t + 1}` }, () => { state.tiers.splice(t, 1); changed(); }));
  const chips = make("div", { class: "chips" }, ...names.map(chip));
  if (!names.length) chips.append(make("span", { class: "hint" }, t < 0 ? "All columns are in tiers." : "Drop columns here."));
  return make("div", { class: "lane", "data-tier": t }, head, chips);
}

function drawTiers(focused) {
  const names = state.columns.map((column) => column.name).filter(usable);
  const placed = new Set(state.tiers.flat());
  const free = names.filter((name) => !placed.has(name));
  [...chosen].filter((name) => !usable(name)).forEach((name) => chosen.delete(name));
  const lanes = state.tiers.map((tier, t) => lane(t, tier.filter(usable), free));
  const filled = state.tiers.filter((tier) => tier.some(usable)).length;
  byId("one-tier").hidden = filled !== 1;
  byId("tiers").replaceChildren(lane(-1, free, free), ...lanes, button("Add a tier", { id: "add-tier" }, addTier));
  if (focused !== undefined) focusChip(focused);
}

// A press on a chip becomes a drag if a mouse moves, or if a finger stays; otherwise it is a click, or the page scrolls.
let drag = null;

function press(event, name, made) {
  if (event.button !== 0 || drag) return;
  const names = chosen.has(name) ? [...chosen] : [name];
  drag = { names, made, x: event.clientX, y: event.clientY, ghost: null, touch: event.pointerType === "touch" };
  if (drag.touch) drag.timer = setTimeout(lift, LONG);
}

function lift() {
  drag.ghost = make("div", { class: "ghost", "aria-hidden": "true" }, drag.names.length === 1 ? columnName(drag.names[0]) : counted(drag.names.length, "column"));
  document.body.append(drag.ghost);
  document.body.classList.add("dragging");
  carry(drag.x, drag.y);
}

function laneAt(x, y) {
  return document.elementFromPoint(x, y)?.closest(".lane") ?? null;
}

function carry(x, y) {
  drag.ghost.style.transform = `translate(${x + 10}px, ${y + 8}px)`;
  const over = laneAt(x, y);
  document.querySelectorAll(".lane").forEach((each) => each.classList.toggle("over", each === over));
  if (y < 60) scrollBy(0, -12);
  else if (y > innerHeight - 60) scrollBy(0, 12);
}

function drop(x, y, kept) {
  const { ghost, names, timer: waiting, made } = drag;
  clearTimeout(waiting);
  drag = null;
  if (!ghost) return;
  ghost.remove();
  document.body.classList.remove("dragging");
  const over = laneAt(x, y);
  document.querySelectorAll(".lane").forEach((each) => each.classList.remove("over"));
  // The click that follows is no click.
  made.addEventListener("click", (event) => event.stopImmediatePropagation(), { capture: true, once: true });
  if (kept && over) move(names, Number(over.dataset.tier));
}

function setUpTiers() {
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const moved = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.ghost && moved && drag.touch) clearTimeout(drag.timer);
    if (!drag.ghost && moved && !drag.touch) lift();
    if (drag.ghost) carry(event.clientX, event.clientY);
  });
  document.addEventListener("touchmove", (event) => { if (drag?.ghost) event.preventDefault(); }, { passive: false });
  document.addEventListener("contextmenu", (event) => { if (drag?.touch) event.preventDefault(); });
  document.addEventListener("pointerup", (event) => { if (drag) drop(event.clientX, event.clientY, true); });
  document.addEventListener("pointercancel", () => { if (drag) drop(0, 0, false); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && drag?.ghost) drop(0, 0, false); });
  watch(() => { if (state.columns.length && !drag) drawTiers(); });
}
