// What the reader is told of the engine: that it is starting, or that it could not.

import { button, el } from "./dom.js";
import { engine } from "./engine-client.js";

/** @typedef {import("./engine-client.js").NoAnswer} NoAnswer */
/** @typedef {import("./words.js").Words} Words */

/** A line that follows the engine's state, and keeps `data-state` of its widget. */
export class EngineStatus {
  /** Whether something went wrong that the reader has not yet answered. */
  #told = false;

  /**
   * @param {HTMLElement} widget
   * @param {Words} words
   * @param {() => boolean} [waits] whether the widget has a use for the engine: else that it is starting is
   *   no news, and a line that comes and goes would move what stands below
   */
  constructor(widget, words, waits = () => true) {
    this.widget = widget;
    this.words = words;
    this.waits = waits;
    this.element = el("div", { class: "engine-status", role: "status" });
    this.follow = () => this.#follow();
    engine.addEventListener("state", this.follow);
    this.#follow();
  }

  /** Ends following; the widget has left the page. */
  end() {
    engine.removeEventListener("state", this.follow);
  }

  /**
   * Says why there is no answer, with the next step.
   * @param {NoAnswer} why
   * @param {() => void} again
   */
  tell(why, again) {
    this.#told = true;
    this.#offer(why.kind, again);
  }

  /** Takes back what was said of an answer that did not come. */
  clear() {
    this.#told = false;
    this.element.replaceChildren();
    this.#follow();
  }

  #follow() {
    if (this.widget.dataset.state === "error" && this.widget.dataset.fault) return;
    this.widget.dataset.state = engine.state;
    // An engine that is started again, for whatever reason, has not answered what was asked.
    if (this.#told) return;
    if (engine.state === "loading" && this.waits()) this.#say(this.words.ui("engine.loading"));
    if (engine.state === "ready") this.element.replaceChildren();
    if (engine.state === "error") this.#offer("failed", () => engine.start());
  }

  /**
   * @param {NoAnswer["kind"]} fault
   * @param {() => void} again
   */
  #offer(fault, again) {
    this.#say(this.words.ui(`engine.${fault}`));
    this.element.append(" ", button(this.words.ui("engine.retry"), again));
  }

  /** @param {string} text */
  #say(text) {
    this.element.replaceChildren(el("span", {}, text));
  }
}
