// Makes Python's memory with the engine and its rule data inside, under Node, and tries what is made of it.
// Usage: node snapshot.mjs make RUNTIME STDLIB_ZIP ENGINE_ZIP OUT > MANIFEST
//        node snapshot.mjs ask WASM SNAPSHOT MANIFEST MEMORY [MARKS COUNT OUT] < REQUESTS > ANSWERS
// (requests and answers are JSON lists of texts; MARKS is where a marked wasm file leaves COUNT marks)
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { newMemory, restore } from "../docs/assets/restore.mjs";

// Everything that can be asked for must be imported and read now: no file comes back from a snapshot.
const WARM = `
import dataclasses, functools, gc, importlib, pkgutil, re, sys, zipimport
import engine.api
from engine import families, games
from engine.registry import game
from engine.rulebook import rulebook, slugs, words
from engine.texts import LANGS, catalogue

for package in (families, games):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
for lang in LANGS:
    catalogue(lang)
for slug in slugs():
    for rule_set in rulebook(slug).rule_set:
        game(slug, rule_set)
    for lang in LANGS:
        engine.api.rules(slug, lang)
        engine.api.checks(slug, lang)
engine.games.gonglei_opponents.tally()
dispatch = engine.api.dispatch

# Worked examples, deals to watch and tables stand in the pages; nothing that a page asks needs them here.
kept, left_out = set(), set()

def gather(value, texts):
    if isinstance(value, str):
        texts.add(value)
    elif isinstance(value, dict):
        gather([*value, *value.values()], texts)
    elif isinstance(value, (list, tuple)):
        for part in value:
            gather(part, texts)
    elif dataclasses.is_dataclass(value):
        gather(vars(value), texts)

for slug in slugs():
    book = rulebook(slug)
    for part, nothing in {"example": (), "deal": (), "table": (), "glossary": {}}.items():
        gather(getattr(book, part), left_out)
        object.__setattr__(book, part, nothing)
    gather(book, kept)
gather(words(), kept)
for lang in LANGS:
    # A short text may also be a term that is put into others.
    needed = {
        k: v for k, v in catalogue(lang).items() if k in kept or k not in left_out or len(k) < 10
    }
    catalogue(lang).clear()
    catalogue(lang).update(needed)

# Only Pyodide's event loop and what loads files take these; the engine needs neither any more.
for name in list(sys.modules):
    if name.partition(".")[0] in {
        "asyncio", "_asyncio", "bz2", "_bz2", "concurrent", "logging", "selectors", "shutil",
        "socket", "subprocess", "tempfile", "tomllib", "zipfile",
    }:
        contents = vars(sys.modules.pop(name))
        # As when Python ends.
        contents.update(dict.fromkeys(contents))
        del contents

# What is worked out once and kept is quickly worked out again, and would be long to fetch.
for cache in gc.get_objects():
    if isinstance(cache, functools._lru_cache_wrapper):
        if cache.__module__.startswith("engine.families."):
            cache.cache_clear()
    elif isinstance(cache, dict) and type(cache).__module__.startswith("engine."):
        cache.clear()
del book, cache, gather, kept, lang, left_out, module, name, needed, nothing, package, part, rule_set, slug
re.purge()
sys.path_importer_cache.clear()
zipimport._zip_directory_cache.clear()
sys._clear_internal_caches()
gc.collect()
gc.collect()
`;

// All types there are, and what is written in C and goes by a name that the engine's code uses, or that of
// the library's modules that do some work for it.
const HELD = `
import gc, sys
types, waiting = set(), [object]
while waiting:
    found = waiting.pop()
    if found not in types:
        types.add(found)
        waiting += [type(found), *type.__subclasses__(found)]
at_work = {"engine", "json", "random"}
codes = [
    found.__code__
    for found in gc.get_objects()
    if type(found) is type(lambda: 0) and (found.__module__ or "").partition(".")[0] in at_work
]
names = set()
while codes:
    code = codes.pop()
    names.update(code.co_names)
    codes += [part for part in code.co_consts if type(part) is type(code)]
held = [
    getattr(value, "__func__", value)
    for holder in (*types, *sys.modules.values())
    for name, value in list(getattr(holder, "__dict__", {}).items())
    if name in names
]
[("type", id(found)) for found in types] + [(type(value).__name__, id(value)) for value in held]
`;

// Where such objects point to functions, by their places in words: directly, or by way of a table where
// functions have these places. Source: CPython 3.13, Include/cpython/object.h (PyTypeObject from
// tp_dealloc to tp_vectorcall; its tables from tp_as_async on), Include/cpython/descrobject.h and
// methodobject.h (ml_meth; get and set; the function of a wrapper).
const upTo = (size) => [...Array(size).keys()];
const PLACES = {
  type: {
    direct: [
      6, 8, 9, 11, 15, 16, 17, 18, 19, 23, 24, 25, 27, 28, 34, 35, 37, 38, 39, 40, 41, 47, 49, 50,
    ],
    tables: { 10: upTo(4), 12: upTo(36), 13: upTo(10), 14: upTo(3), 20: upTo(2) },
  },
  method_descriptor: { tables: { 5: [1] } },
  classmethod_descriptor: { tables: { 5: [1] } },
  getset_descriptor: { tables: { 5: [1, 2] } },
  wrapper_descriptor: { direct: [6], tables: { 5: [3] } },
  builtin_function_or_method: { tables: { 2: [1] } },
};

