"""What is done to a report in a real browser."""

import time

from hccd.result import HCCDResult

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


def as_loaded(result):
    """The result as its file holds it, with p-values of three digits."""
    return HCCDResult.from_dict(result.to_dict())


def number(result, name):
    return result.names.index(name)


def eventually(holds):
    """Wait until something holds; the page's own policy forbids to do this inside it."""
    end = time.perf_counter() + 10
    while not holds():
        assert time.perf_counter() < end
        time.sleep(0.02)


def choose(seen, *variables):
    for v in variables:
        seen.page.locator(f'[data-node="{v}"]').click()
