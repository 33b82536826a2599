// Tests of the files that the page reads and saves, and of its overlays. The command makes the expected files.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, choose, equal, folder, modelPicture, open, output, programPicture, ready, saved, swirl } from "./page.mjs";

const DEMO = "roms/src/demo";

/** Saves the open model in a format. */
async function savedModel(page, format) {
  await page.selectOption("#model-format", format);
  return saved(page, "#save-model");
}

/** The file that the command makes with words; its path is the last word. */
function made(name, ...words) {
  const path = join(mkdtempSync(join(folder, "made-")), name);
  swirl(...words, path);
  return readFileSync(path);
}

const OBJ = `mtllib paint.mtl
o box
v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1
usemtl red
f 1 2 3 4\nf 6 5 8 7\nf 2 6 7 3
usemtl blue
f 5 1 4 8\nf 4 3 7 8\nf 5 6 2 1
o roof
v 0 2 0
s 1
f 4 3 9\nf 3 7 9\nf 7 8 9\nf 8 4 9
`;
const MTL = "newmtl red\nKd 0.8 0.2 0.1\nKs 0.5 0.5 0.5\nNs 20\nnewmtl blue\nKd 0.1 0.2 0.8\nd 0.5\n";

test("scenes equal the command's pictures", async (t) => {
  const page = await open(t);
  const own = mkdtempSync(join(folder, "scene-"));
  writeFileSync(join(own, "box.obj"), OBJ);
  writeFileSync(join(own, "paint.mtl"), MTL);
  for (const name of ["shark.glb", "shark.fbx"]) swirl("convert", "roms/src/demo/shark.nj", join(own, name));
  for (const files of [["box.obj", "paint.mtl"], ["shark.glb"], ["shark.fbx"]]) {
    await t.test(files[0], async (t) => {
      await choose(page, files.map((name) => join(own, name)));
      await page.waitForFunction(() => document.body.dataset.state !== "loading");
      const message = await page.textContent("#message");
      if (/this build does not read/.test(message) && !process.env.CI) return t.skip(message);
      await ready(page, files[0]);
      await equal(page, modelPicture(join(own, files[0])));
    });
  }
});

test("saved models equal the command's files", async (t) => {
  const page = await open(t, "?example=shark&frame=5");
  await ready(page);
  const moved = ["--motion", `${DEMO}/shark.njm`, "--shape", `${DEMO}/shark.njs`];
  const sources = ["shark.nj", "shark.njm", "shark.njs"].map((name) => `${DEMO}/${name}`);
  const expected = {
    png: made("shark.png", "render", sources[0], ...moved, "--frame", "5", "-o"),
    ...Object.fromEntries(["glb", "nj", "nja"].map((format) => [format, made(`shark.${format}`, "convert", ...sources)])),
  };
  const formats = await page.locator("#model-format option").evaluateAll((list) => list.map(({ value }) => value));
  assert.deepEqual(formats, ["png", "gif", "glb", "nj", "nja"]);
  for (const [format, bytes] of Object.entries(expected)) {
    await t.test(format, async () => assert.deepEqual(await savedModel(page, format), [`shark.${format}`, bytes]));
  }
});

test("a saved animation equals the command's", async (t) => {
  const page = await open(t, "?example=arm&frame=0");
  await ready(page);
  const expected = made("arm.gif", "render", "runtime/player/tests/data/arm.nja", "--motion", "runtime/player/tests/data/spline.nam", "-o");
  assert.deepEqual(await savedModel(page, "gif"), ["arm.gif", expected]);
  // A second click stops the next one.
  await page.click("#save-model");
  await page.waitForFunction(() => document.getElementById("save-model").textContent === "Stop");
  await page.click("#save-model");
  await page.waitForFunction(() => document.getElementById("status").textContent === "The GIF is not saved.");
});

test("saved scenes equal the command's files", async (t) => {
  const page = await open(t);
  const own = mkdtempSync(join(folder, "scene-"));
  swirl("convert", ...["shark.nj", "shark.njm"].map((name) => `${DEMO}/${name}`), join(own, "shark.glb"));
  swirl("convert", join(own, "shark.glb"), join(own, "out"));
  swirl("convert", join(own, "out/shark.nj"), join(own, "out/shark.nja"));
  await choose(page, [join(own, "shark.glb")]);
  await ready(page, "shark.glb");
  const expected = { glb: made("shark.glb", "convert", join(own, "shark.glb")) };
  for (const format of ["nj", "nja", "pvm"]) expected[format] = readFileSync(join(own, `out/shark.${format}`));
  for (const [format, bytes] of Object.entries(expected)) {
    await t.test(format, async () => assert.deepEqual(await savedModel(page, format), [`shark.${format}`, bytes]));
  }
});

test("a saved picture of a program equals the command's", async (t) => {
  const page = await open(t, "?example=spin&frame=60");
  await ready(page);
  const expected = readFileSync(programPicture("roms/console/spin.elf", 60));
  assert.deepEqual(await saved(page, "#program-png"), ["spin-60.png", expected]);
});

test("overlays", async (t) => {
  const page = await open(t, "?example=shark&frame=5&show=overdraw");
  await ready(page);
  const words = ["render", `${DEMO}/shark.nj`, "--motion", `${DEMO}/shark.njm`, "--shape", `${DEMO}/shark.njs`, "--frame", "5",
    "-o", join(folder, "frame.png")];
  for (const [value, option] of [["overdraw", "--overdraw"], ["lists", "--lists"]]) {
    await page.selectOption("#show", value);
    await page.waitForFunction((text) => document.getElementById("legend").textContent.includes(text), value === "lists" ? "List" : "black none");
    const png = join(folder, `${value}.png`);
    output(...words, option, png);
    await equal(page, png);
  }
  await page.selectOption("#show", "frame");
  await page.waitForFunction(() => document.getElementById("legend").hidden);
  /** Number of pixels of the overlay that are drawn. */
  const drawn = () => page.evaluate(() => {
    const canvas = document.getElementById("overlay");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Uint32Array(data.buffer).reduce((sum, pixel) => sum + (pixel !== 0), 0);
  });
  assert.equal(await drawn(), 0);
  const changed = async (act) => {
    await act();
    await page.waitForFunction(() => {
      const canvas = document.getElementById("overlay");
      return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0);
    });
    return drawn();
  };
  const normals = await changed(() => page.check("#normals"));
  await page.uncheck("#normals");
  const node = await page.locator("#weights option").nth(1).getAttribute("value");
  const weights = await changed(() => page.selectOption("#weights", node));
  assert.ok(normals > 100 && weights > 100, `${normals}, ${weights}`);
  assert.match(await page.textContent("#legend"), /Weight of the node/);
});
