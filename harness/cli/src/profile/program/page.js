'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const colours = {
  user: '#3b82c4', interrupt: '#c2543c', entry: '#8a2f1d', wait_pvr: '#d9a400', wait_vblank: '#b9c0c8',
  wait_dma: '#7a5ab8', wait_maple: '#c65a9c', wait_timer: '#8d9a3f', wait_sound: '#2f9e8f',
  wait_device: '#6b7680', polling: '#9b8567', idle: '#dfe3e7', firmware: '#4b9a53', bus: '#e07b39',
};
const unattributed = {
  no_symbol: 'cycles in the program\'s code without a symbol',
  outside_program: 'cycles in code outside the program\'s file',
  no_source_line: 'cycles in code without a source line',
  unknown_threads: 'cycles of threads that began before the measurement',
  unknown_data: 'stall cycles of data at an unknown address',
  untracked_calls: 'calls that exceed the size of the call tree',
  unmatched_returns: 'returns without a known call',
  abandoned_calls: 'calls that ended because an outer call returned',
};
const page = document.getElementById('page');
// Number of misses that fill the cache once per frame; only more misses are red.
const many = 512 * Math.max(data.frame_count, 1);
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
    const cells = row.cells.map((cell) => (typeof cell === 'object'
      ? element('td', { style: cell.style }, cell.text) : element('td', {}, cell)));
    if (!row.name || !choose) return element('tr', { class: row.class ?? '' }, ...cells);
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

// A row of several frames has their mean.
function name_of(frame) {
  return frame.frames > 1 ? `frames ${frame.frame} to ${frame.frame + frame.frames - 1}` : `frame ${frame.frame}`;
}

function strip(id, parts, title) {
  const button = (frame, place) => element('button', {
    title: `${name_of(frame)}: ${title(frame)}`,
    'aria-label': name_of(frame), 'aria-pressed': String(state.frame === place),
    onclick: () => { state.frame = state.frame === place ? null : place; draw(); },
  }, ...parts(frame));
  const style = `--frames:${data.frames.length}`;
  return element('div', { id, class: 'strip', style }, ...data.frames.map(button));
}

function legend() {
  return element('div', { class: 'legend' }, ...data.activity_names
    .filter(([key]) => data.activities[key] > 0)
    .map(([key, text]) => element('span', {}, element('b', { style: `background:${colours[key]}` }), text)));
}

function bars() {
  const longest = Math.max(...data.frames.map((frame) => frame.cycles / frame.frames), 1);
  const misses = (frame) => Math.round(frame.operand_misses / frame.frames);
  const most = Math.max(...data.frames.map(misses), 0);
  const keys = data.activity_names.map(([key]) => key).reverse();
  const bar = (part, whole, colour) =>
    element('i', { style: `height:${100 * part / whole}%;background:${colour}` });
  const time = strip('bars',
    (frame) => keys.filter((key) => frame.activities[key] > 0)
      .map((key) => bar(frame.activities[key] / frame.frames, longest, colours[key])),
    (frame) => `${ms(frame.work / frame.frames)} ms of work in ${ms(frame.cycles / frame.frames)} ms`);
  // A bar of full height stands for 512 misses or more, which fill the cache once.
  const missed = strip('misses', (frame) => [bar(misses(frame), Math.max(most, 512), heat(1))],
    (frame) => `${number(misses(frame))} operand cache misses`);
  return element('div', {},
    element('p', { class: 'soft' }, `Time, up to ${ms(longest)} ms a frame:`), legend(),
    element('div', { class: 'frames' }, time,
      element('p', { class: 'soft' }, `Operand cache misses, ${most ? `up to ${number(most)} a frame` : 'none'}:`),
      missed));
}

function heat(share) {
  return `rgba(224,60,30,${(0.75 * share).toFixed(3)})`;
}

