// Tests of the page in Chromium. `harness/web/test.sh` builds what they need and starts them.
//
// SWIRL_PAGE is the page's address, SWIRL the command. Pictures of the page are compared with those of the
// command, pixel for pixel.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "../../..");
const PAGE = process.env.SWIRL_PAGE;
const SWIRL = process.env.SWIRL;
const SCREENSHOTS = join(ROOT, "target/page-screenshots");
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];

let browser;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "swirl-page-"));
  mkdirSync(SCREENSHOTS, { recursive: true });
  const chosen = process.env.SWIRL_BROWSER;
  for (const executablePath of chosen ? [chosen] : BROWSERS) {
    try {
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
      return;
    } catch (error) {
      if (!String(error).includes("ENOENT") && !String(error).includes("exist")) throw error;
    }
  }
  throw new Error(`found no browser, expected one of ${BROWSERS.join(", ")} or SWIRL_BROWSER`);
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the page; the test fails on an error in its console and on a request to another host. */
async function open(t, query = "", options = {}) {
  const context = options.context ?? await browser.newContext(options);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(PAGE) && !/^(data|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  t.after(async () => {
    if (!options.context) await context.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(PAGE + query);
  await loaded(page);
  return page;
}

const loaded = (page) => page.waitForFunction(() => document.body.dataset.state !== "loading", null, { timeout: 60000 });

/** Waits until a file is shown: `file`, or any. */
async function ready(page, file = "") {
  const state = await (await page.waitForFunction((file) => {
    const { state, file: shown } = document.body.dataset;
    const opened = state === "ready" && (file ? shown === file : shown);
    return (opened || state === "error") && [state, document.getElementById("message").textContent];
  }, file, { timeout: 60000 })).jsonValue();
  assert.deepEqual(state, ["ready", ""]);
}

/** Opens files by the page's button. */
async function choose(page, paths) {
  await page.evaluate(() => {
    document.body.dataset.state = "loading";
    delete document.body.dataset.file;
  });
  await page.setInputFiles("#files", paths.map((path) => resolve(ROOT, path)));
}

/** Number of pixels of the canvas that differ from a PNG, and the sizes of both. */
async function compare(page, png) {
  const url = `data:image/png;base64,${readFileSync(png).toString("base64")}`;
  return page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const expected = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = expected.getContext("2d");
    context.drawImage(image, 0, 0);
    const canvas = document.getElementById("canvas");
    const size = [canvas.width, canvas.height];
    if (size[0] !== image.width || size[1] !== image.height) return { size, expected: [image.width, image.height] };
    const pixels = (of) => new Uint32Array(of.getImageData(0, 0, ...size).data.buffer);
    const [a, b] = [pixels(canvas.getContext("2d")), pixels(context)];
    return { colours: new Set(b).size > 1, different: a.reduce((sum, pixel, at) => sum + (pixel !== b[at]), 0) };
  }, url);
}

async function equal(page, png) {
  assert.deepEqual(await compare(page, png), { colours: true, different: 0 });
}

const swirl = (...words) => execFileSync(SWIRL, words, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });

/** Picture of a frame of a program. */
function programPicture(program, frame) {
  const png = join(folder, `frame-${frame}.png`);
  swirl("run", program, "--frames", String(frame), "--screenshot", `${frame}=${png}`);
  return png;
}

function modelPicture(...words) {
  const png = join(folder, "model.png");
  swirl("render", ...words, "-o", png);
  return png;
}

