// Parts of pages that the report and the page of hccd serve share: counts in words, lines of a check, code to copy.

const grouped = (count) => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const counted = (count, noun, plural = `${noun}s`) => `${grouped(count)} ${count === 1 ? noun : plural}`;

const LEVEL_MARKS = { fine: "\u2713", note: "i", warning: "!", error: "\u00d7" };

function checkLine(level, text) {
  return make("li", { class: level }, make("span", { class: "mark", "aria-hidden": "true" }, LEVEL_MARKS[level]),
    make("span", { class: "sr" }, `${level}: `), make("span", {}, text));
}

function codeBlock(title, text) {
  const code = make("pre", { tabindex: "0", "aria-label": title }, text);
  const copy = button("Copy", { class: "quiet", "aria-label": `Copy: ${title}` }, () => {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    copy.textContent = document.execCommand("copy") ? "Copied" : "Selected";
  });
  return make("div", { class: "code" }, make("div", { class: "code-head" }, make("h3", {}, title), copy), code);
}
