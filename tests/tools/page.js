// The front end of an explorer on a page without a kernel: one slider, whose frames lie beside the page. It fetches them
// when somebody comes to the picture, those around the present place first, and holds them as frames.js does in a
// notebook. Nothing is fetched before: a page is as large as what is looked at.

import { around, Frames } from "./frames.js";

const AT_ONCE = 6; // pictures under way
const TOUCHED = ["pointerenter", "focusin", "touchstart"]; // by a pointer, by the keyboard, by a finger

function enliven(figure) {
  const [image, slider] = [figure.querySelector("img"), figure.querySelector("input")];
  const [value, said] = [figure.querySelector("span"), figure.querySelector("output")];
  const texts = JSON.parse(figure.querySelector("script").textContent);
  const stops = [[...texts.keys()]];
  const held = new Frames();
  const [underWay, failed] = [new Set(), new Set()]; // places whose picture is asked for, or could not be had

  function show() {
    const [at, words] = texts[slider.value];
    value.textContent = at;
    slider.setAttribute("aria-valuetext", at);
    const frame = held.get(slider.value);
    if (!frame) return;
    image.src = frame.address;
    image.alt = words;
    said.textContent = words; // with its picture, never before
  }

  async function load(place) {
    underWay.add(place);
    try {
      const answer = await fetch(`${figure.dataset.frames}/${place}.webp`);
      if (!answer.ok) throw new Error(answer.statusText);
      const picture = await answer.arrayBuffer();
      const address = URL.createObjectURL(new Blob([picture], { type: "image/webp" }));
      held.add(String(place), { picture, address });
      const ahead = new Image();
      ahead.src = address;
      await ahead.decode();
      if (place === Number(slider.value)) show();
    } catch {
      failed.add(place);
      if (place === Number(slider.value)) said.textContent = "This picture cannot be fetched.";
    }
    underWay.delete(place);
    fill();
  }

  function fill() {
    const at = Number(slider.value);
    for (const [place] of [[at], ...around([at], stops, 0)]) {
      if (underWay.size >= AT_ONCE) return;
      if (!held.has(String(place)) && !underWay.has(place) && !failed.has(place)) load(place);
    }
  }

  slider.addEventListener("input", () => {
    failed.delete(Number(slider.value)); // whoever comes back asks again
    show();
    fill();
  });
  TOUCHED.forEach((event) => figure.addEventListener(event, fill, { passive: true }));
  slider.disabled = false;
}

document.querySelectorAll("figure.evalteach").forEach(enliven);

// what is larger than its place scrolls by the keyboard, too
const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const overflows = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
    if (overflows) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
document.querySelectorAll("pre, div.math, .cell_output, .table-wrapper").forEach((each) => wide.observe(each));
