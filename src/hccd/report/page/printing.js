// On paper there is nothing to click: the whole picture, all rows, and every explanation as text.

function setUpPrinting(table) {
  let written = false;
  function before() {
    if (!written) {
      written = true;
      const list = make("ol", {}, ...byStrength.slice().reverse().map((e) => make("li", {}, presenceSentence(e))));
      byId("explanations").append(list);
      table.showAll();
      const more = byId("all-conflicts");
      if (more) more.click();
      for (const folded of document.querySelectorAll("details")) folded.open = true;
    }
    camera.freeze();
  }
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", () => camera.thaw());
  window.matchMedia("print").addEventListener("change", (event) => { if (event.matches) before(); else camera.thaw(); });
  byId("print").addEventListener("click", () => window.print());
}
