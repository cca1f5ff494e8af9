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
    byId("file").textContent = `${pageName()}, ${today()}`;
    camera.freeze();
  }
  window.addEventListener("beforeprint", before);
  function after() {
    byId("file").textContent = pageName();
    camera.thaw();
  }
  window.addEventListener("afterprint", after);
  window.matchMedia("print").addEventListener("change", (event) => { if (event.matches) before(); else after(); });
  byId("print").addEventListener("click", () => window.print());
}
