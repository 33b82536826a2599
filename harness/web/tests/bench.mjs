// Speed of the page in Chromium: `SWIRL_PAGE=http://127.0.0.1:8000/ node harness/web/tests/bench.mjs`.

import { chromium } from "playwright-core";

const PAGE = process.env.SWIRL_PAGE ?? "http://127.0.0.1:8000/";
const SECONDS = 8;

const executablePath = process.env.SWIRL_BROWSER ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const example of ["demo", "spin", "crowd"]) {
  const page = await browser.newPage();
  const begin = performance.now();
  await page.goto(`${PAGE}?example=${example}`);
  await page.waitForFunction(() => document.body.dataset.state === "ready");
  const first = performance.now() - begin;
  await page.selectOption("#speed", "0");
  await page.waitForTimeout(SECONDS * 1000);
  console.log(`${example}: first picture ${first.toFixed(0)} ms; ${await page.textContent("#status")}`);
  await page.close();
}
await browser.close();
