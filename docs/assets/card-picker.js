// The grid of a game's cards to choose from: by tap, or by arrow keys and space.

import { cardButton } from "./cards.js";
import { el } from "./dom.js";

/** @typedef {import("./words.js").Words} Words */

/** A second tap on the same card within so many milliseconds is a shaky finger, not a choice. */
const DOUBLE_TAP = 350;

export class CardPicker {
  /**
   * @param {Record<string, number>} copies the cards, with how many there are of each
   * @param {Words} words
   * @param {(code: string) => void} pressed
   */
  constructor(copies, words, pressed) {
    this.words = words;
    this.pressed = pressed;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.element = el("div", {
      class: "picker",
      role: "group",
      "aria-label": words.ui("field.grid"),
    });
    for (const codes of rows(Object.keys(copies))) {
      const row = el("div", { class: "picker-row" });
      for (const code of codes) row.append(this.#button(code));
      this.element.append(row);
    }
    this.element.addEventListener("keydown", (event) => this.#key(event));
    const first = this.element.querySelector("button");
    if (first) first.tabIndex = 0;
  }

  /** @param {string} code */
  #button(code) {
    const button = cardButton(code, this.words, this.words.card(code));
    button.tabIndex = -1;
    button.setAttribute("aria-pressed", "false");
    let last = Number.NEGATIVE_INFINITY;
    button.addEventListener("click", (event) => {
      // A key press has no detail; holding the key down repeats nothing, as clicks come on release.
      const shaky = event.detail > 0 && event.timeStamp - last < DOUBLE_TAP;
      last = event.timeStamp;
      this.#focusable(button);
      if (!shaky) this.pressed(code);
    });
    this.buttons.set(code, button);
    return button;
  }

  /**
   * Shows how many of each card are chosen.
   * @param {string[]} chosen
   */
  show(chosen) {
    for (const [code, button] of this.buttons) {
      const n = chosen.filter((c) => c === code).length;
      const name = this.words.card(code);
      button.setAttribute("aria-pressed", String(n > 0));
      button.setAttribute(
        "aria-label",
        n > 1 ? this.words.ui("field.copies", { card: name, n }) : name,
      );
      if (n > 1) button.dataset.count = String(n);
      else delete button.dataset.count;
    }
  }

  /** @param {HTMLButtonElement} button */
  #focusable(button) {
    for (const other of this.buttons.values()) other.tabIndex = other === button ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const all = [...this.buttons.values()];
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => HTMLButtonElement | undefined>} */
    const ways = {
      ArrowRight: () => all[at + 1],
      ArrowLeft: () => all[at - 1],
      ArrowDown: () => nextLine(all, all[at], 1),
      ArrowUp: () => nextLine(all, all[at], -1),
      Home: () => all[0],
      End: () => all.at(-1),
    };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const to = way();
    if (!to) return;
    this.#focusable(to);
    to.focus();
  }
}

/**
 * Cards in rows as they are shown: the jokers, then suit by suit.
 * @param {string[]} codes
 */
function rows(codes) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const key of ["joker", "S", "H", "D", "C"]) found.set(key, []);
  for (const code of codes)
    found.get(code === "DW" || code === "XW" ? "joker" : code[0])?.push(code);
  return [...found.values()].filter((row) => row.length);
}

/**
 * The button nearest above or below, as the grid is broken into lines on this screen.
 * @param {HTMLButtonElement[]} all
 * @param {HTMLButtonElement} from
 * @param {1 | -1} way
 */
function nextLine(all, from, way) {
  const here = from.getBoundingClientRect();
  const others = all.map((button) => ({ button, box: button.getBoundingClientRect() }));
  const beyond = others.filter(({ box }) => (box.top - here.top) * way > here.height / 2);
  if (!beyond.length) return undefined;
  const nearest = Math.min(...beyond.map(({ box }) => Math.abs(box.top - here.top)));
  const line = beyond.filter(({ box }) => Math.abs(box.top - here.top) < nearest + here.height / 2);
  line.sort((a, b) => Math.abs(a.box.left - here.left) - Math.abs(b.box.left - here.left));
  return line[0].button;
}
