// The page: opens files and examples, and shows models or programs.

import { Engine, Failure, MOST_BYTES, sliced } from "./engine.js";
import { Kernels } from "./kernels.js";
import { Models } from "./models.js";
import { element, make, parameters, showError, showStatus } from "./page.js";
import { Programs } from "./programs.js";

const engine = new Engine();
const models = new Models(engine);
const programs = new Programs(engine);
const kernels = new Kernels(engine);
/** Number of openings. An opening stops when a newer one begins. */
let opening = 0;

function mode(name) {
  document.body.dataset.mode = name;
  document.body.classList.add("opened");
  element("model-controls").hidden = name !== "model";
  for (const id of ["program-controls", "pad"]) element(id).hidden = name !== "program";
  element("kernel-controls").hidden = name !== "kernel";
  for (const id of ["screen", "keys"]) element(id).hidden = name === "kernel";
  for (const panel of document.querySelectorAll("#panels > details")) panel.hidden = true;
}

const shown = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${Math.round(bytes / 1e6)} MB`);

/** Opens files: pairs of a name and a blob. Saved input and visual memories go to the open program. */
async function open(files, main = null) {
  if (programs.isOpen && files.length > 0 && files.every(({ name }) => /\.(input|vmu)$/i.test(name))) {
    return programs.attach(files);
  }
  const own = ++opening;
  document.body.dataset.state = "loading";
  delete document.body.dataset.file;
  try {
    if (files.length === 0) throw new Failure("found no files");
    const discs = sliced(files).all;
    const kept = files.filter(({ name }) => !discs.has(name));
    const bytes = kept.reduce((sum, { blob }) => sum + blob.size, 0);
    if (bytes > MOST_BYTES) {
      const largest = kept.reduce((a, b) => (a.blob.size > b.blob.size ? a : b));
      throw new Failure(`${largest.name}: found ${shown(bytes)} in ${kept.length === 1 ? "the file" : "all files together"}, `
        + `expected at most ${MOST_BYTES / 2 ** 20} MiB`);
    }
    showStatus(`Reading ${files.length === 1 ? files[0].name : `${files.length} files`}…`);
    models.close();
    programs.close();
    const infos = await engine.load(files);
    if (own === opening) await show(infos, main ?? chosen(infos), own);
  } catch (error) {
    if (own !== opening) return;
    showError(error.message);
    showStatus("Open another file or an example.");
    if (!(error instanceof Failure)) console.error(error);
  }
}

/** Returns the file to open from a set of files. */
function chosen(infos) {
  const roles = ["disc", "program", "model", "texture", "motion"];
  const found = roles.map((wanted) => infos.find(({ role }) => role === wanted)).find(Boolean);
  return (found ?? infos[0]).name;
}

async function show(infos, main, own) {
  const list = element("main-file");
  const openable = infos.filter(({ role, name }) => !["other", "track"].includes(role) || name === main);
  list.replaceChildren(...openable.map((info) => make("option", info.name, { value: info.name })));
  list.value = main;
  list.onchange = () => again(infos, list.value);
  element("chosen").hidden = openable.length < 2;
  const { role } = infos.find((info) => info.name === main);
  if (role === "program" || role === "disc") {
    mode("program");
    const frame = parameters().get("frame");
    await programs.open(main, frame === null ? null : Number(frame));
  } else {
    mode("model");
    await models.open(infos, main);
  }
  if (own !== opening) return;
  document.title = `${main} – swirl`;
  document.body.dataset.file = main;
}

async function again(infos, main) {
  const own = ++opening;
  models.close();
  programs.close();
  try {
    await show(infos, main, own);
  } catch (error) {
    if (own === opening) showError(error.message);
  }
}

/** Dropped files, including files in dropped folders. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files].map((blob) => ({ name: blob.name, blob }));
  const files = [];
  const walk = async (entry, folder) => {
    if (entry.isFile) {
      const blob = await new Promise((resolve, reject) => entry.file(resolve, reject));
      files.push({ name: folder + entry.name, blob });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const inner of some) await walk(inner, `${folder}${entry.name}/`);
    }
  };
  for (const entry of entries) await walk(entry, "");
  return files;
}

async function openExample({ name, files, checks }) {
  try {
    showStatus("Loading the example…");
    element("checks").checked = Boolean(checks) || parameters().get("checks") === "all";
    element("profile").checked = parameters().get("profile") === "on";
    const loaded = await Promise.all(files.map(async (path) => {
      const file = path.replace(/^.*\//, "");
      const response = await fetch(`examples/${name}/${file}`);
      if (!response.ok) throw new Failure(`examples/${name}/${file}: ${response.status} ${response.statusText}`);
      return { name: file, blob: await response.blob() };
    }));
    await open(loaded, loaded[0].name);
  } catch (error) {
    showError(error.message);
  }
}

async function openKernel(name) {
  const own = ++opening;
  document.body.dataset.state = "loading";
  try {
    models.close();
    programs.close();
    mode("kernel");
    await kernels.open(name);
    if (own !== opening) return;
    document.title = `${name} – swirl`;
    document.body.dataset.file = name;
  } catch (error) {
    if (own === opening) showError(error.message);
  }
}

function forgetState() {
  history.replaceState(null, "", location.pathname);
}

async function start() {
  for (const id of ["files", "folder"]) {
    element(id).addEventListener("change", (event) => {
      const files = [...event.target.files].map((blob) => ({ name: blob.webkitRelativePath || blob.name, blob }));
      event.target.value = "";
      forgetState();
      open(files);
    });
  }
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  for (const name of ["dragleave", "drop"]) {
    addEventListener(name, () => document.body.classList.remove("dropping"));
  }
  addEventListener("drop", async (event) => {
    event.preventDefault();
    forgetState();
    open(await dropped(event.dataTransfer));
  });
  theme();
  const examples = await (await fetch("examples.json")).json();
  element("examples").replaceChildren(...examples.map((example) => {
    const item = make("li");
    const button = make("button", example.title, { type: "button", "data-example": example.name });
    button.addEventListener("click", () => {
      history.replaceState(null, "", `?example=${example.name}`);
      openExample(example);
    });
    item.append(button);
    return item;
  }));
  element("open-kernel").addEventListener("click", () => {
    const name = element("kernel").value;
    history.replaceState(null, "", `?kernel=${name}`);
    openKernel(name);
  });
  const kernel = parameters().get("kernel");
  const listed = kernels.list().then(() => {
    if (kernel) element("kernel").value = kernel;
  });
  listed.catch((error) => showError(error.message));
  if (kernel) return openKernel(kernel);
  const wanted = parameters().get("example");
  const example = examples.find(({ name }) => name === wanted);
  if (example) await openExample(example);
  else if (wanted) showError(`example: found ${wanted}, expected one of ${examples.map(({ name }) => name).join(", ")}`);
  else document.body.dataset.state = "ready";
}

function theme() {
  const names = { "": "automatic", light: "light", dark: "dark" };
  const order = Object.keys(names);
  const stored = () => {
    try {
      return localStorage.getItem("theme") ?? "";
    } catch {
      return "";
    }
  };
  const apply = (name) => {
    document.documentElement.dataset.theme = name;
    element("theme").textContent = `Theme: ${names[name] ?? names[""]}`;
  };
  apply(stored());
  element("theme").addEventListener("click", () => {
    const next = order[(order.indexOf(document.documentElement.dataset.theme) + 1) % order.length];
    apply(next);
    try {
      localStorage.setItem("theme", next);
    } catch {
      // Without storage the choice is lost when the page closes.
    }
  });
}

start().catch((error) => showError(error.message));
