// <deal-player game="SLUG" deal="ID">: an example deal, step by step; and from any step on, played on.

import { onOpen, said, say } from "./address.js";
import { dealData, pageLang, widgetData } from "./data.js";
import { button, choice, el, newId, ownTurn, shown } from "./dom.js";
import { engine } from "./engine-client.js";
import { EngineStatus } from "./engine-status.js";
import { isFree, stayAt } from "./place.js";
import { keptPlay, Play } from "./play.js";
import { drawTable, seenBy } from "./table.js";
import { Words } from "./words.js";

/** @typedef {import("./data.js").Replay} Replay */

/** How far below the screen a player begins to fetch its deal, as a root margin. */
const AHEAD = "300px";
/** The engine goes over a deal when nothing was asked of it for so many milliseconds. */
const QUIET = 1500;

export class DealPlayer extends HTMLElement {
  step = 0;
  /** @type {Replay | null} */
  replay = null;
  /** @type {Play | undefined} */
  play;
  verifySoon = () => this.#verifySoon();

  async connectedCallback() {
    if (this.words) return;
    this.slug = this.getAttribute("game") ?? "";
    this.deal = this.getAttribute("deal") ?? "";
    try {
      const data = await widgetData(this.slug);
      await ownTurn();
      if (this.isConnected && !this.words) this.#build(new Words(data, pageLang()));
    } catch {
      // The steps in words are there all the same.
      this.dataset.state = "error";
    }
  }

  disconnectedCallback() {
    this.unlisten?.();
    this.status?.end();
    this.observer?.disconnect();
    this.heights?.disconnect();
    clearTimeout(this.verifier);
    engine.removeEventListener("state", this.verifySoon);
  }