test("each example opens", async (t) => {
  const page = await open(t);
  const examples = JSON.parse(readFileSync(join(ROOT, "harness/web/page/examples.json")));
  assert.ok(examples.length >= 8);
  for (const { name, files } of examples) {
    await page.click(`[data-example=${name}]`);
    await ready(page, files[0].replace(/^.*\//, ""));
  }
});

for (const [name, frame, program] of [["demo", 7, "roms/demo.elf"], ["spin", 60, "roms/console/spin.elf"]]) {
  test(`frame ${frame} of ${name} equals the command's picture`, async (t) => {
    const page = await open(t, `?example=${name}&frame=${frame}`);
    await ready(page);
    assert.equal(await page.getAttribute("body", "data-frame"), String(frame));
    await equal(page, programPicture(program, frame));
  });
}

test("a step is one frame", async (t) => {
  const page = await open(t, "?example=spin&frame=59");
  await ready(page);
  await page.click("#step");
  await page.waitForFunction(() => document.body.dataset.frame === "60");
  await equal(page, programPicture("roms/console/spin.elf", 60));
});

const SCENES = "tests/data/scene";
const MODELS = [
  ["roms/src/demo/shark.nj", "roms/src/demo/skin.pvr"],
  ["roms/src/demo/swirl.spj", "roms/src/demo/swirl.pvr"],
  ["roms/src/demo/sand.pvr"],
  ["runtime/player/tests/data/arm.nja"],
  ...["blending", "environment", "light_spot", "shadow_translucent", "trilinear", "volumes", "rotate_base"]
    .map((name) => [`${SCENES}/${name}/${name === "volumes" ? "strip" : "model"}.nja`]),
  [`${SCENES}/cells_palette4/sprite.spa`, `${SCENES}/cells_palette4/index.pvr`, `${SCENES}/cells_palette4/sprite.pvp`],
];

test("models equal the command's pictures", async (t) => {
  const page = await open(t);
  assert.ok(MODELS.length >= 10);
  for (const files of MODELS) {
    // The command looks for textures in the model's folder: only these files are there.
    const own = mkdtempSync(join(folder, "model-"));
    const copies = files.map((path) => {
      const copy = join(own, path.replace(/^.*\//, ""));
      writeFileSync(copy, readFileSync(join(ROOT, path)));
      return copy;
    });
    await choose(page, copies);
    await ready(page);
    await t.test(files[0], async () => equal(page, modelPicture(copies[0])));
  }
});

test("scrubbing a motion with shapes", async (t) => {
  const page = await open(t, "?example=shark&frame=10");
  await ready(page);
  const demo = "roms/src/demo";
  const picture = (frame) => modelPicture(`${demo}/shark.nj`, "--motion", `${demo}/shark.njm`, "--shape",
    `${demo}/shark.njs`, "--frame", String(frame));
  await equal(page, picture(10));
  await page.focus("#canvas");
  await page.keyboard.press(".");
  await page.waitForFunction(() => document.body.dataset.frame === "11");
  await equal(page, picture(11));
});

test("the camera turns, and a reset brings it back", async (t) => {
  const page = await open(t, "?example=shark&frame=0");
  await ready(page);
  const picture = () => page.evaluate(() => document.getElementById("canvas").toDataURL());
  const first = await picture();
  const changed = (from) => page.waitForFunction((from) => document.getElementById("canvas").toDataURL() !== from, from);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 120, { steps: 3 });
  await page.mouse.up();
  await changed(first);
  await page.mouse.wheel(0, 100);
  await page.click("#reset-view");
  await page.waitForFunction((first) => document.getElementById("canvas").toDataURL() === first, first);
  await page.locator("#nodes input").nth(2).uncheck();
  await changed(first);
});

test("files are dropped", async (t) => {
  const page = await open(t);
  const files = ["shark.nj", "skin.pvr"].map((name) => [name, readFileSync(join(ROOT, "roms/src/demo", name)).toString("base64")]);
  await page.evaluate(async (files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    document.body.dataset.state = "loading";
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
  }, files);
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#textures canvas").length === 1);
  assert.ok(await page.locator("#nodes li").count() > 1);
});

test("a broken file gives an error, and the page goes on", async (t) => {
  const page = await open(t);
  for (const [name, bytes] of [
    ["cut.nj", readFileSync(join(ROOT, "roms/src/demo/shark.nj")).subarray(0, 5000)],
    ["cut.elf", readFileSync(join(ROOT, "roms/demo.elf")).subarray(0, 40)],
    ["words.txt", Buffer.from("some words\n")],
    ["empty.nj", Buffer.from("")],
  ]) {
    await page.evaluate(() => { document.body.dataset.state = "loading"; });
    await page.setInputFiles("#files", { name, mimeType: "application/octet-stream", buffer: bytes });
    await page.waitForFunction(() => document.body.dataset.state === "error");
    const message = await page.textContent("#message");
    assert.match(message, new RegExp(name.replace(".", "\\.")));
    assert.doesNotMatch(message, /defect/);
  }
  await choose(page, ["runtime/player/tests/data/arm.nja"]);
  await ready(page);
  await page.click("[data-example=spin]");
  await page.waitForFunction(() => Number(document.body.dataset.frame) > 2 && document.body.dataset.mode === "program");
  assert.equal(await page.isVisible("#message"), false);
});

test("a file of 200 MB is refused before it is read", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(200e6)], "large.nj"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
  });
  await page.waitForFunction(() => document.body.dataset.state === "error");
  assert.equal(await page.textContent("#message"), "large.nj: found 200 MB in the file, expected at most 128 MiB");
  await page.click("[data-example=arm]");
  await page.waitForFunction(() => document.body.dataset.state === "ready");
});

