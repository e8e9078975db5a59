"""What the tests of this folder ask JupyterLab's page to do, in JavaScript."""

OPEN = "name => { jupyterapp.commands.execute('docmanager:open', {path: name}); }"
READY = """name => {
    const panel = jupyterapp.shell.currentWidget;
    return panel?.context?.path === name && panel.context.isReady
        && panel.sessionContext.session?.kernel?.status === 'idle';
}"""
CLOSE = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.sessionContext.shutdown();
    panel.context.model.dirty = false;  // else Lab asks whether to save
    panel.close();
    await new Promise(done => setTimeout(done, 500));  // Lab still looks for the focus in it, and fails loudly
}"""
RUN = """cell => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = cell;
    notebook.deselectAll();
    jupyterapp.commands.execute('notebook:run-cell');
}"""
RAN = """() => {
    const panel = jupyterapp.shell.currentWidget;
    const code = panel.content.widgets.filter(cell => cell.model.type === 'code');
    return code.every(cell => cell.model.executionCount !== null)
        && panel.sessionContext.session.kernel.status === 'idle';
}"""
CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.toJSON())"""
# bytes, not addresses: a new address may hold the same picture
PICTURE = """async explorer => {
    const bytes = await (await fetch(explorer.querySelector('img').src)).arrayBuffer();
    return new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).join(' ');
}"""
SENTENCE = "explorer => explorer.querySelector('.widget-html-content').textContent"
NOW = f"explorer => ({SENTENCE})(explorer) + explorer.querySelector('img').src"
SHOWS_ELSE = f"([explorer, before]) => ({NOW})(explorer) !== before"
# where the sliders stand, what the sentence says, and what has the keyboard
STANDS = f"""explorer => [
    ...[...explorer.querySelectorAll('.noUi-handle')].map(handle => handle.ariaValueNow),
    ({SENTENCE})(explorer), document.activeElement.className
].join('; ')"""
# picture and sentence come one after the other, and one of them may be what it was
SETTLE = f"""async explorer => {{
    for (let before, now = ({NOW})(explorer); now !== before; now = ({NOW})(explorer)) {{
        before = now;
        await new Promise(done => setTimeout(done, 30));
    }}
}}"""
WATCH_HEIGHT = """explorer => {
    explorer.heights = new Set();
    (function look() {
        explorer.heights.add(explorer.getBoundingClientRect().height);
        explorer.look = requestAnimationFrame(look);
    })();
}"""
HEIGHT = "explorer => explorer.getBoundingClientRect().height"
HEIGHTS = "explorer => { cancelAnimationFrame(explorer.look); return [...explorer.heights]; }"
# Lab may hide a cell that is out of view, and what is hidden has no place to scroll to: so its cell comes first;
# cells that come into view take their true height, which moves what is below them: once is not enough
CENTRE = """async explorer => {
    const notebook = jupyterapp.shell.currentWidget.content;
    await notebook.scrollToItem(notebook.widgets.findIndex(cell => cell.node.contains(explorer)), 'center');
    for (let i = 0; i < 10; i++) {
        explorer.scrollIntoView({block: 'center', behavior: 'instant'});
        await new Promise(requestAnimationFrame);
    }
}"""
OUTSIDE = """explorer => {
    const room = explorer.closest('.jp-WindowedPanel-outer').getBoundingClientRect();
    const inside = box => box.top >= room.top && box.bottom <= room.bottom && box.right <= room.right;
    const parts = [...explorer.querySelectorAll('img, input, select, .noUi-target, .widget-html-content')];
    return parts.filter(part => !inside(part.getBoundingClientRect())).map(part => part.className);
}"""
# again until it stays where it is, for the same reason
SCROLL = """async ([cell, to]) => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const place = () => notebook.widgets[cell].node.getBoundingClientRect().top;
    for (let before, now; now === undefined || now !== before; ) {
        before = now;
        await notebook.scrollToItem(cell, to);
        for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
        now = place();
    }
}"""
SHOWN = """cells => cells.filter(cell => {
    const node = jupyterapp.shell.currentWidget.content.widgets[cell].node;
    return node.isConnected && node.getClientRects().length > 0;
})"""
ALL_SHOWN = f"cells => ({SHOWN})(cells).length === cells.length"
OUTPUTS_SHOWN = """cells => cells.some(cell =>
    [...jupyterapp.shell.currentWidget.content.widgets[cell].node.querySelectorAll('.jp-OutputArea-output')]
        .some(output => output.getClientRects().length > 0))"""
# what says how many cells are hidden; where Lab shows only the triangle, that
IN_CELL = '.jp-Notebook .jp-Cell[data-windowed-list-index="{0}"]'
HIDDEN = ".jp-showHiddenCellsButton"
OPENER = f"{IN_CELL} {HIDDEN}, {IN_CELL}:not(:has({HIDDEN})) .jp-collapseHeadingButton"
OPEN_ALL = "() => jupyterapp.commands.execute('notebook:expand-all-headings')"
STRETCHED = "image => image.getBoundingClientRect().width / image.naturalWidth"
