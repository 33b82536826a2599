// Tests of the page in Chromium: examples, programs, models, input, errors, accessibility. Pictures of the page are
// compared with those of the command, pixel for pixel.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import axe from "axe-core";
import { cdi, gdi, iso, rawProgram } from "./discs.mjs";
import { PAGE, ROOT, SCREENSHOTS, SWIRL, browser, choose, chooseBuffers, equal, folder, modelPicture, open, pause, programPicture,
  ready, saved, step, swirl } from "./page.mjs";

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
  const runs = async (text) => {
    await ready(page);
    await page.waitForFunction(() => document.body.dataset.vmu === "saved");
    assert.match(await page.textContent("#console"), text);
  };
  await runs(/runs 1$/m);
  await page.reload();
  await runs(/runs 2$/m);
  const [, memory] = await saved(page, "#save-vmu");
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

test("discs run as in the command", async (t) => {
  const program = rawProgram(readFileSync(join(ROOT, "roms/console/spin.elf")));
  const discs = { "disc.iso": { "disc.iso": iso(program, 0) }, "disc.cdi": { "disc.cdi": cdi(program) }, "disc.gdi": gdi(program) };
  const page = await open(t);
  for (const [name, files] of Object.entries(discs)) {
    const own = mkdtempSync(join(folder, "disc-"));
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(own, file), bytes);
    await t.test(name, async () => {
      await chooseBuffers(page, files);
      await ready(page, name);
      await pause(page);
      const frame = await page.evaluate(async () => {
        while (document.body.dataset.frame < 60) {
          const before = document.body.dataset.frame;
          document.getElementById("step").click();
          while (document.body.dataset.frame === before) await new Promise((done) => setTimeout(done, 5));
        }
        return Number(document.body.dataset.frame);
      });
      await equal(page, programPicture(join(own, name), frame));
      assert.equal(await page.locator("#main-file option").count(), 1);
    });
  }
});

test("a disc of a gigabyte runs", async (t) => {
  const program = rawProgram(readFileSync(join(ROOT, "roms/console/spin.elf")));
  const own = mkdtempSync(join(folder, "large-"));
  const files = gdi(program);
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(own, file), bytes);
  // The end of the file takes no space on the host.
  truncateSync(join(own, "track03.bin"), 500000 * 2048);
  const page = await open(t);
  await choose(page, Object.keys(files).map((name) => join(own, name)));
  await ready(page, "disc.gdi");
  await pause(page);
  const frame = await step(page);
  await equal(page, programPicture(join(own, "disc.gdi"), frame));
});

test("a disc without a track is refused", async (t) => {
  const page = await open(t);
  const files = gdi(Buffer.alloc(2048));
  delete files["track02.raw"];
  await chooseBuffers(page, files);
  await page.waitForFunction(() => document.body.dataset.state === "error");
  assert.equal(await page.textContent("#message"), "track02.raw: no such file");
});

test("a broken rule is reported with function and line", async (t) => {
  const page = await open(t, "?example=check&frame=60");
  await ready(page);
  const reports = await page.textContent("#findings");
  assert.match(reports, /dma-dirty-line/);
  assert.match(reports, /To mend: /);
  const words = ["run", "roms/checks/dma_dirty_line.elf", "--frames", "60", "--check", "all", "--json"];
  const [report] = JSON.parse(execFileSync(SWIRL, words, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] })).checks.reports;
  const { symbol, file, line, address } = report.place;
  const place = file ? `${symbol}, ${file}:${line}` : symbol;
  assert.equal(await page.locator("#findings .place").first().textContent(), place);
  // The place leads to its code.
  await page.locator("#findings .place").first().click();
  await page.waitForFunction((address) => document.getElementById("code").textContent.includes(address), address);
});

test("the code at PC equals the command's disassembly", async (t) => {
  const page = await open(t, "?example=spin&frame=30");
  await ready(page);
  await page.click("#code-panel summary");
  await page.waitForFunction(() => document.querySelectorAll("#code mark").length === 1);
  await page.fill("#code-place", "start_video");
  await page.press("#code-place", "Enter");
  await page.waitForFunction(() => /^_?start_video:/.test(document.getElementById("code").textContent));
  const shown = await page.textContent("#code");
  const expected = execFileSync(SWIRL, ["disasm", "roms/console/spin.elf", "--symbol", "start_video"], { cwd: ROOT, encoding: "utf8" });
  const instructions = (text) => text.split("\n").filter((line) => /^[0-9a-f]{8} {2}/.test(line));
  assert.ok(instructions(expected).length > 10);
  assert.deepEqual(instructions(shown), instructions(expected));
  await page.fill("#code-place", "no_such_function");
  await page.press("#code-place", "Enter");
  await page.waitForFunction(() => document.getElementById("message").textContent.includes("no_such_function"));
});

