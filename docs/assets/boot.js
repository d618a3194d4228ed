// Starting Python with the engine inside. The quick way restores a memory snapshot that the build
// made (macros/snapshot.py); where that fails, Python starts from its files, the slow way.

import { loadPyodide } from "pyodide";
import { ZSTDDecoder } from "zstddec";

/** @typedef {import("pyodide").LockfileInfo} LockfileInfo */
/** @typedef {(request: string) => string} Dispatch */
/** @typedef {{file: number, memory: number, length: number, start: number}} StaticData */
/** @typedef {{files: Record<string, string>, lock: LockfileInfo, static: StaticData, frames: number[], size: number}} Manifest */

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
  const unpacked = unpack(checked(SNAPSHOT), manifest);
  const whole = Promise.all([unpacked, wasm, manifest]).then(putBack);
  // What fails is told by the first await that meets it.
  for (const promise of [compiling, compiled, unpacked, whole]) promise.catch(() => {});

  await checked("pyodide.asm.js");
  await import(new URL("pyodide.asm.js", folder).href);
  return withModule(compiled, async () => {
    const pyodide = await loadPyodide({
      indexURL: folder.href,
      stdLibURL: new URL(STDLIB, folder).href,
      lockFileContents: { info: (await manifest).lock, packages: {} },
      _loadSnapshot: whole,
    });
    return pyodide.globals.get("dispatch");
  });
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
 * @returns {Promise<T>}
 */
async function withModule(compiled, act) {
  const { fetch: fetching } = globalThis;
  const { instantiateStreaming } = WebAssembly;
  /** @type {typeof fetch} */
  globalThis.fetch = async (target, options) => {
    if (String(target).endsWith(WASM)) return new Response();
    if (String(target).endsWith(STDLIB)) return new Response(EMPTY_ZIP);
    return fetching(target, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    return await act();
  } finally {
    globalThis.fetch = fetching;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/**
 * The snapshot, unpacked frame by frame.
 * @param {Promise<ArrayBuffer>} fetching
 * @param {Promise<Manifest>} manifest
 */
async function unpack(fetching, manifest) {
  const decoder = new ZSTDDecoder();
  const [packed, { frames, size }] = await Promise.all([fetching, manifest, decoder.init()]);
  const memory = new Uint8Array(size);
  let [from, to] = [0, 0];
  for (const length of frames) {
    const part = decoder.decode(new Uint8Array(packed, from, length));
    memory.set(part, to);
    from += length;
    to += part.length;
  }
  return memory;
}

/**
 * Puts the wasm file's static data, which the build struck out, back into the snapshot.
 * @param {[Uint8Array, ArrayBuffer, Manifest]} parts
 */
function putBack([snapshot, wasm, { static: at }]) {
  const segment = new Uint8Array(wasm, at.file, at.length);
  const target = snapshot.subarray(at.start + at.memory, at.start + at.memory + at.length);
  for (let i = 0; i < segment.length; i++) target[i] ^= segment[i];
  return snapshot;
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