  /** @param {Words} words */
  #build(words) {
    this.words = words;
    this.lines = [...this.querySelectorAll(":scope > .deal-steps > ol > li")];
    this.last = this.lines.length - 1;
    this.stage = /** @type {HTMLElement} */ (this.querySelector(":scope > .stage"));
    const title = newId();
    this.querySelector(".deal-title")?.setAttribute("id", title);
    this.setAttribute("role", "group");
    this.setAttribute("aria-labelledby", title);
    this.status = new EngineStatus(this, words, () => Boolean(this.play?.on));
    this.fault = el("p", { class: "deal-fault", role: "alert" });
    const { controls, viewing } = this.#controls(words);
    this.text = el("div", { class: "step-words", "aria-live": "polite" });
    this.stage.before(controls, this.text);
    this.stage.after(viewing, this.#offerPlay(words), this.status.element, this.fault);
    this.addEventListener("keydown", (event) => this.#key(event));
    this.unlisten = onOpen((values) => this.#open(values, true));
    this.observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) this.#near();
      },
      { rootMargin: AHEAD },
    );
    this.observer.observe(this);
    this.#keepHeights();
    engine.addEventListener("state", this.verifySoon);
    this.#words();
    this.#open(new URL(location.href).searchParams, said("check") === null && isFree());
  }

  /** @param {Words} words */
  #controls(words) {
    /** @param {string} key @param {() => number} to */
    const mover = (key, to) => button(words.ui(`deal.${key}`), () => this.#go(to()));
    this.movers = {
      first: mover("first", () => 0),
      previous: mover("previous", () => this.step - 1),
      next: mover("next", () => this.step + 1),
      last: mover("last", () => this.last ?? 0),
    };
    this.scrubber = el("input", {
      type: "range",
      min: 0,
      max: this.last ?? 0,
      value: 0,
      "aria-label": words.ui("deal.scrub"),
    });
    this.scrubber.addEventListener("input", () => this.#go(Number(this.scrubber?.value)));
    this.counter = el("span", { class: "step-count" });
    const seats = this.querySelectorAll(":scope > .stage .seat").length;
    const views = Array.from(
      { length: seats },
      (_, seat) =>
        /** @type {[string, string]} */ ([
          String(seat),
          words.ui("deal.view-seat", { seat: words.seat(seat) }),
        ]),
    );
    const { row, select } = choice(words.ui("deal.view"), [
      ["", words.ui("deal.view-all")],
      ...views,
    ]);
    select.addEventListener("input", () => this.#draw());
    this.view = select;
    const { first, previous, next, last } = this.movers;
    this.hint = el("p", { class: "keys" }, words.ui("deal.keys"));
    const controls = el(
      "div",
      { class: "deal-controls" },
      el("div", { class: "movers" }, first, previous, next, last),
      el("div", { class: "scrub" }, this.scrubber, this.counter),
      this.hint,
    );
    return { controls, viewing: row };
  }

  /** @param {Words} words */
  #offerPlay(words) {
    const seats = [...(this.view?.options ?? [])].slice(1);
    const { row, select } = choice(
      words.ui("play.seat"),
      seats.map(({ value }) => [value, words.seat(Number(value))]),
    );
    const take = button(words.ui("play.take-over"), () => this.#takeOver(Number(select.value)));
    const box = el("div", { class: "play-offer" }, row, take);
    if (document.querySelector("deal-player") === this) {
      box.append(button(words.ui("play.own"), () => this.#player().offerNew()));
    }
    return box;
  }

  #keepHeights() {
    const { text, stage } = this;
    if (text && stage) this.heights = keepHeights(text, stage);
  }

  /** The deal's data, fetched when it is first needed. */
  async #data() {
    if (this.replay) return this.replay;
    const { text, replay } = await dealData(this.slug ?? "", this.deal ?? "");
    this.bytes = text;
    this.replay = replay;
    return replay;
  }

  async #near() {
    this.observer?.disconnect();
    const kept = keptPlay(this.slug ?? "", this.deal ?? "");
    try {
      await this.#data();
      this.#verifySoon();
    } catch {
      this.#failed();
    }
    if (kept && this.isConnected) this.#player().resume(kept);
  }

  #failed() {
    const { words, fault } = this;
    if (!words || !fault) return;
    this.dataset.state = "error";
    fault.replaceChildren(
      words.ui("deal.failed"),
      " ",
      button(words.ui("engine.retry"), () => {
        fault.replaceChildren();
        this.dataset.state = engine.state;
        this.#go(this.step);
      }),
    );
  }

  /**
   * @param {URLSearchParams} values
   * @param {boolean} scroll
   */
  #open(values, scroll) {
    if (values.get("deal") !== this.deal) return;
    const step = Number(values.get("step") ?? "0");
    this.play?.end();
    this.#go(Number.isInteger(step) ? step : 0);
    if (scroll) shown().then(() => stayAt(() => this.scrollIntoView({ block: "start" })));
  }

  /** @param {number} step */
  async #go(step) {
    this.step = Math.max(0, Math.min(step, this.last ?? 0));
    this.#words();
    say({ deal: this.deal ?? "", step: String(this.step) });
    try {
      await this.#data();
      this.#draw();
    } catch {
      this.#failed();
    }
  }

  /** The step in words, as the build wrote them. */
  #words() {
    const { words, lines, text, scrubber, counter, movers } = this;
    if (!words || !lines || !text || !scrubber || !counter || !movers) return;
    const last = this.last ?? 0;
    const line = lines[this.step];
    const said = words.ui("deal.step", { n: this.step, of: last });
    text.replaceChildren(...[...line.childNodes].map((node) => node.cloneNode(true)));
    for (const other of lines) other.removeAttribute("aria-current");
    line.setAttribute("aria-current", "step");
    scrubber.value = String(this.step);
    scrubber.setAttribute("aria-valuetext", said);
    counter.textContent = said;
    movers.first.setAttribute("aria-disabled", String(this.step === 0));
    movers.previous.setAttribute("aria-disabled", String(this.step === 0));
    movers.next.setAttribute("aria-disabled", String(this.step === last));
    movers.last.setAttribute("aria-disabled", String(this.step === last));
  }

  #draw() {
    const { words, replay, stage, view } = this;
    if (!words || !replay || !stage || !view) return;
    const seat = view.value === "" ? null : Number(view.value);
    const { table, move } = replay.steps[this.step];
    const drawn = drawTable(seenBy(table, seat), words);
    markFresh(drawn, move, replay.steps[this.step].seat);
    stage.replaceChildren(drawn);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.play?.on || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (target?.closest("input, select, textarea")) return;
    const ways = /** @type {Record<string, number>} */ ({
      ArrowRight: this.step + 1,
      ArrowLeft: this.step - 1,
      Home: 0,
      End: this.last ?? 0,
    });
    if (!(event.key in ways)) return;
    event.preventDefault();
    this.#go(ways[event.key]);
  }

  // The engine in the browser goes over what the build's engine said.

  #verifySoon() {
    clearTimeout(this.verifier);
    if (engine.state !== "ready" || !this.bytes || this.verified) return;
    this.verifier = setTimeout(() => {
      if (engine.busy) this.#verifySoon();
      else this.#verify();
    }, QUIET);
  }

  async #verify() {
    const { words, replay, fault, bytes } = this;
    if (!words || !replay || !fault || !this.isConnected) return;
    const request = { op: "replay", args: { record: replay.record }, lang: words.lang };
    try {
      const answer = await engine.askText(JSON.stringify(request));
      this.verified = true;
      if (answer === `{"ok":${bytes}}`) {
        this.dataset.verified = "true";
        this.hint?.replaceChildren(words.ui("deal.verified"));
        return;
      }
    } catch {
      return; // The engine's own line says what happened to it.
    }
    this.dataset.fault = "differs";
    this.dataset.state = "error";
    fault.textContent = words.ui("deal.differs");
  }

  // Playing on

  #player() {
    const { words, stage, status } = this;
    if (!words || !stage || !status) throw new Error("not built");
    this.play ??= new Play({
      slug: this.slug ?? "",
      deal: this.deal ?? "",
      words,
      stage,
      status,
      started: () => this.#leaveExample(),
      ended: () => this.#backToExample(),
    });
    return this.play;
  }

  /** What the example says of hidden cards leaves the page while the reader plays. */
  #leaveExample() {
    const kept = [".deal-title", ".special", ".stage", ".engine-status", ".deal-fault"];
    this.example = [...this.childNodes];
    for (const part of [...this.children]) {
      if (!part.matches(kept.join())) part.remove();
    }
    this.heights?.disconnect();
    this.stage?.replaceChildren();
    this.stage?.style.removeProperty("min-height");
  }

  #backToExample() {
    if (this.example) this.replaceChildren(...this.example);
    this.#keepHeights();
    this.#go(this.step);
  }

  /** @param {number} seat */
  async #takeOver(seat) {
    try {
      const { record } = await this.#data();
      this.#player().start({ ...record, moves: record.moves.slice(0, this.step) }, seat);
    } catch {
      this.#failed();
    }
  }
}

