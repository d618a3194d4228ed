// Makes a memory snapshot of Python with the engine and its rule data inside, under Node, and checks it.
// Usage: node snapshot.mjs make RUNTIME STDLIB_ZIP ENGINE_ZIP OUT
//        node snapshot.mjs ask RUNTIME SNAPSHOT EMPTY_ZIP < REQUESTS (a JSON list of texts) > ANSWERS
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [command, runtime, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);

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

async function make(stdlib, engine, out) {
  const pyodide = await loadPyodide({ _makeSnapshot: true, stdLibURL: stdlib });
  const archive = new Uint8Array(readFileSync(engine)).buffer;
  pyodide.unpackArchive(archive, "zip", { extractDir: "/lib/python3.13/site-packages" });
  pyodide.runPython(WARM);
  zeroFreeMemory(pyodide);
  writeFileSync(out, pyodide.makeMemorySnapshot());
}

async function ask(snapshot, stdLibURL) {
  // Read first: Pyodide leaves standard input in a state in which reading may fail.
  const requests = JSON.parse(readFileSync(0, "utf-8"));
  const pyodide = await loadPyodide({
    _loadSnapshot: new Uint8Array(readFileSync(snapshot)),
    stdLibURL,
  });
  const dispatch = pyodide.globals.get("dispatch");
  process.stdout.write(JSON.stringify(requests.map((request) => dispatch(request))));
}

try {
  if (command === "make") await make(...rest);
  else await ask(...rest);
} catch (error) {
  // The message alone: Node would print the whole minified line that the error came from.
  console.error(String(error));
  process.exitCode = 1;
}