test("a visual memory survives a reload", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await open(t, "?example=saves", { context });
  const saved = async (text) => {
    await ready(page);
    await page.waitForFunction(() => document.body.dataset.vmu === "saved");
    assert.match(await page.textContent("#console"), text);
  };
  await saved(/runs 1$/m);
  await page.reload();
  await saved(/runs 2$/m);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-vmu")]);
  const memory = readFileSync(await download.path());
  assert.equal(memory.length, 128 * 1024);
  assert.equal(memory.readUInt32LE(100 * 512 + 4), 2);
});

test("console text and the end of a program", async (t) => {
  const page = await open(t, "?example=text&frame=60");
  await ready(page);
  assert.match(await page.textContent("#console"), /\S/);
  const text = execFileSync(SWIRL, ["run", "roms/console/scif.elf", "--frames", "60", "--json"], { cwd: ROOT });
  assert.equal(await page.textContent("#console"), JSON.parse(text).console);
});

test("a broken rule is reported with its function", async (t) => {
  const page = await open(t, "?example=check&frame=60");
  await ready(page);
  const reports = await page.textContent("#findings");
  assert.match(reports, /dma-dirty-line/);
  assert.match(reports, /To mend: /);
});

test("keys, a gamepad and touch reach the controller", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const buttons = Array.from({ length: 16 }, () => ({ pressed: false, value: 0 }));
    globalThis.pad = { connected: true, buttons, axes: [0, 0, 0, 0] };
    navigator.getGamepads = () => [globalThis.pad];
  });
  await page.click("[data-example=spin]");
  const runs = (frames) => page.evaluate(async (frames) => {
    const first = Number(document.body.dataset.frame);
    while (Number(document.body.dataset.frame) < first + frames) await new Promise(requestAnimationFrame);
  }, frames);
  await page.waitForFunction(() => Number(document.body.dataset.frame) > 2);
  await page.focus("#canvas");
  await page.keyboard.down("Enter");
  await runs(3);
  await page.keyboard.up("Enter");
  await runs(3);
  await page.evaluate(() => Object.assign(globalThis.pad.buttons[0], { pressed: true, value: 1 }));
  await runs(3);
  await page.evaluate(() => { globalThis.pad.axes[0] = 1; });
  await runs(3);
  const touched = page.locator("#pad button", { hasText: "Y" });
  await touched.dispatchEvent("pointerdown", { pointerId: 1 }).catch(() => {});
  await runs(3);
  await page.click("#pause");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-input")]);
  const recording = readFileSync(await download.path(), "utf8");
  for (const line of [/a press start/, /a release start/, /a press a$/m, /a stick 255 128/]) assert.match(recording, line);
});

test("no violations of accessibility rules", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(t, "?example=shark&frame=3", { colorScheme });
    await ready(page);
    const check = async () => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]), []);
    };
    await check();
    await page.goto(`${PAGE}?example=check&frame=30`);
    await ready(page);
    await check();
  }
});

for (const [name, width, height, query, colorScheme] of [
  ["wide", 1440, 900, "?example=shark&frame=12", "light"],
  ["tablet", 820, 1100, "?example=check&frame=60", "dark"],
  ["phone", 360, 760, "?example=demo&frame=60", "light"],
]) {
  test(`no sideways scrolling at ${width} pixels`, async (t) => {
    const page = await open(t, query, { viewport: { width, height }, colorScheme });
    await ready(page);
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: name !== "wide" });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], widths.join(" > "));
  });
}
