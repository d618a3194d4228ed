// Keeps the whole site for a reader who asks for it (offline.js), and answers from what is kept.
//
// The build puts `self.BUILD` before this text (macros/offline.py), so each build has a worker of its
// own, with a cache of its own. A new worker takes over only when its cache is complete; until then,
// and for pages that are open, the old one goes on with the old files. Not Workbox: it would be many
// times this code, and still needs ours for what a reader is told: how far it is, what went wrong.

/** @typedef {{id: string, bytes: number, files: Record<string, [hash: string, bytes: number]>}} Build */
/** @typedef {"network" | "changed" | "full" | "denied"} FaultKind */
/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} LifeEvent */
/**
 * @typedef {LifeEvent & {
 *   request: Request,
 *   clientId: string,
 *   resultingClientId: string,
 *   respondWith: (answer: Promise<Response>) => void,
 * }} FetchEvent
 */

(() => {
  /** TypeScript's types of pages and of service workers exclude each other. */
  const worker = /** @type {any} */ (self);
  /** @type {Build} */
  const BUILD = worker.BUILD;
  const SCOPE = new URL(worker.registration.scope);
  /** What the caches of this site are called; other sites may stand on the same origin. */
  const OURS = `card-rules ${SCOPE.pathname} `;
  const CACHE = OURS + BUILD.id;
  /** Put into a cache last. */
  const COMPLETE = new URL("complete", SCOPE).href;
  const HASH = "x-content-hash";
  /** So many files are fetched at a time. */
  const AT_ONCE = 4;
  const channel = new BroadcastChannel(OURS);
  /** Pages that came from the network, maybe of a newer build: their files come from there too. */
  const strangers = new Set();

  /** Why the site could not be kept: `changed` is a file that is not of this build. */
  class Fault extends Error {
    /**
     * @param {FaultKind} kind
     * @param {string} reason
     */
    constructor(kind, reason) {
      super(reason);
      this.kind = kind;
    }
  }

  /** @param {any} error */
  function kindOf(error) {
    if (error instanceof Fault) return error.kind;
    return error?.name === "QuotaExceededError" ? "full" : "denied";
  }

  /**
   * The address of a file; a folder's page goes by the folder.
   * @param {string} name
   */
  function address(name) {
    return new URL(name.replace(/(^|\/)index\.html$/, "$1"), SCOPE).href;
  }

  /** @param {URL} url */
  function nameOf(url) {
    const path = url.pathname.slice(SCOPE.pathname.length);
    return path === "" || path.endsWith("/") ? `${path}index.html` : path;
  }

  /**
   * A file of this build, if it is kept. Never makes a cache that is not there.
   * @param {string} name
   */
  function kept(name) {
    return caches.match(address(name), { cacheName: CACHE });
  }

  /** Our caches but this build's, and whether each was ever complete. */
  async function others() {
    const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
    return Promise.all(
      names.map(async (name) => {
        const cache = await caches.open(name);
        return { name, cache, complete: Boolean(await cache.match(COMPLETE)) };
      }),
    );
  }

  /** Whether all of this build is there. */
  async function whole() {
    if (!(await caches.has(CACHE))) return false;
    const entries = await (await caches.open(CACHE)).keys();
    return entries.length === Object.keys(BUILD.files).length + 1;
  }

  /**
   * Fetches a file.
   * @param {string} name
   * @param {RequestCache} mode
   * @returns {Promise<{bytes: ArrayBuffer, headers: Headers}>}
   */
  async function get(name, mode) {
    let response;
    let bytes;
    try {
      response = await fetch(address(name), { cache: mode });
      bytes = await response.arrayBuffer();
    } catch (error) {
      throw new Fault("network", `${name}: ${error}`);
    }
    if (response.ok) return { bytes, headers: new Headers(response.headers) };
    const gone = response.status === 404 || response.status === 410;
    throw new Fault(gone ? "changed" : "network", `${name}: ${response.status}`);
  }

  /**
   * Fetches a file and takes it only if it is the one that was built.
   * @param {string} name
   */
  async function fetched(name) {
    const [hash] = BUILD.files[name];
    // First what the browser has, if the host says that it still holds; hosts tell that by the second.
    for (const mode of /** @type {const} */ (["no-cache", "reload"])) {
      const { bytes, headers } = await get(name, mode);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      if (`sha256-${btoa(String.fromCharCode(...digest))}` !== hash) continue;
      // A new answer, not the host's: a redirected one could not be shown as a page.
      headers.delete("content-encoding");
      headers.delete("content-length");
      headers.set(HASH, hash);
      return new Response(bytes, { headers });
    }
    throw new Fault("changed", `${name}: not the file that was built`);
  }

  /** Fills this build's cache: with what is there, what an older build has alike, and the rest. */
  async function fill() {
    const older = [];
    for (const { name, cache, complete } of await others()) {
      if (complete) older.push(cache);
      else await caches.delete(name);
    }
    const cache = await caches.open(CACHE);
    let done = 0;
    /** @type {string[]} */
    const missing = [];
    for (const [name, [hash, bytes]] of Object.entries(BUILD.files)) {
      let found = false;
      for (const place of [cache, ...older]) {
        const known = await place.match(address(name));
        found = known?.headers.get(HASH) === hash;
        if (!known || !found) continue;
        if (place !== cache) await cache.put(address(name), known);
        break;
      }
      if (found) done += bytes;
      else missing.push(name);
    }
    const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (quota && quota - usage < BUILD.bytes - done) {
      throw new Fault("full", `${quota - usage} bytes left`);
    }
    channel.postMessage({ done, of: BUILD.bytes });
    const lane = async () => {
      for (let name = missing.pop(); name; name = missing.pop()) {
        try {
          await cache.put(address(name), await fetched(name));
        } catch (error) {
          missing.length = 0;
          throw error;
        }
        done += BUILD.files[name][1];
        channel.postMessage({ done, of: BUILD.bytes });
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
    for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
    await cache.put(COMPLETE, new Response(BUILD.id));
    strangers.clear();
  }

  /** @param {LifeEvent} event */
  function install(event) {
    event.waitUntil(
      fill().catch(async (error) => {
        // What came before the network went is kept: the next try goes on from there.
        if (kindOf(error) !== "network") await caches.delete(CACHE);
        channel.postMessage({ fault: kindOf(error) });
        throw error;
      }),
    );
  }

  async function activate() {
    for (const { name } of await others()) await caches.delete(name);
    await worker.clients.claim();
  }

  /** Whether one page of the site is open and no other. */
  async function isOneOpen() {
    const open = await worker.clients.matchAll({ includeUncontrolled: true });
    const ours = open.filter((/** @type {{url: string}} */ c) => c.url.startsWith(SCOPE.href));
    return ours.length === 1;
  }

  /** @param {LifeEvent & MessageEvent} event */
  function asked(event) {
    // The pages that are open are told by the browser, and load themselves anew.
    if (event.data === "renew") worker.skipWaiting();
    if (event.data === "renew if alone") {
      event.waitUntil(isOneOpen().then((alone) => (alone ? worker.skipWaiting() : undefined)));
    }
    if (event.data === "whole?") {
      event.waitUntil(
        whole().then((yes) => event.ports[0].postMessage({ whole: yes, bytes: BUILD.bytes })),
      );
    }
    if (event.data === "fill") {
      event.waitUntil(
        fill().then(
          () => channel.postMessage({ filled: true }),
          (error) => channel.postMessage({ fault: kindOf(error) }),
        ),
      );
    }
  }

  /** @param {FetchEvent} event */
  async function page({ request, resultingClientId }) {
    const url = new URL(request.url);
    const name = nameOf(url);
    const found = await kept(name);
    if (found) return found;
    if (`${name}/index.html` in BUILD.files) {
      url.pathname += "/";
      return Response.redirect(url.href);
    }
    strangers.add(resultingClientId);
    try {
      return await fetch(request);
    } catch (error) {
      const missing = await kept("404.html");
      if (!missing) throw error;
      return new Response(missing.body, { status: 404, headers: missing.headers });
    }
  }

  /**
   * What is not kept comes from the network; and when a new build took over while a page was being loaded,
   * from the new build: the page will load itself anew.
   * @param {Request} request
   */
  async function instead(request) {
    const newer = (await caches.has(CACHE)) ? undefined : await caches.match(request);
    return newer ?? fetch(request);
  }

  /** @param {FetchEvent} event */
  function answer(event) {
    const { request } = event;
    if (request.method !== "GET" || !request.url.startsWith(SCOPE.href)) return;
    if (request.mode === "navigate") {
      event.respondWith(page(event));
      return;
    }
    const name = nameOf(new URL(request.url));
    if (!(name in BUILD.files) || strangers.has(event.clientId)) return;
    event.respondWith(kept(name).then((found) => found ?? instead(request)));
  }

  worker.addEventListener("install", install);
  worker.addEventListener("activate", (/** @type {LifeEvent} */ event) =>
    event.waitUntil(activate()),
  );
  worker.addEventListener("message", asked);
  worker.addEventListener("fetch", answer);
})();
