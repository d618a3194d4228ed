// Starting Python with the engine inside. The quick way restores a memory snapshot that the build
// made (macros/snapshot.py); where that fails, Python starts from its files, the slow way.

import { loadPyodide } from "pyodide";
import { Snapshot } from "./snapshot.js";

/** @typedef {(request: string) => string} Dispatch */
/** @typedef {import("./snapshot.js").Manifest} Manifest */

const ENGINE = "card-rules-engine";
const WASM = "pyodide.asm.wasm";
const SNAPSHOT = "engine.snapshot.zst";
const STDLIB = "empty.zip";
/** A zip file without files. All that the engine needs of the standard library is in the snapshot. */
const EMPTY_ZIP = new Uint8Array(22);
EMPTY_ZIP.set([80, 75, 5, 6]);

/**
 * Starts the engine: its one function, and the way it was started.
 * @param {URL} folder where the runtime stands
 * @returns {Promise<{dispatch: Dispatch, way: "snapshot" | "plain"}>}
 */
export async function boot(folder) {
  try {
    return { dispatch: await restore(folder), way: "snapshot" };
  } catch (error) {
    console.info(`The snapshot cannot be used (${error}); starting Python from its files.`);
  }
  return { dispatch: await startFromFiles(folder), way: "plain" };
}

/**
 * @param {URL} folder
 * @returns {Promise<Dispatch>}
 */
async function restore(folder) {
  // Everything is fetched at once; nothing is used before its hash is found right.
  /** @type {Promise<Manifest>} */
  const manifest = get(folder, "engine.json").then((response) => response.json());
  /** @param {string} name */
  const checked = async (name) => {
    const bytes = await (await get(folder, name)).arrayBuffer();
    await check(name, bytes, (await manifest).files[name]);
    return bytes;
  };
  // The module is compiled as it comes in, but made use of only when it is found right.
  const source = get(folder, WASM);
  const compiling = source.then((response) => WebAssembly.compileStreaming(response.clone()));
  const wasm = source.then(async (response) => {
    const bytes = await response.arrayBuffer();
    await check(WASM, bytes, (await manifest).files[WASM]);
    return bytes;
  });
  const compiled = wasm.then((bytes) => compiling.catch(() => WebAssembly.compile(bytes)));
  const packed = checked(SNAPSHOT);
  const ready = Promise.all([compiled, packed]).then(([module]) => module);
  // What fails is told by the first await that meets it.
  for (const promise of [compiling, ready]) promise.catch(() => {});

  await checked("pyodide.asm.js");
  await import(new URL("pyodide.asm.js", folder).href);
  const snapshot = new Snapshot(await manifest);
  const act = async () => {
    const pyodide = await loadPyodide({
      indexURL: folder.href,
      stdLibURL: new URL(STDLIB, folder).href,
      lockFileContents: { info: snapshot.manifest.lock, packages: {} },
      _loadSnapshot: snapshot.standIn,
    });
    return pyodide.globals.get("dispatch");
  };
  return withModule(ready, act, async (memory) =>
    snapshot.provide(memory, await packed, await wasm),
  );
}

/**
 * @param {URL} folder
 * @param {string} name
 */
async function get(folder, name) {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/**
 * @param {string} name
 * @param {ArrayBuffer} bytes
 * @param {string} integrity as in HTML: `sha256-…`
 */
async function check(name, bytes, integrity) {
  // On a plain http address the browser offers no digests.
  if (!crypto.subtle) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (`sha256-${btoa(String.fromCharCode(...digest))}` !== integrity) {
    throw new Error(`${name}: not the file that was built`);
  }
}

/**
 * Has Pyodide take the module that we compiled, while `act` runs, instead of fetching its own; and the
 * empty standard library, which need not be fetched either.
 * @template T
 * @param {Promise<WebAssembly.Module>} compiled
 * @param {() => Promise<T>} act
 * @param {(memory: WebAssembly.Memory) => Promise<void>} [meet] gets the module's memory
 * @returns {Promise<T>}
 */
async function withModule(compiled, act, meet = async () => {}) {
  const { fetch: fetching } = globalThis;
  const { instantiateStreaming } = WebAssembly;
  /** @type {typeof fetch} */
  globalThis.fetch = async (target, options) => {
    if (String(target).endsWith(WASM)) return new Response();
    if (String(target).endsWith(STDLIB)) return new Response(EMPTY_ZIP);
    return fetching(target, options);
  };
  /** @type {Promise<never>} */
  const never = new Promise(() => {});
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled.catch(() => never);
    await meet(/** @type {WebAssembly.Memory} */ (imports?.env.memory));
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    // Pyodide would not say that there is no module.
    return await Promise.race([act(), compiled.then(() => never)]);
  } finally {
    globalThis.fetch = fetching;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/**
 * @param {URL} folder
 * @returns {Promise<Dispatch>}
 */
async function startFromFiles(folder) {
  // Pyodide waits for ever for a wasm file that is not there or broken, so that is seen to first.
  const [wasm, integrity] = await Promise.all([
    get(folder, WASM).then((response) => response.arrayBuffer()),
    get(folder, "engine.json").then(
      async (response) => /** @type {Manifest} */ (await response.json()).files[WASM],
      () => null,
    ),
  ]);
  if (integrity) await check(WASM, wasm, integrity);
  const compiled = WebAssembly.compile(wasm);
  await compiled;
  const pyodide = await withModule(compiled, () => loadPyodide({ indexURL: folder.href }));
  await pyodide.loadPackage(ENGINE, { messageCallback: () => {}, errorCallback: () => {} });
  return pyodide.pyimport("engine.api").dispatch;
}
