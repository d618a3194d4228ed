// Python started from its files, as Pyodide does it: slower, and nothing is left out.

import { loadPyodide } from "pyodide";

/** @typedef {import("./restore.mjs").Dispatch} Dispatch */

const ENGINE = "card-rules-engine";
const WASM = "pyodide.asm.wasm";
const CORE = [WASM, "pyodide.asm.js", "python_stdlib.zip"];

/**
 * @param {URL} folder where the runtime stands
 * @param {Record<string, string>} hashes of its files, by their names
 * @returns {Promise<Dispatch>}
 */
export async function startFromFiles(folder, hashes) {
  // Nothing is used that is not what was built; and Pyodide waits for ever for a wasm file that is not
  // there. It takes the other files from the browser's cache.
  /** @param {string} name */
  const get = async (name) => {
    const response = await fetch(new URL(name, folder), { integrity: hashes[name] });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response.arrayBuffer();
  };
  const [wasm] = await Promise.all(CORE.map(get));
  const module = await WebAssembly.compile(wasm);
  const pyodide = await withModule(module, () => loadPyodide({ indexURL: folder.href }));
  await pyodide.loadPackage(ENGINE, { messageCallback: () => {}, errorCallback: () => {} });
  return pyodide.pyimport("engine.api").dispatch;
}

/**
 * Has Pyodide take the module that we compiled, while `act` runs, instead of fetching its own.
 * @template T
 * @param {WebAssembly.Module} module
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
async function withModule(module, act) {
  const { fetch: fetching } = globalThis;
  const { instantiateStreaming } = WebAssembly;
  globalThis.fetch = async (target, options) =>
    String(target).endsWith(WASM) ? new Response() : fetching(target, options);
  WebAssembly.instantiateStreaming = async (_, imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
  try {
    return await act();
  } finally {
    globalThis.fetch = fetching;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
