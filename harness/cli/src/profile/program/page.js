'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const colours = {
  user: '#3b82c4', interrupt: '#c2543c', entry: '#8a2f1d', wait_pvr: '#d9a400', wait_vblank: '#b9c0c8',
  wait_dma: '#7a5ab8', wait_maple: '#c65a9c', wait_timer: '#8d9a3f', wait_sound: '#2f9e8f',
  wait_device: '#6b7680', polling: '#9b8567', idle: '#dfe3e7', firmware: '#4b9a53', bus: '#e07b39',
};
const page = document.getElementById('page');
const state = { frame: null, name: null };
const number = (value) => value.toLocaleString('en');
const ms = (cycles) => (1e3 * cycles / data.cpu_hz).toFixed(3);
const share = (part, whole) => (100 * part / Math.max(whole, 1)).toFixed(2);

function element(kind, options = {}, ...children) {
  const made = document.createElement(kind);
  for (const [key, value] of Object.entries(options)) {
    if (key === 'style') made.style.cssText = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function table(heads, rows, choose) {
  const body = rows.map((row) => {
    const cells = row.cells.map((cell) => element('td', {}, cell));
    if (!row.name || !choose) return element('tr', {}, ...cells);
    const pick = () => choose(row.name);
    return element('tr', {
      tabindex: 0, class: row.name === state.name ? 'chosen' : '', onclick: pick,
      onkeydown: (event) => { if (event.key === 'Enter') pick(); },
    }, ...cells);
  });
  return element('table', {},
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
    element('tbody', {}, ...body));
}

function bars() {
  const longest = Math.max(...data.frames.map((frame) => frame.cycles), 1);
  const box = element('div', { id: 'bars' });
  for (const [place, frame] of data.frames.entries()) {
    const parts = data.activity_names.map(([key]) => key).reverse()
      .filter((key) => frame.activities[key] > 0)
      .map((key) => element('i', {
        style: `height:${100 * frame.activities[key] / longest}%;background:${colours[key]}`,
      }));
    box.append(element('button', {
      title: `frame ${frame.frame}: ${ms(frame.work)} ms of work in ${ms(frame.cycles)} ms`,
      'aria-label': `frame ${frame.frame}`, 'aria-pressed': String(state.frame === place),
      onclick: () => { state.frame = state.frame === place ? null : place; draw(); },
    }, ...parts));
  }
  return box;
}

function present() {
  return state.frame === null ? data : data.frames[state.frame];
}

function activities() {
  const here = present();
  const rows = data.activity_names.filter(([key]) => here.activities[key] > 0).map(([key, text]) => ({
    cells: [number(here.activities[key]), share(here.activities[key], here.cycles), ms(here.activities[key]), text],
  }));
  return table(['cycles', '%', 'ms', 'activity'], rows);
}

function functions() {
  if (state.frame === null) {
    const rows = data.functions.slice(0, 60).map((row) => ({
      name: row.name,
      cells: [number(row.cycles), share(row.cycles, data.cycles), number(row.operand_misses),
        number(row.instruction_misses), row.name],
    }));
    return table(['cycles', '%', 'operand misses', 'code misses', 'function'], rows, choose);
  }
  const frame = data.frames[state.frame];
  const rows = frame.functions.map((row) => ({
    name: row.name, cells: [number(row.cycles), share(row.cycles, frame.cycles), row.name],
  }));
  for (const [text, cycles] of [['(other functions)', frame.other_functions],
    ['(no instruction: sleep, interrupt entry, firmware, bus)', frame.without_instructions]]) {
    if (cycles) rows.push({ cells: [number(cycles), share(cycles, frame.cycles), text] });
  }
  return table(['cycles', '%', 'function'], rows, choose);
}

function choose(name) {
  state.name = name;
  draw();
}

function source() {
  if (state.name === null) return element('p', { class: 'soft' }, 'Choose a function to see its lines.');
  const lines = data.lines.filter((row) => row.function === state.name);
  if (lines.length === 0) return element('p', { class: 'soft' }, `${state.name}: no source lines are known.`);
  const most = Math.max(...lines.map((row) => row.cycles), 1);
  const box = element('pre');
  for (const file of new Set(lines.map((row) => row.file))) {
    box.append(element('div', { class: 'soft' }, file));
    const mine = new Map(lines.filter((row) => row.file === file).map((row) => [row.line, row]));
    const known = data.sources[file] || {};
    const around = [...mine.keys()].flatMap((line) => [line - 2, line - 1, line, line + 1, line + 2])
      .filter((line) => mine.has(line) || known[line] !== undefined);
    let before = 0;
    for (const line of [...new Set(around)].sort((a, b) => a - b)) {
      if (before && line > before + 1) box.append(element('div', { class: 'soft' }, '    …'));
      before = line;
      const row = mine.get(line);
      const heat = row ? `background:rgba(224,60,30,${(0.55 * row.cycles / most).toFixed(3)})` : '';
      const cost = row ? `${number(row.cycles).padStart(14)} ${number(row.operand_misses).padStart(9)}` : ' '.repeat(24);
      box.append(element('div', { style: heat }, `${cost} ${String(line).padStart(6)}  ${known[line] ?? ''}`));
    }
  }
  return element('div', {}, element('p', { class: 'soft' }, 'cycles, operand misses, line; all measured frames'), box);
}

function draw() {
  const here = present();
  const range = data.frames.length
    ? `frames ${data.frames[0].frame} to ${data.frames[data.frames.length - 1].frame}` : 'no frames';
  const legend = element('div', { class: 'legend' }, ...data.activity_names
    .filter(([key]) => data.activities[key] > 0)
    .map(([key, text]) => element('span', {}, element('b', { style: `background:${colours[key]}` }), text)));
  const heading = state.frame === null ? 'All frames' : `Frame ${here.frame}`;
  const back = state.frame === null ? '' : element('button', {
    class: 'plain', onclick: () => { state.frame = null; draw(); },
  }, 'all frames');
  const data_rows = data.data.slice(0, 12).map((row) => ({
    cells: [number(row.stalled), number(row.misses), number(row.accesses),
      `${row.address.toString(16).padStart(8, '0')} ${row.owner}`],
  }));
  page.replaceChildren(
    element('p', {}, `${range}, ${number(data.cycles)} cycles, ${ms(data.cycles)} ms, ${data.renders} renders, `,
      `${number(data.instructions)} instructions.`),
    element('p', { class: 'soft' }, `The parts sum to the console's clock: ${number(data.clock)} cycles.`),
    element('h2', {}, 'Frames'), bars(), legend,
    element('h2', {}, `${heading} `, back),
    element('p', {}, `${number(here.cycles)} cycles, ${ms(here.cycles)} ms`),
    element('div', { class: 'columns' },
      element('section', {}, element('h2', {}, 'Where the time goes'), activities()),
      element('section', {}, element('h2', {}, 'Functions'), functions())),
    element('h2', {}, state.name === null ? 'Source' : `Source of ${state.name}`), source(),
    element('h2', {}, 'Data with cache misses, by owner'),
    table(['stall cycles', 'misses', 'owner'], data.data_owners.slice(0, 20).map((row) => ({
      cells: [number(row.stalled), number(row.misses),
        `${row.address.toString(16).padStart(8, '0')} ${row.name}`],
    }))),
    element('h2', {}, 'Data with cache misses, ranges of 4 KiB'),
    table(['stall cycles', 'misses', 'accesses', 'range'], data_rows));
}

draw();
