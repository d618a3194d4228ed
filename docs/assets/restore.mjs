// Python as the build left it (macros/snapshot.py): its memory, with the engine inside, and of Pyodide's
// wasm file the functions that the engine calls. Nothing is started anew, and no script of Pyodide's is
// needed. The build proves it with this very module, under Node, which knows a module by its `.mjs`.

import { ZSTDDecoder } from "zstddec";

/** @typedef {(request: string) => string} Dispatch */
/**
 * @typedef {object} Manifest What the build says of it.
 * @property {Record<string, string>} files the hash of each file
 * @property {number} size of the memory
 * @property {[place: number, packed: number][]} pieces what is not zero in the memory
 * @property {Record<string, number>} globals what the module takes, by its names
 * @property {number} table the size of its table of functions
 * @property {number} dispatch where the engine's one function stands in memory
 */
/**
 * @typedef {object} Exports
 * @property {(size: number) => number} malloc
 * @property {(place: number) => void} free
 * @property {(text: number, size: number) => number} PyUnicode_FromStringAndSize
 * @property {(called: number, argument: number) => number} PyObject_CallOneArg
 * @property {(text: number, size: number) => number} PyUnicode_AsUTF8AndSize
 * @property {(object: number) => void} Py_DecRef
 */

const PAGE = 65_536;
/** In pages: as much memory as Pyodide lets Python have. */
const LARGEST = 65_536;

/**
 * Puts Python together and gives the engine's one function. That throws for whatever the build left out;
 * Python is of no more use then.
 * @param {Promise<ArrayBuffer> | ArrayBuffer} code the wasm file, packed
 * @param {Promise<ArrayBuffer> | ArrayBuffer} packed what is not zero in the memory
 * @param {Manifest} manifest
 * @param {WebAssembly.Memory} [memory]
 * @returns {Promise<Dispatch>}
 */
export async function restore(code, packed, manifest, memory = newMemory(manifest.size)) {
  const unpacker = new ZSTDDecoder();
  const [wasm] = await Promise.all([code, unpacker.init()]);
  // The browser compiles while the memory is filled.
  const making = make(unpacker.decode(new Uint8Array(wasm)), memory, manifest);
  // What fails is told by the await below.
  making.catch(() => {});
  const pieces = await packed;
  const bytes = new Uint8Array(memory.buffer);
  let from = 0;
  for (const [place, size] of manifest.pieces) {
    bytes.set(unpacker.decode(new Uint8Array(pieces, from, size)), place);
    from += size;
  }
  const python = await making;
  return (request) => call(python, memory, manifest.dispatch, request);
}

/**
 * @param {Uint8Array} code
 * @param {WebAssembly.Memory} memory
 * @param {Manifest} manifest
 */
async function make(code, memory, manifest) {
  const module = await WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (code));
  const { exports } = await WebAssembly.instantiate(module, imports(module, memory, manifest));
  return /** @type {Exports} */ (/** @type {unknown} */ (exports));
}

/** @param {number} size in bytes */
export function newMemory(size) {
  return new WebAssembly.Memory({ initial: Math.ceil(size / PAGE), maximum: LARGEST });
}

/**
 * What the module is to be given.
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 * @param {Manifest} manifest
 */
function imports(module, memory, manifest) {
  const table = new WebAssembly.Table({ element: "anyfunc", initial: manifest.table });
  const functions = surroundings(memory, table);
  /** @param {WebAssembly.ModuleImportDescriptor} wanted */
  const find = ({ module: group, name, kind }) => {
    if (kind === "memory") return memory;
    if (kind === "table") return table;
    if (kind === "function") return functions[name] ?? leftOut(name);
    if (kind === "global") {
      const mutable = group !== "env" || name === "__stack_pointer";
      // Those without a value stand for functions of Pyodide's scripts.
      return new WebAssembly.Global({ value: "i32", mutable }, manifest.globals[name] ?? 0);
    }
    // What is thrown inside: TypeScript does not know of tags yet.
    return new /** @type {any} */ (WebAssembly).Tag({ parameters: ["i32"] });
  };
  /** @type {Record<string, Record<string, any>>} */
  const given = {};
  for (const wanted of WebAssembly.Module.imports(module)) {
    given[wanted.module] ??= {};
    given[wanted.module][wanted.name] = find(wanted);
  }
  return given;
}

/**
 * Of all that Python may ask of its surroundings the engine needs two things.
 * @param {WebAssembly.Memory} memory
 * @param {WebAssembly.Table} table
 * @returns {Record<string, Function>}
 */
function surroundings(memory, table) {
  /** @type {Function[]} */
  const called = [];
  return {
    // A method may take fewer arguments than it is given. In wasm that is a fault, here it is none.
    _PyEM_TrampolineCall_JS(/** @type {number} */ at, /** @type {number[]} */ ...given) {
      called[at] ??= table.get(at);
      return called[at](...given);
    },
    emscripten_resize_heap(/** @type {number} */ size) {
      try {
        memory.grow(Math.ceil(((size >>> 0) - memory.buffer.byteLength) / PAGE));
        return 1;
      } catch {
        return 0;
      }
    },
  };
}

/** @param {string} name */
function leftOut(name) {
  return () => {
    throw new Error(`left out: ${name}`);
  };
}

/**
 * Asks Python, by its C interface.
 * @param {Exports} python
 * @param {WebAssembly.Memory} memory
 * @param {number} dispatch
 * @param {string} request
 */
function call(python, memory, dispatch, request) {
  const text = new TextEncoder().encode(request);
  const place = python.malloc(Math.max(text.length, 4));
  new Uint8Array(memory.buffer).set(text, place);
  const question = python.PyUnicode_FromStringAndSize(place, text.length);
  const answer = python.PyObject_CallOneArg(dispatch, question);
  const start = answer && python.PyUnicode_AsUTF8AndSize(answer, place);
  if (!start) throw new Error("the engine gave no answer");
  const size = new DataView(memory.buffer).getUint32(place, true);
  const said = new TextDecoder().decode(new Uint8Array(memory.buffer, start, size));
  for (const object of [question, answer]) python.Py_DecRef(object);
  python.free(place);
  return said;
}