/**
 * The numbers of all functions in C that the engine's code can come by, or the garbage collector: that may
 * come at any moment, so that no trial meets all that it calls.
 */
function functionsHeld(pyodide, table) {
  const words = pyodide._module.HEAPU32;
  const found = new Set();
  const add = (place) => {
    const index = words[place];
    // A function from wasm has its number for a name.
    if (index && index < table.length) found.add(Number(table.get(index)?.name));
  };
  for (const [kind, address] of pyodide.runPython(HELD).toJs()) {
    const { direct = [], tables = {} } = PLACES[kind] ?? {};
    for (const at of direct) add(address / 4 + at);
    for (const [at, places] of Object.entries(tables)) {
      const start = words[address / 4 + Number(at)] / 4;
      if (start) for (const place of places) add(start + place);
    }
  }
  return [...found].filter((number) => number >= 0).sort((a, b) => a - b);
}

/** Frees what was thrown away and fills it with zeros, so that the snapshot packs well. */
function zeroFreeMemory(pyodide) {
  const wasm = pyodide._module;
  const end = wasm._sbrk(0);
  const small = [];
  for (let size = 512; size >= 8; size -= 8) {
    for (let i = 0; i < 20000 / size; i++) {
      const at = wasm._PyObject_Malloc(size);
      wasm.HEAPU8.fill(0, at, at + size);
      small.push(at);
    }
  }
  for (const at of small) wasm._PyObject_Free(at);
  const large = [];
  for (let size = 1 << 20; size >= 16; size >>= 1) {
    for (;;) {
      const at = wasm._PyMem_RawMalloc(size);
      if (!at || at + size > end) {
        wasm._PyMem_RawFree(at);
        break;
      }
      wasm.HEAPU8.fill(0, at, at + size);
      large.push(at);
    }
  }
  for (const at of large) wasm._PyMem_RawFree(at);
}

/** Has Pyodide start while what it gives the wasm module, and what comes of it, is overheard. */
async function start(runtime, stdLibURL) {
  const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
  const { instantiate } = WebAssembly;
  const given = [];
  WebAssembly.instantiate = (source, imports) => {
    given.push(imports);
    return instantiate(source, imports);
  };
  const pyodide = await loadPyodide({ _makeSnapshot: true, stdLibURL });
  WebAssembly.instantiate = instantiate;
  return { pyodide, imports: given.find((imports) => imports?.env?.memory) };
}

/** What stands outside the memory: the globals that the module takes, and the size of its table. */
function state(runtime, imports) {
  const module = new WebAssembly.Module(readFileSync(`${runtime}/pyodide.asm.wasm`));
  const globals = {};
  for (const { module: group, name, kind } of WebAssembly.Module.imports(module)) {
    // The rest of them are places of functions, in scripts that the engine does without.
    if (kind === "global" && group !== "GOT.func") globals[name] = imports[group][name].value;
  }
  return { globals, table: imports.env.__indirect_function_table.length };
}

/**
 * A newer Node gives Python a function that counts what a method takes. It stands in the table, which the
 * browser makes anew, and not every browser could have it: without it Python calls through JavaScript.
 */
function forgetCounter(wasm) {
  const offset = wasm.HEAP32[wasm.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET / 4];
  wasm.HEAP32[(wasm.__PyRuntime + offset) / 4] = 0;
}

async function make(runtime, stdlib, engine, out) {
  const { pyodide, imports } = await start(runtime, stdlib);
  const archive = new Uint8Array(readFileSync(engine)).buffer;
  pyodide.unpackArchive(archive, "zip", { extractDir: "/lib/python3.13/site-packages" });
  pyodide.runPython(WARM);
  const dispatch = pyodide.runPython("id(dispatch)");
  forgetCounter(pyodide._module);
  zeroFreeMemory(pyodide);
  writeFileSync(out, new Uint8Array(imports.env.memory.buffer));
  const held = functionsHeld(pyodide, imports.env.__indirect_function_table);
  process.stdout.write(JSON.stringify({ ...state(runtime, imports), dispatch, held }));
}

async function ask(wasm, snapshot, manifestFile, memoryFile, marks = 0, count = 0, out = "") {
  const requests = JSON.parse(readFileSync(0, "utf-8"));
  const manifest = JSON.parse(readFileSync(manifestFile, "utf-8"));
  const [code, packed] = [wasm, snapshot].map((file) => new Uint8Array(readFileSync(file)).buffer);
  const memory = newMemory(Math.max(manifest.size, +marks + +count));
  const dispatch = await restore(code, packed, manifest, memory);
  if (Buffer.compare(new Uint8Array(memory.buffer, 0, manifest.size), readFileSync(memoryFile))) {
    throw new Error("the memory is not what it was");
  }
  process.stdout.write(JSON.stringify(requests.map((request) => dispatch(request))));
  if (out) writeFileSync(out, new Uint8Array(memory.buffer, +marks, +count));
}

const [command, ...parts] = process.argv.slice(2);
try {
  if (command === "make") await make(...parts);
  else await ask(...parts);
} catch (error) {
  // The message alone: Node would print the whole minified line that the error came from.
  console.error(String(error));
  process.exitCode = 1;
}
