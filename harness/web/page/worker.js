// A worker with its own module. Requests arrive in order, each with a number.

import { Swirl } from "./swirl.js";

const loading = Swirl.load(new URL("swirl.wasm", import.meta.url));

addEventListener("message", async ({ data: { number, request, data, blob } }) => {
  let answer;
  try {
    const swirl = await loading;
    if (request.request === "clear") swirl.forget();
    if (blob) swirl.keep(request.number, blob);
    answer = swirl.perform(request, data);
  } catch (error) {
    answer = { error: error.message, defect: true };
  }
  postMessage({ number, ...answer }, answer.data ? [answer.data.buffer] : []);
});
