// Elements from plain values. Text is always set as text and attributes by setAttribute, never as markup:
// names of columns are data, whatever they hold.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

function button(text, attributes, pressed) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", pressed);
  return made;
}

// A name from the data: kept apart from the text around it, so that right-to-left names do not turn the sentence.
function named(variable) {
  const name = content.names[variable];
  return make("bdi", { class: name.trim() === "" ? "name blank" : "name" }, name);
}

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
