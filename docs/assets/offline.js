// 'Keep for offline', at the foot of each page: the reader's choice to have the whole site on the device.
// Nothing is kept before; the keeping itself is done by sw.js.

import { button, el } from "./dom.js";

/**
 * @typedef {object} Heard What the worker, or this element in another tab, tells.
 * @property {number} [done] bytes
 * @property {number} [of] bytes
 * @property {string} [fault] why it could not be kept
 * @property {boolean} [filled]
 * @property {boolean} [removed]
 */
/** @typedef {"none" | "keeping" | "kept" | "new" | "broken" | "fault" | "unsupported"} State */

const ROOT = new URL("../", import.meta.url);
const OURS = `card-rules ${ROOT.pathname} `;

/** @returns {Promise<ServiceWorkerRegistration | undefined>} */
async function registered() {
  const found = await navigator.serviceWorker.getRegistration(ROOT);
  // Another site may stand above this one.
  return found?.scope === ROOT.href ? found : undefined;
}

/**
 * What the worker has of its build.
 * @param {ServiceWorker} worker
 * @returns {Promise<{whole: boolean, bytes: number}>}
 */
function holding(worker) {
  return new Promise((tell) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => tell(event.data);
    worker.postMessage("whole?", [port2]);
  });
}

/** So many milliseconds after a page has been loaded it asks for nothing more by itself. */
const QUIET = 400;
/** Then it offers itself so often, a second apart: a tab that was closed just now may still count as open. */
const OFFERS = 4;

/** @param {number} ms */
const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/**
 * A page that has just been loaded takes a new build that waits, unless others are open: the browser
 * would wait until none is open, which reloading never brings about. What the old worker is asked just
 * then would make Chromium put the change off, so it is done when the page has all that it needs, and
 * before the reader has begun with it.
 */
async function renewIfAlone() {
  let begun = false;
  for (const kind of ["pointerdown", "keydown"]) {
    addEventListener(kind, () => (begun = true), { once: true, capture: true });
  }
  if (document.readyState !== "complete") {
    await new Promise((go) => addEventListener("load", go, { once: true }));
  }
  await pause(QUIET);
  for (let offer = 0; offer < OFFERS && !begun; offer++) {
    const waiting = (await registered())?.waiting;
    if (!waiting) return;
    waiting.postMessage("renew if alone");
    await pause(1000);
  }
}

/** A new build has taken over: what was picked stands in the address, a game in the storage. */
function followBuild() {
  let controlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first worker of all comes to a page that is of its build.
    if (controlled) location.reload();
    controlled = true;
  });
}

if (navigator.serviceWorker) {
  followBuild();
  renewIfAlone();
}

export class OfflineKeep extends HTMLElement {
  /** @type {Record<string, string>} */
  #words = {};
  /** @type {{done: number, of: number} | null} while it is being kept */
  #progress = null;
  #fault = "";
  #removed = false;
  /** @type {WeakSet<ServiceWorkerRegistration>} */
  #watched = new WeakSet();
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #status = el("p", { role: "status" });
  #bar = el("progress");
  #amount = el("span", { class: "amount" });
  #controls = el("div", { class: "controls" });

  connectedCallback() {
    this.#words = JSON.parse(this.dataset.labels ?? "{}");
    const box = this.querySelector("details");
    box?.append(this.#status, this.#controls);
    box?.addEventListener("toggle", () => this.#opened());
    this.#bar.setAttribute("aria-label", this.#words.title);
    this.#channel = new BroadcastChannel(OURS);
    this.#channel.onmessage = (event) => this.#heard(event.data);
    this.hidden = false;
    this.#look();
  }

  disconnectedCallback() {
    this.#channel?.close();
    this.#channel = null;
  }

  /**
   * A text with its amounts filled in.
   * @param {string} key
   * @param {Record<string, number>} [bytes]
   */
  #say(key, bytes = {}) {
    return (this.#words[key] ?? "").replace(/\{(\w+)\}/g, (_, part) =>
      this.#words.amount.replace("{n}", String(Math.ceil(bytes[part] / 1e6))),
    );
  }

  get #isOpen() {
    return Boolean(this.querySelector("details")?.open);
  }

  async #opened() {
    if (!this.#isOpen) return;
    await this.#look();
    // Also whether there is a new build; without a network there is none.
    if (navigator.serviceWorker) (await registered())?.update().catch(() => {});
  }

