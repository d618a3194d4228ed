// The engine in a worker of its own: Python, started from our own origin, behind one question port.
// Takes `{id, request}`, answers `{id, answer}` or `{id, fault}`. Says `{state}` when it has started, and
// when it has to start once more: "ready", "failed", "again".

import { boot, bootPlain } from "./boot.js";

const folder = new URL("./pyodide/", import.meta.url);
let started = boot(folder);
started.then(
  ({ way }) => postMessage({ state: "ready", way }),
  (error) => postMessage({ state: "failed", reason: String(error) }),
);

/** @param {string} request */
async function answer(request) {
  const { dispatch, way } = await started;
  try {
    return dispatch(request);
  } catch (error) {
    if (way === "plain") throw error;
    // The question needs something of Python that the build left out: it is asked again with all of it.
    postMessage({ state: "again" });
    started = bootPlain(folder, error);
    return (await started).dispatch(request);
  }
}

addEventListener("message", async (event) => {
  const { id, request } = event.data;
  try {
    postMessage({ id, answer: await answer(request) });
  } catch (error) {
    postMessage({ id, fault: String(error) });
  }
});
