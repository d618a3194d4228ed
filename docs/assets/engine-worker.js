// The engine in a worker of its own: Python, started from our own origin, behind one question port.
// Takes `{id, request}`, answers `{id, answer}` or `{id, fault}`; says `{state}` when it has started.

import { boot } from "./boot.js";

const booted = boot(new URL("./pyodide/", import.meta.url));
booted.then(
  ({ way }) => postMessage({ state: "ready", way }),
  (error) => postMessage({ state: "failed", reason: String(error) }),
);

addEventListener("message", async (event) => {
  const { id, request } = event.data;
  try {
    const { dispatch } = await booted;
    postMessage({ id, answer: dispatch(request) });
  } catch (error) {
    postMessage({ id, fault: String(error) });
  }
});
