// The front end of an explorer: ipywidgets draws controls, picture and sentence; this holds frames of the positions
// around the present one, shows those at once, and asks the kernel for the others. Without it all works, only slower.

const HELD = 6e6; // bytes; what was not shown for longest leaves first
const TOUCHED = 150e3; // bytes asked for ahead around one position, when the pointer or the keyboard comes to it
const STEP = 50e3; // more with each step along the same control, since there may be a next one
const DRAG = 2e6; // when its slider is pressed, and at most
const UNDER_WAY = 100e3; // bytes ahead that a question may have to wait for
const MOST = 8; // questions under way
const REST = 200; // ms without a move
const FAR = 50; // ms to the kernel and back, from which on a moving hand is kept ahead of
const LOST = 5000; // ms after which no answer is expected: the kernel was restarted, or is busy
const NEAR = 2; // steps ahead along the controls that were not the last to move

export class Frames {
  #frames = new Map(); // from the one shown longest ago to the latest
  #bytes = 0;

  has(key) {
    return this.#frames.has(key);
  }

  get(key) {
    const frame = this.#frames.get(key);
    if (!frame) return undefined;
    this.#frames.delete(key);
    this.#frames.set(key, frame);
    return frame;
  }

  add(key, frame) {
    this.#drop(key);
    this.#frames.set(key, frame);
    this.#bytes += frame.picture.byteLength;
    while (this.#bytes > HELD) this.#drop(this.#frames.keys().next().value);
  }

  clear() {
    this.#frames.clear();
    this.#bytes = 0;
  }

  #drop(key) {
    this.#bytes -= this.#frames.get(key)?.picture.byteLength ?? 0;
    this.#frames.delete(key);
  }
}

export function nearest(stops, number) {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - number) < Math.abs(stops[best] - number)) best = i;
  });
  return best;
}

// Positions around one, nearest first; `axis` is the control that moved last, and goes on to its ends.
export function* around(at, stops, axis) {
  const places = at.map((value, i) => nearest(stops[i], value));
  for (let step = 1; step < Math.max(...stops.map((each) => each.length)); step++) {
    for (let i = 0; i < at.length; i++) {
      if (i !== axis && step > NEAR) continue;
      for (const place of [places[i] + step, places[i] - step]) {
        if (place in stops[i]) yield at.with(i, stops[i][place]);
      }
    }
  }
}

// A move of a slider may still wait in the page for the kernel to take the one before. It would come after the number
// that was typed since, and undo it: this takes its place, and comes after that number.
function follow(slider, place) {
  slider.set({ value: place });
  queueMicrotask(() => slider.save_changes());
}