test("a profile of sixty frames", async (t) => {
  const page = await open(t, "?example=demo&profile=on&frame=60");
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#bars > div").length >= 59);
  assert.match(await page.textContent("#profile-summary"), /work of [\d,]+ cycles a frame/);
  assert.ok(await page.locator("#functions tr").count() > 5);
  const widths = await page.evaluate(() => [...document.querySelectorAll("#flame button")]
    .filter((block) => block.style.top === "0rem").map((block) => parseFloat(block.style.width)));
  const sum = widths.reduce((all, width) => all + width, 0);
  assert.ok(sum > 50 && sum < 100.1, `${sum} %`);
  await page.locator("#flame button").first().click();
  assert.match(await page.textContent("#flame-text"), /cycles, [\d.]+ %/);
});

test("a kernel shows code, cycles and inputs, and is verified", async (t) => {
  const page = await open(t, "?kernel=transform_points&seed=1");
  await ready(page);
  const profile = JSON.parse(execFileSync(SWIRL, ["profile", "transform_points", "--json"], { cwd: ROOT }));
  assert.equal(Number(await page.getAttribute("body", "data-cycles")), profile.cycles);
  assert.match(await page.textContent("#status"), /output words equal the reference's/);
  assert.match(await page.textContent("#kernel-code"), /ftrv/);
  assert.match(await page.textContent("#timeline"), /ftrv/);
  const cycles = await page.getAttribute("body", "data-cycles");
  await page.selectOption("#caches", "warm");
  await page.waitForFunction((cycles) => Number(document.body.dataset.cycles) < Number(cycles), cycles);
  const input = page.locator("#arguments textarea").first();
  const words = (await input.inputValue()).split(" ");
  await input.fill(["40000000", ...words.slice(1)].join(" "));
  // The reply replaces the text areas.
  await input.evaluate((area) => { area.dataset.old = "true"; });
  await page.click("#call-kernel");
  await page.waitForFunction(() => {
    const area = document.querySelector("#arguments textarea");
    return !area.dataset.old && area.value.startsWith("40000000");
  });
  await input.fill("4");
  await page.click("#call-kernel");
  await page.waitForFunction(() => /found 1 words, expected/.test(document.getElementById("message").textContent));
  await page.fill("#cases", "20");
  await page.click("#verify-kernel");
  await page.waitForFunction(() => /20 cases, 0 mismatches/.test(document.getElementById("status").textContent));
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
  const recording = (await saved(page, "#save-input"))[1].toString();
  for (const line of [/a press start/, /a release start/, /a press a$/m, /a stick 255 128/]) assert.match(recording, line);
});

test("saved input and a saved visual memory are loaded again", async (t) => {
  const page = await open(t, "?example=saves&frame=30");
  await ready(page);
  const [name, memory] = await saved(page, "#save-vmu");
  assert.equal(name, "saves.vmu");
  const give = (name, buffer) => page.setInputFiles("#files", { name, mimeType: "application/octet-stream", buffer });
  memory.writeUInt32LE(41, 100 * 512 + 4);
  await give(name, memory);
  await page.waitForFunction(() => /^runs 42$/m.test(document.getElementById("console").textContent));
  await give("short.vmu", memory.subarray(1));
  await page.waitForFunction(() => /short.vmu: found 131071 bytes/.test(document.getElementById("message").textContent));
  const program = "roms/console/menu.elf";
  await choose(page, [program]);
  await ready(page, "menu.elf");
  const script = join(folder, "menu.input");
  writeFileSync(script, "5 a press down\n8 a release down\n");
  await page.setInputFiles("#files", script);
  await page.waitForFunction(() => Number(document.body.dataset.frame) > 12 && Number(document.body.dataset.frame) < 1000);
  await pause(page);
  const frame = await step(page);
  await equal(page, programPicture(program, frame, "--input", script));
  assert.notDeepEqual(readFileSync(programPicture(program, frame, "--input", script)), readFileSync(programPicture(program, frame)));
  await give("broken.input", Buffer.from("5 a push a\n"));
  await page.waitForFunction(() => /^input: /.test(document.getElementById("message").textContent));
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
    for (const query of ["?example=check&frame=30", "?example=spin&profile=on&frame=60", "?kernel=transform_points"]) {
      await page.goto(PAGE + query);
      await ready(page);
      await check();
    }
  }
});

for (const [name, width, height, query, colorScheme] of [
  ["wide", 1440, 900, "?example=shark&frame=12", "light"],
  ["tablet", 820, 1100, "?example=check&frame=60", "dark"],
  ["phone", 360, 760, "?example=demo&frame=60", "light"],
  ["profile", 1440, 900, "?example=demo&profile=on&frame=60", "dark"],
  ["kernel", 360, 760, "?kernel=transform_points", "light"],
  ["kernel-wide", 1440, 900, "?kernel=transform_points", "dark"],
]) {
  test(`no sideways scrolling at ${width} pixels`, async (t) => {
    const page = await open(t, query, { viewport: { width, height }, colorScheme });
    await ready(page);
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: name !== "wide" });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], widths.join(" > "));
  });
}
