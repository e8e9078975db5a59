// A clock that runs in the browser, so that the kernel hears nothing of it, and the line that is read aloud.

function render({ model, el }) {
  const clock = el.appendChild(document.createElement("span"));
  clock.setAttribute("role", "timer");
  clock.style.cssText = "font-variant-numeric: tabular-nums; margin-right: 1em";
  const message = el.appendChild(document.createElement("span"));
  message.setAttribute("role", "status");
  message.setAttribute("aria-live", "polite");
  let since = Date.now();

  function round() {
    return el.closest(".evalteach-interview");
  }

  function tick() {
    const seconds = Math.floor((Date.now() - since) / 1000);
    const passed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.textContent = model.get("is_running") ? passed : "";
  }

  function begin() {
    since = Date.now();
    tick();
  }

  // after each press: the buttons stand in the middle, so the top of the question must not be above the window
  function step() {
    message.textContent = model.get("message");
    for (const output of round()?.querySelectorAll(".jp-OutputArea") ?? []) output.setAttribute("aria-live", "polite");
    round()?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // without this JupyterLab takes arrows and digits for its own: to leave the cell, or to make a heading of it
  function guard({ target }) {
    if (!target.matches("select, input[type=checkbox]")) return;
    if (round()?.contains(target)) target.dataset.lmSuppressShortcuts = "true";
  }

  document.addEventListener("focusin", guard);
  model.on("change:is_running", begin);
  model.on("change:message", step);
  tick();
  message.textContent = model.get("message");
  const timer = setInterval(tick, 1000);
  return () => {
    clearInterval(timer);
    document.removeEventListener("focusin", guard);
    model.off("change:is_running", begin);
    model.off("change:message", step);
  };
}

export default { render };