async function initialize({ model }) {
  const find = (reference) => model.widget_manager.get_model(reference.slice("IPY_MODEL_".length));
  const [picture, said] = await Promise.all([find(model.get("picture")), find(model.get("said"))]);
  const controls = await Promise.all(
    model.get("parts").map(async ({ widget, slider, name, stops }) => {
      const holds = slider ? "value" : "index"; // a choice goes by its place in the list
      return { widget: await find(widget), slider: slider && (await find(slider)), name, stops, holds };
    }),
  );
  const stops = controls.map((control) => control.stops);
  const held = new Frames();
  const asked = new Map(); // what is under way
  let at = where();
  let now = JSON.stringify(at);
  let axis = 0; // the control that moved last
  let [moves, shown] = [0, 0]; // so far, and at the one whose picture is shown
  let [ahead, budget] = [0, 0]; // bytes since the last move, and how many they may be
  let line; // ms on the way, there and back, at best; and to draw a frame, of late
  let drawing = 20;
  let size = 10e3; // bytes of a frame
  let [resting, speaking] = [];

  function where() {
    return controls.map(({ widget, holds }) => widget.get(holds));
  }

  function tell(message) {
    try {
      model.send(message);
    } catch {
      asked.clear(); // the kernel is gone, and nobody will answer
    }
  }

  function ask(position, key, kind) {
    asked.set(key, { kind, move: moves, since: performance.now() });
    tell({ at: position, kind });
  }

  function underWay(kind) {
    const before = performance.now() - LOST;
    asked.forEach(({ since }, key) => since < before && asked.delete(key));
    return [...asked.values()].filter((each) => each.kind === kind).length;
  }

  // as many as keep the kernel at work, and no more, since each of them holds up the next
  function room(most) {
    return Math.min(most, 1 + Math.round((line ?? 20) / drawing));
  }

  function inquire() {
    if (asked.has(now)) return;
    if (underWay("question") < room(MOST)) ask(at, now, "question");
    else tell({ at, kind: "passed" });
  }

  function show(frame, move) {
    shown = move;
    picture.set_state({ value: frame.picture });
    said.set_state({ value: frame.said });
    clearTimeout(speaking);
    speaking = setTimeout(speak, 3 * REST);
  }

  function moved() {
    const before = at;
    at = where();
    const key = JSON.stringify(at);
    if (key === now) return;
    if (!moves) {
      held.add(now, { picture: picture.get("value"), said: said.get("value") });
      tell({ at: before, kind: "passed" }); // else the kernel tells of it when it is come back to
    }
    now = key;
    const last = axis;
    axis = at.findIndex((value, i) => value !== before[i]);
    moves += 1;
    const frame = held.get(now);
    if (frame) show(frame, moves);
    else inquire();
    nameSliders();
    ahead = 0;
    rest(axis === last ? Math.min(budget + STEP, DRAG) : TOUCHED);
    if (frame && line > FAR) fill();
  }

  function rest(bytes) {
    budget = bytes;
    clearTimeout(resting);
    resting = setTimeout(rested, REST);
  }

  function rested() {
    if (underWay("question")) {
      resting = setTimeout(rested, LOST); // its answer comes back here, unless it is lost
      return;
    }
    const frame = held.get(now);
    if (moves && !frame) ask(at, now, "question"); // whoever was asked for it ahead has not answered
    if (frame && picture.get("value") !== frame.picture) show(frame, moves); // the kernel was a move behind
    if (moves) tell({ kind: "rest" });
    fill();
  }

  function fill() {
    if (underWay("question")) return;
    for (const position of around(at, stops, axis)) {
      if (ahead >= budget || underWay("ahead") >= room(Math.ceil(UNDER_WAY / size))) return;
      const key = JSON.stringify(position);
      if (held.has(key) || asked.has(key)) continue;
      ahead += size;
      ask(position, key, "ahead");
    }
  }

  function answered({ at: position, said: words, ms, forget }, [bytes]) {
    if (forget) return held.clear(); // what is drawn may have changed
    const key = JSON.stringify(position);
    const mine = asked.get(key);
    asked.delete(key);
    if (!bytes) {
      if (key === now && words) said.set_state({ value: words }); // an error, in place
      else if (moves && !held.has(now) && !asked.has(now)) ask(at, now, "question");
      return; // without words: a cell runs, and nothing comes ahead until the next move
    }
    const frame = { picture: bytes, said: words };
    held.add(key, frame);
    size = bytes.byteLength;
    if (mine && ms > 1) {
      const way = performance.now() - mine.since - ms;
      line = Math.min(line ?? way, way);
      drawing += (ms - drawing) / 4;
    }
    if (key === now) show(frame, moves);
    else if (mine?.kind === "question" && mine.move > shown && !held.has(now)) show(frame, mine.move);
    if (mine?.kind === "ahead") fill();
    else if (!held.has(now) && !asked.has(now)) ask(at, now, "question");
    else rest(budget);
  }

  // what ipywidgets leaves out for readers who listen: a slider's name and value, and the sentence, at rest
  function nameSliders() {
    for (const { widget, slider, name } of controls) {
      for (const view of Object.values(slider?.views ?? {})) {
        view.then(({ el }) => {
          const handle = el.querySelector(".noUi-handle");
          handle?.setAttribute("aria-label", name);
          handle?.setAttribute("aria-valuetext", String(widget.get("value")));
        });
      }
    }
  }

  function speak() {
    for (const view of Object.values(said.views ?? {})) {
      view.then(({ el }) => {
        let live = el.querySelector("[aria-live]");
        if (!live) {
          live = el.appendChild(document.createElement("div"));
          live.setAttribute("aria-live", "polite");
          live.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
        }
        live.textContent = el.querySelector(".widget-html-content").textContent;
      });
    }
  }

  function touched({ type, target }) {
    if (!target.closest?.(`.${model.get("mark")}`)) return;
    if (type === "pointerdown" && target.closest(".noUi-target")) rest(DRAG);
    else if (!budget) rest(TOUCHED);
    // without this JupyterLab takes arrows and digits for its own: to leave the cell, or to make a heading of it
    if (target.matches("select")) target.dataset.lmSuppressShortcuts = "true";
    nameSliders();
  }

  for (const { widget, slider, holds, stops: own } of controls) {
    widget.on(`change:${holds}`, (_, number, { updated_view: typed }) => {
      moved();
      if (slider && typed) follow(slider, nearest(own, number));
    });
    slider?.on("change:value", () => {
      // else it only follows a number that was typed
      if (slider.get("value") !== nearest(own, widget.get("value"))) {
        widget.set_state({ value: own[slider.get("value")] });
      }
    });
  }
  model.on("msg:custom", answered);
  const events = ["pointerover", "pointerdown", "focusin"];
  events.forEach((event) => document.addEventListener(event, touched));
  tell({ kind: "hello" });
  let naming;
  (function nameSoon(times) {
    nameSliders();
    if (times) naming = setTimeout(nameSoon, 500, times - 1); // the views of sliders come later than this
  })(10);
  return () => {
    clearTimeout(naming);
    clearTimeout(resting);
    clearTimeout(speaking);
    events.forEach((event) => document.removeEventListener(event, touched));
  };
}

export default { initialize };