/**
 * Has parts stay as high as they were at their highest, so that what stands below keeps its place while
 * the reader goes from step to step. They are measured when the browser has laid them out anyway.
 * @param {HTMLElement[]} parts
 */
function keepHeights(...parts) {
  /** @type {Map<Element, number>} */
  const widths = new Map();
  const observer = new ResizeObserver((sizes) => {
    requestAnimationFrame(() => {
      for (const { target, borderBoxSize } of sizes) {
        if (!(target instanceof HTMLElement)) continue;
        const [{ inlineSize, blockSize }] = borderBoxSize;
        const isSame = widths.get(target) === inlineSize;
        widths.set(target, inlineSize);
        // After turning a phone, say, it is found out anew.
        target.style.minHeight = isSame || !target.style.minHeight ? `${blockSize}px` : "";
      }
    });
  });
  for (const part of parts) observer.observe(part, { box: "border-box" });
  return observer;
}

/**
 * Marks the cards that the step's move put down.
 * @param {HTMLElement} drawn
 * @param {string | null} move
 * @param {number | null} seat
 */
function markFresh(drawn, move, seat) {
  if (!move || seat === null) return;
  const codes = new Set(move.split(":")[0].split(" ").slice(1));
  for (const card of drawn.querySelectorAll(".zone:not(.zone-hand) .card")) {
    if (card instanceof HTMLElement && codes.has(card.dataset.card ?? ""))
      card.classList.add("fresh");
  }
}
