// The options of a run and of reading a text file, as their declarations have them.

function optionField(option, kept, then) {
  const id = `option-${option.name}`;
  const control = option.open ? openControl(option, id) : closedControl(option, id);
  control.addEventListener("change", () => {
    const text = control.value.trim();
    if (text === "" || text === option.default) delete state[kept][option.name];
    else state[kept][option.name] = text;
    then();
  });
  const field = make("div", { class: "field option" }, make("label", { for: id }, option.name), control, make("p", { class: "hint", id: `${id}-help` }, option.help));
  field.refresh = () => { control.value = state[kept][option.name] ?? (option.open ? "" : option.default); };
  return field;
}

function closedControl(option, id) {
  const words = option.default === "" ? ["", ...option.choices] : option.choices;
  return make("select", { id, "aria-describedby": `${id}-help` }, ...words.map((word) => make("option", { value: word }, word || "by default")));
}

function openControl(option, id) {
  const control = make("input", { type: "text", id, "aria-describedby": `${id}-help`, autocomplete: "off", spellcheck: "false", placeholder: option.default || "by default", list: option.choices.length ? `${id}-list` : null });
  // The list stands beside the field, which is in the page by then.
  if (option.choices.length) byId("options").append(make("datalist", { id: `${id}-list` }, ...option.choices.map((word) => make("option", { value: word }))));
  return control;
}

function optionFields(kept, none, then) {
  const made = state.form[kept].map((option) => optionField(option, kept, then));
  byId(kept).append(...made);
  const show = () => {
    made.forEach((field) => field.refresh());
    const given = Object.entries(state[kept]).map(([name, text]) => `${name} ${text}`);
    byId(`${kept}-summary`).textContent = given.length ? given.join(", ") : none;
  };
  watch(show);
  show();
}

function setUpOptions() {
  optionFields("options", "All at their defaults", changed);
  optionFields("reading", "Delimiter, encoding, decimal sign: detected automatically", readAgain);
}