  /** @param {Heard} heard */
  #heard({ done = 0, of, fault = "", removed = false }) {
    this.#progress = of ? { done, of } : null;
    this.#fault = fault;
    this.#removed = removed;
    this.#look();
  }

  /** @param {ServiceWorkerRegistration} registration */
  #watch(registration) {
    if (this.#watched.has(registration)) return;
    this.#watched.add(registration);
    const follow = () =>
      registration.installing?.addEventListener("statechange", () => {
        this.#progress = null;
        this.#look();
      });
    registration.addEventListener("updatefound", () => {
      follow();
      this.#look();
    });
    follow();
  }

  /** Finds out how things stand, and shows it. */
  async #look() {
    if (!navigator.serviceWorker) return this.#show("unsupported");
    const registration = await registered();
    if (registration) this.#watch(registration);
    const { installing, waiting, active } = registration ?? {};
    if (this.#fault) return this.#show("fault", Boolean(active));
    if (installing || this.#progress) return this.#show("keeping");
    if (!active) return this.#show("none", false, await this.#size());
    if (waiting) return this.#show("new");
    const { whole, bytes } = await holding(active);
    return this.#show(whole ? "kept" : "broken", true, bytes);
  }

  /** How much there is to keep, asked for when the reader looks; 0 where the network does not say. */
  async #size() {
    if (!this.#isOpen) return 0;
    try {
      const response = await fetch(new URL("offline.json", ROOT), { cache: "no-cache" });
      return (await response.json()).bytes;
    } catch {
      return 0;
    }
  }

  /**
   * @param {State} state
   * @param {boolean} [old] whether something is kept beside the fault
   * @param {number} [size] in bytes
   */
  #show(state, old = false, size = 0) {
    const same = this.dataset.state === state;
    this.dataset.state = state;
    const summary = this.querySelector("summary");
    if (summary) summary.textContent = this.#say(`title.${state}`) || this.#say("title");
    const sentences = {
      none: [this.#removed && "removed", "none", size && "size"],
      fault: [this.#fault, old && "old"],
    };
    const keys = state === "none" || state === "fault" ? sentences[state] : [state];
    const text = keys.map((key) => (key ? this.#say(String(key), { size }) : "")).join("");
    if (this.#status.textContent !== text) this.#status.textContent = text;
    if (this.#progress) {
      this.#bar.max = this.#progress.of;
      this.#bar.value = this.#progress.done;
      this.#amount.textContent = this.#say("progress", this.#progress);
    }
    // The buttons stay, and with them the keyboard's place, while only the amount changes.
    if (same && state === "keeping") return;
    this.#controls.replaceChildren(...this.#offered(state, old));
  }

  /**
   * @param {State} state
   * @param {boolean} old
   * @returns {Node[]}
   */
  #offered(state, old) {
    const keep = (/** @type {string} */ key) => button(this.#say(key), () => this.#keep());
    const remove = (/** @type {string} */ key) => button(this.#say(key), () => this.#remove());
    switch (state) {
      case "none":
        return [keep("keep")];
      case "keeping":
        return [this.#bar, this.#amount, remove("stop")];
      case "kept":
        return [remove("remove")];
      case "new":
        return [button(this.#say("renew"), () => this.#renew()), remove("remove")];
      case "broken":
        return [keep("again"), remove("remove")];
      case "fault":
        return [keep("again"), ...(old ? [remove("remove")] : [])];
      case "unsupported":
        return [];
    }
  }

  async #keep() {
    this.#fault = "";
    this.#removed = false;
    this.#show("keeping");
    // So that the browser does not clear it away by itself; it may say no.
    navigator.storage?.persist?.().catch(() => {});
    try {
      const registration = await navigator.serviceWorker.register(new URL("sw.js", ROOT));
      // One that is there already has lost files, or was switched off while this page was open.
      registration.active?.postMessage("fill");
      await this.#look();
    } catch (error) {
      this.#heard({ fault: error instanceof TypeError ? "network" : "denied" });
    }
  }

  async #renew() {
    (await registered())?.waiting?.postMessage("renew");
  }

  async #remove() {
    await (await registered())?.unregister();
    for (const name of await caches.keys()) if (name.startsWith(OURS)) await caches.delete(name);
    this.#channel?.postMessage({ removed: true });
    this.#heard({ removed: true });
  }
}
