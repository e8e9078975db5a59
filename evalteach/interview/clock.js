// A clock that runs in the browser, so that the kernel hears nothing of it, and the line that is read aloud.

const HIDDEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";

function render({ model, el }) {
  const clock = el.appendChild(document.createElement("span"));
  clock.setAttribute("role", "timer");
  clock.style.cssText = "font-variant-numeric: tabular-nums; margin-right: 1em";
  const said = el.appendChild(document.createElement("span"));
  said.setAttribute("role", "status");
  said.setAttribute("aria-live", "polite");
  let since = Date.now();

  function tick() {
    const minutes = model.get("minutes");
    const seconds = Math.floor((Date.now() - since) / 1000);
    const passed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (model.get("running")) clock.textContent = `${passed} of ${minutes} min`;
    else if (!minutes) clock.textContent = "";
  }

  function begin() {
    since = Date.now();
    tick();
  }

  // after each press: the buttons stand in the middle, so the top of the question must not be above the window
  function step() {
    speak();
    el.closest(".evalteach-interview")?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  function speak() {
    said.textContent = model.get("shown");
    const more = said.appendChild(document.createElement("span"));
    more.style.cssText = HIDDEN;
    more.textContent = model.get("heard");
  }

  // without this JupyterLab takes arrows and digits for its own: to leave the cell, or to make a heading of it
  function guard({ target }) {
    if (!target.matches("select, input[type=radio], input[type=checkbox]")) return;
    if (el.closest(".evalteach-interview")?.contains(target)) target.dataset.lmSuppressShortcuts = "true";
  }

  document.addEventListener("focusin", guard);
  model.on("change:question", begin);
  model.on("change:minutes", tick);
  model.on("change:shown", step);
  model.on("change:heard", speak);
  tick();
  speak();
  const timer = setInterval(tick, 1000);
  return () => {
    clearInterval(timer);
    document.removeEventListener("focusin", guard);
    model.off("change:question", begin);
    model.off("change:minutes", tick);
    model.off("change:shown", step);
    model.off("change:heard", speak);
  };
}

export default { render };
