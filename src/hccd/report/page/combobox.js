// A text field that offers the variables whose names match, for mouse, keyboard and screen reader (WAI-ARIA combobox).

const MOST_OFFERED = 50;

// Matches, best first: the exact name, names that begin with the text, names that contain it.
function matching(text) {
  const wanted = text.toLowerCase();
  const found = [];
  content.names.forEach((name, v) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at >= 0) found.push([name === text ? -1 : Math.min(at, 1), v]);
  });
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, v]) => v);
}

function combobox(id, placeholder, taken) {
  const listId = `${id}-list`;
  const input = make("input", {
    id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder,
    "aria-expanded": "false", "aria-controls": listId, "aria-autocomplete": "list",
  });
  const list = make("ul", { id: listId, role: "listbox", "aria-label": "Variables", hidden: true });
  const place = byId(`${id}-place`);
  place.classList.add("combobox");
  place.append(input, list);
  let offered = [];
  let active = -1;

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function point(to) {
    active = to;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
    const item = list.children[active];
    if (item) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
  }
  function open() {
    const all = matching(input.value);
    offered = all.slice(0, MOST_OFFERED);
    list.replaceChildren(...offered.map((v, i) => {
      const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = clusters.fillOf(v);
      const item = make("li", { id: `${listId}-${i}`, role: "option", "aria-selected": "false" }, swatch, named(v));
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(v); });
      return item;
    }));
    const rest = all.length - offered.length;
    if (rest) list.append(make("li", { class: "more", role: "presentation" }, `and ${grouped(rest)} more`));
    if (!all.length) list.append(make("li", { class: "more", role: "presentation" }, "no variable of this name"));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    active = -1;
    input.removeAttribute("aria-activedescendant");
  }
  function take(v) {
    input.value = content.names[v];
    close();
    taken(v);
  }
  input.addEventListener("input", open);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => { if (list.hidden) open(); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      if (list.hidden) open();
      if (offered.length) point((active + steps[event.key] + (active < 0 && steps[event.key] < 0 ? 1 : 0) + offered.length) % offered.length);
    } else if (event.key === "Enter") {
      if (list.hidden) open();
      if (offered.length) take(offered[Math.max(active, 0)]);
      event.preventDefault();
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      close();
    }
  });
  return {
    input,
    show(v) {
      if (document.activeElement !== input || v !== null) input.value = v === null ? "" : content.names[v];
    },
  };
}
