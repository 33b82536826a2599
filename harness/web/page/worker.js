// A worker with its own module. Requests arrive in order, each with a number.

import { Swirl } from "./swirl.js";

const loading = Swirl.load(new URL("swirl.wasm", import.meta.url));

addEventListener("message", async ({ data: { number, request, data } }) => {
  let answer;
  try {
    answer = (await loading).perform(request, data);
  } catch (error) {
    answer = { error: error.message, defect: true };
  }
  postMessage({ number, ...answer }, answer.data ? [answer.data.buffer] : []);
});
