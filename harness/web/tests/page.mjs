// Functions that the tests of the page share. `harness/web/test.sh` builds what the tests need and starts them.
//
// SWIRL_PAGE is the page's address, SWIRL the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

export const ROOT = resolve(import.meta.dirname, "../../..");
export const PAGE = process.env.SWIRL_PAGE;
export const SWIRL = process.env.SWIRL;
export const SCREENSHOTS = join(ROOT, "target/page-screenshots");
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];

export let browser;
/** Temporary folder of the tests. */
export let folder;

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
export async function open(t, query = "", options = {}) {
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

export const loaded = (page) => page.waitForFunction(() => document.body.dataset.state !== "loading", null, { timeout: 60000 });

/** Waits until a file is shown: `file`, or any. */
export async function ready(page, file = "") {
  const state = await (await page.waitForFunction((file) => {
    const { state, file: shown } = document.body.dataset;
    const opened = state === "ready" && (file ? shown === file : shown);
    return (opened || state === "error") && [state, document.getElementById("message").textContent];
  }, file, { timeout: 60000 })).jsonValue();
  assert.deepEqual(state, ["ready", ""]);
}

/** Opens files by the page's button. */
export async function choose(page, paths) {
  await page.evaluate(() => {
    document.body.dataset.state = "loading";
    delete document.body.dataset.file;
  });
  await page.setInputFiles("#files", paths.map((path) => resolve(ROOT, path)));
}

/** Number of pixels of the canvas that differ from a PNG, and the sizes of both. */
export async function compare(page, png) {
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

export async function equal(page, png) {
  assert.deepEqual(await compare(page, png), { colours: true, different: 0 });
}

export const swirl = (...words) => execFileSync(SWIRL, words, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });

/** Picture of a frame of a program. */
export function programPicture(program, frame, ...options) {
  const png = join(folder, `frame-${frame}.png`);
  swirl("run", program, ...options, "--frames", String(frame), "--screenshot", `${frame}=${png}`);
  return png;
}

export function modelPicture(...words) {
  const png = join(folder, "model.png");
  swirl("render", ...words, "-o", png);
  return png;
}

/** Opens files of the tests' own making by the page's button. */
export async function chooseBuffers(page, files) {
  await page.evaluate(() => {
    document.body.dataset.state = "loading";
    delete document.body.dataset.file;
  });
  const named = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: "application/octet-stream", buffer }));
  await page.setInputFiles("#files", named);
}

/** Output of the command. */
export const output = (...words) => execFileSync(SWIRL, words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Clicks a button and returns the name and the bytes of the file that the page saves. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120000 }), page.click(selector)]);
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

/** Pauses the program. */
export async function pause(page) {
  await page.click("#pause");
  await page.waitForFunction(() => document.getElementById("pause").getAttribute("aria-pressed") === "true");
}

/** Runs one frame of the paused program and returns its number. */
export async function step(page) {
  // A frame that was running at the pause ends first.
  await page.waitForTimeout(200);
  const frame = Number(await page.getAttribute("body", "data-frame")) + 1;
  await page.click("#step");
  await page.waitForFunction((frame) => Number(document.body.dataset.frame) === frame, frame);
  return frame;
}