// The cell of a number, coloured by its share of the largest one.
function hot(value, most) {
  const share_of = value / Math.max(most, 1);
  return { text: number(value), style: share_of > 0.02 ? `background:${heat(share_of)}` : '' };
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
    const [ran, idle] = [true, false].map((runs) => data.functions.filter((row) => row.instructions > 0 === runs));
    const most = (key) => Math.max(...ran.map((row) => row[key]), 0);
    const rows = ran.slice(0, 30).map((row) => ({
      name: row.name,
      cells: [hot(row.cycles, most('cycles')), share(row.cycles, data.cycles),
        hot(row.operand_misses, Math.max(most('operand_misses'), many)),
        hot(row.instruction_misses, Math.max(most('instruction_misses'), many)), row.name],
    }));
    const others = ran.slice(30);
    if (others.length) {
      const sum = (key) => others.reduce((all, row) => all + row[key], 0);
      rows.push({ cells: [number(sum('cycles')), share(sum('cycles'), data.cycles), number(sum('operand_misses')),
        number(sum('instruction_misses')), `(${others.length} other functions)`] });
    }
    rows.push(...idle.map((row) => ({
      class: 'soft', cells: [number(row.cycles), share(row.cycles, data.cycles), '', '', row.name],
    })));
    return table(['cycles', '%', 'operand misses', 'code misses', 'function'], rows, choose);
  }
  const frame = data.frames[state.frame];
  const most = Math.max(...frame.functions.map((row) => row.cycles), 0);
  const rows = frame.functions.map((row) => ({
    name: row.name, cells: [hot(row.cycles, most), share(row.cycles, frame.cycles), row.name],
  }));
  for (const [text, cycles] of [['(other functions)', frame.other_functions],
    ['(no instruction: sleep, interrupt entry, firmware, bus)', frame.without_instructions]]) {
    if (cycles) rows.push({ class: 'soft', cells: [number(cycles), share(cycles, frame.cycles), text] });
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
  const [first, last] = [data.frames[0], data.frames[data.frames.length - 1]];
  const range = first ? `Frames ${first.frame} to ${last.frame + last.frames - 1}` : 'No frames';
  const heading = state.frame === null ? 'All frames' : name_of(here).replace('f', 'F');
  const back = state.frame === null ? '' : element('button', {
    class: 'plain', onclick: () => { state.frame = null; draw(); },
  }, 'all frames');
  const frames = Math.max(data.frame_count, 1);
  const dearest = data.functions.find((row) => row.instructions > 0);
  const all_misses = data.functions.reduce((all, row) => all + row.operand_misses, 0);
  const at = (row, name) => `${row.address.toString(16).padStart(8, '0')} ${name}`;
  const owners = data.data_owners.slice(0, 20);
  const most_of = (rows, key, least) => Math.max(...rows.map((row) => row[key]), least);
  const owner_rows = owners.map((row) => ({
    cells: [hot(row.stalled, most_of(owners, 'stalled', 1)), hot(row.misses, most_of(owners, 'misses', many)),
      at(row, row.name)],
  }));
  const ranges = data.data.slice(0, 20);
  const range_rows = ranges.map((row) => ({
    cells: [hot(row.stalled, most_of(ranges, 'stalled', 1)), hot(row.misses, most_of(ranges, 'misses', many)),
      number(row.accesses), at(row, row.owner)],
  }));
  const lost = Object.entries(unattributed).filter(([key]) => data.unattributed[key] > 0)
    .map(([key, text]) => ({ cells: [number(data.unattributed[key]), text] }));
  page.replaceChildren(
    element('p', {}, `${range}, ${number(data.cycles)} cycles, ${ms(data.cycles)} ms, ${data.renders} renders, `,
      `${number(data.instructions)} instructions.`),
    element('p', {}, `Work of the program and its interrupt handlers: ${ms(data.work / frames)} ms a frame, `,
      `${share(data.work, data.cycles)} % of the time. ${number(Math.round(all_misses / frames))} operand cache misses a frame.`,
      dearest ? ` First function: ${dearest.name}, ${number(Math.round(dearest.cycles / frames))} cycles a frame.` : ''),
    data.ended ? element('p', {}, `The program ended before the last frame: ${data.ended}.`) : '',
    element('p', { class: 'soft' }, `The parts sum to the console's clock: ${number(data.clock)} cycles.`),
    element('h2', {}, 'Frames'), bars(),
    element('h2', {}, `${heading} `, back),
    element('p', {}, `${number(here.cycles)} cycles, ${ms(here.cycles)} ms`),
    element('div', { class: 'columns wide' },
      element('section', {}, element('h2', {}, 'Where the time goes'), activities()),
      element('section', {}, element('h2', {}, 'Functions'), functions())),
    element('h2', {}, state.name === null ? 'Source' : `Source of ${state.name}`), source(),
    element('div', { class: 'columns' },
      element('section', {}, element('h2', {}, 'Waits for data, by owner'),
        table(['stall cycles', 'misses', 'owner'], owner_rows)),
      element('section', {}, element('h2', {}, 'Waits for data, by range of 4 KiB'),
        table(['stall cycles', 'misses', 'accesses', 'range'], range_rows))),
    element('h2', {}, 'Not attributed, or not to one function'),
    lost.length ? table(['count', 'what'], lost)
      : element('p', { class: 'soft' }, 'Nothing: every cycle has a function and a source line.'));
}

draw();
