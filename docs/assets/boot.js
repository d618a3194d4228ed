// Starting the engine. The quick way restores what the build has made ready (restore.mjs); where that
// fails, Python starts from its files, the slow way (engine-plain.js).

import { restore } from "./restore.mjs";

/** @typedef {import("./restore.mjs").Dispatch} Dispatch */
/** @typedef {import("./restore.mjs").Manifest} Manifest */
/** @typedef {{dispatch: Dispatch, way: "snapshot" | "plain"}} Started */

/** macros/bundle.py writes it in here, so that nothing need be fetched before the files are. */
const MANIFEST = /** @type {{MANIFEST?: Manifest | null}} */ (globalThis).MANIFEST;

/**
 * Starts the engine: its one function, and the way it was started.
 * @param {URL} folder where the runtime stands
 * @returns {Promise<Started>}
 */
export async function boot(folder) {
  try {
    if (!MANIFEST) throw new Error("the build made none");
    /** @param {string} name */
    const get = async (name) => {
      // The browser uses nothing that is not what was built.
      const response = await fetch(new URL(name, folder), { integrity: MANIFEST.files[name] });
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      return response.arrayBuffer();
    };
    const packed = get("engine.snapshot.zst");
    // What fails is told by the first await that meets it.
    packed.catch(() => {});
    return { dispatch: await restore(get("engine.wasm.zst"), packed, MANIFEST), way: "snapshot" };
  } catch (error) {
    return bootPlain(folder, error);
  }
}

/**
 * The slow way, and why it is taken.
 * @param {URL} folder
 * @param {unknown} reason
 * @returns {Promise<Started>}
 */
export async function bootPlain(folder, reason) {
  console.info(`The snapshot cannot be used (${reason}); starting Python from its files.`);
  const { startFromFiles } = await import("./engine-plain.js");
  return { dispatch: await startFromFiles(folder, MANIFEST?.files ?? {}), way: "plain" };
}
