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
  process.stdout.write(JSON.stringify({ ...state(runtime, imports), dispatch }));
}

async function ask(wasm, snapshot, manifestFile, memoryFile, marks = 0, count = 0, out = "") {
  const requests = JSON.parse(readFileSync(0, "utf-8"));
  const manifest = JSON.parse(readFileSync(manifestFile, "utf-8"));
  const module = new WebAssembly.Module(readFileSync(wasm));
  const packed = new Uint8Array(readFileSync(snapshot)).buffer;
  const memory = newMemory(Math.max(manifest.size, +marks + +count));
  const dispatch = await restore(module, packed, manifest, memory);
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
