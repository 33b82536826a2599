// Profile of a program: bars of frames, flame graph, functions.

import { element, make } from "./page.js";

/** Height of a bar in frames' budgets, and of a row of the flame graph in rem. */
const TALLEST = 2, ROW = 1.5;
/** Activities of a bar, with their labels. The other activities are waits. */
const KINDS = [
  ["work", "program and interrupt handlers", ["program", "interrupt handlers", "interrupt entry", "firmware"]],
  ["pvr", "waiting for the PVR", ["waiting for the PVR"]],
  ["blank", "waiting for vertical blank", ["waiting for vertical blank"]],
];

const percent = (part, all) => `${((100 * part) / Math.max(all, 1)).toFixed(1)} %`;
const counted = (number) => number.toLocaleString("en");

/** Shows a profile. */
export function showProfile({ budget, cycles, frames, functions, calls }) {
  const panel = element("profile-panel");
  panel.hidden = frames.length === 0;
  if (panel.hidden) return;
  const work = frames.reduce((sum, frame) => sum + frame.work, 0) / frames.length;
  const most = frames.reduce((a, b) => (a.work > b.work ? a : b));
  const [first, last] = [frames[0].number, frames.at(-1).number];
  element("profile-summary").textContent = `Frames ${first} to ${last}: work of ${counted(Math.round(work))} cycles a frame, `
    + `${percent(work, budget)} of a sixtieth of a second; most in frame ${most.number}, ${percent(most.work, budget)}.`;
  bars(frames, budget);
  flame(calls, cycles);
  element("functions").replaceChildren(...functions.map(({ name, cycles: own, mostInFrame }) => {
    const row = make("tr");
    row.append(make("th", name, { scope: "row" }), ...[counted(own), percent(own, cycles), counted(mostInFrame)].map((text) => make("td", text)));
    return row;
  }));
}

function bars(frames, budget) {
  const chart = element("bars");
  chart.replaceChildren(...frames.map((frame) => {
    const bar = make("div", "", { title: `Frame ${frame.number}: ${percent(frame.work, budget)} work` });
    let rest = frame.cycles;
    const part = (kind, amount) => {
      const block = make("i", "", { class: kind });
      block.style.height = `${Math.min(100, (100 * amount) / budget / TALLEST)}%`;
      bar.append(block);
    };
    for (const [kind, , names] of KINDS) {
      const amount = names.reduce((sum, name) => sum + (frame.activities[name] ?? 0), 0);
      rest -= amount;
      part(kind, amount);
    }
    part("other", Math.max(rest, 0));
    return bar;
  }));
  chart.setAttribute("aria-label", `Bars of ${frames.length} frames; the numbers are in the text above and the table below`);
  element("bars-legend").replaceChildren("The line is a sixtieth of a second. ",
    ...[...KINDS, ["other", "other waits"]].flatMap(([kind, label]) => [make("i", "", { class: kind }), ` ${label} `]));
}

/** Draws the call tree: callers above their callees, wide as their cycles. */
function flame(calls, cycles) {
  const graph = element("flame");
  const places = [];
  const ends = [];
  let top = 0;
  let depths = 0;
  const blocks = calls.map(({ parent, name, cycles: own }, index) => {
    const left = parent === null ? top : ends[parent];
    const depth = parent === null ? 0 : places[parent] + 1;
    if (parent === null) top += own;
    else ends[parent] += own;
    places[index] = depth;
    ends[index] = left;
    depths = Math.max(depths, depth + 1);
    const text = `${name}: ${counted(own)} cycles, ${percent(own, cycles)}`;
    const block = make("button", name, { type: "button", title: text, "aria-label": text });
    block.style.left = `${(100 * left) / cycles}%`;
    block.style.width = `${(100 * own) / cycles}%`;
    block.style.top = `${depth * ROW}rem`;
    block.addEventListener("click", () => { element("flame-text").textContent = text; });
    return block;
  });
  graph.style.height = `${depths * ROW}rem`;
  graph.replaceChildren(...blocks);
}
