"""What is done to a report in a real browser."""

#: Asks about every pair by clicking its two variables, and returns the sentences.
ASK_ALL = """() => {
  const click = (target) => target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const count = document.querySelectorAll("#scene [data-node]").length;
  const said = {};
  for (let a = 0; a < count; a += 1) for (let b = a + 1; b < count; b += 1) {
    click(document.querySelector("#graph"));
    click(document.querySelector(`[data-node="${a}"]`));
    click(document.querySelector(`[data-node="${b}"]`));
    said[`${a},${b}`] = document.querySelector("#answer .sentence").textContent;
  }
  return said;
}"""
