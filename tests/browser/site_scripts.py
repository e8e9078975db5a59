"""What tests and a benchmark ask the pages of ``.ci/site``, in JavaScript, and the plain server that serves them."""

import http.server

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
OPEN_ALL = "() => document.querySelectorAll('details').forEach(fold => { fold.open = true; })"
# what was opened fades in, and what overflows is found in the next frames
SETTLED = """async () => {
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.all(document.getAnimations().map(each => each.finished.catch(() => null)));
}"""
# all frames of a picture are held by then
HELD = """async figure => {
    performance.setResourceTimingBufferSize(10000);  // of 250 else, and all look as if they were held
    const [frames, last] = [figure.dataset.frames + '/', Number(figure.querySelector('input').max)];
    figure.querySelector('input').focus();
    const held = () => new Set(performance.getEntriesByType('resource').filter(
        each => each.initiatorType === 'fetch' && each.name.includes(frames)).map(each => each.name)).size;
    while (held() <= last) await new Promise(done => setTimeout(done, 20));
    await new Promise(done => setTimeout(done, 100));
}"""
# each place of a slider: ms until its picture can be drawn, the picture, and what is wrong with the sentence
MOVE = """async figure => {
    const [image, slider, said] = ['img', 'input', 'output'].map(name => figure.querySelector(name));
    const words = JSON.parse(figure.querySelector('script').textContent), met = [];
    for (let place = Number(slider.max); place >= 0; place--) {
        const began = performance.now();
        slider.value = place;
        slider.dispatchEvent(new Event('input'));
        await image.decode();
        met.push([performance.now() - began, image.src, said.textContent === words[place][1]]);
    }
    return met;
}"""


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass
