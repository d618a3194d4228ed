// The memory snapshot that the build made (macros/snapshot.py), on its way into Python's memory.

import { ZSTDDecoder } from "zstddec";

/** @typedef {{file: number, memory: number, length: number}} StaticData */
/**
 * @typedef {object} Manifest What the build says of it.
 * @property {Record<string, string>} files the hash of each file
 * @property {import("pyodide").LockfileInfo} lock
 * @property {string} head what Pyodide puts before the memory, in base64
 * @property {number} size of the memory
 * @property {[place: number, packed: number][]} pieces what is not zero in the memory
 * @property {StaticData} static what is struck out: where it stands in the wasm file and in memory
 */

export class Snapshot {
  #unpacker = new ZSTDDecoder();
  #isReady = this.#unpacker.init();
  #memory = new Uint8Array();
  #wasm = new ArrayBuffer();
  #packed = new ArrayBuffer();

  /** @param {Manifest} manifest */
  constructor(manifest) {
    this.manifest = manifest;
  }

  /**
   * Gives it what it is made from, and the memory that it goes to.
   * @param {WebAssembly.Memory} memory
   * @param {ArrayBuffer} packed
   * @param {ArrayBuffer} wasm
   */
  async provide(memory, packed, wasm) {
    this.#memory = new Uint8Array(memory.buffer);
    this.#packed = packed;
    this.#wasm = wasm;
    await this.#isReady;
  }

  /**
   * What Pyodide takes for a snapshot. It reads the head, and then copies all that comes after; here this
   * is nothing, but what is asked for it puts everything into its place. So the memory, which is large
   * and mostly empty, is never made a second time.
   */
  get standIn() {
    const { head, size } = this.manifest;
    const bytes = Uint8Array.from(atob(head), (char) => char.charCodeAt(0));
    Object.defineProperty(bytes, "length", { value: bytes.length + size });
    bytes.subarray = (from, to) => {
      if (to !== undefined) return bytes.slice(from, to);
      this.#fill();
      return new Uint8Array();
    };
    return bytes;
  }

  /** The memory as it was: what the module has put there since it was started goes. */
  #fill() {
    const memory = this.#memory;
    const { file, memory: start, length } = this.manifest.static;
    const end = start + length;
    memory.fill(0);
    memory.set(new Uint8Array(this.#wasm, file, length), start);
    let from = 0;
    for (const [place, size] of this.manifest.pieces) {
      const piece = this.#unpacker.decode(new Uint8Array(this.#packed, from, size));
      // Struck out is what the two have in common.
      if (place < end) for (let i = 0; i < piece.length; i++) memory[place + i] ^= piece[i];
      else memory.set(piece, place);
      from += size;
    }
  }
}
