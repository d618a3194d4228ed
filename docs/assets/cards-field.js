// A field that takes cards: picked from a grid, or typed as people write them.

import { CardPicker } from "./card-picker.js";
import { cardButton } from "./cards.js";
import { button, el, newId } from "./dom.js";
import { Refused } from "./engine-client.js";

/** @typedef {import("./data.js").Form} Form */
/** @typedef {import("./data.js").Json} Json */
/** @typedef {import("./fields.js").Desk} Desk */

const MOST_SHOWN = 400;
const CODE = /^(?:[SHDC](?:10|[2-9JQKA])|DW|XW)$/;

/**
 * Whether there is a card in a value, however deep.
 * @param {Json} value
 * @returns {boolean}
 */
export function holdsCards(value) {
  if (typeof value === "string") return CODE.test(value);
  return typeof value === "object" && Object.values(value ?? {}).some(holdsCards);
}

export class CardsField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    this.form = form;
    this.desk = desk;
    this.one = form.type === "card";
    const { words } = desk;
    /** @type {string[]} */
    this.cards = [];
    /** @type {Promise<void>} */
    this.reading = Promise.resolve();
    this.count = el("span", { class: "count" });
    this.chosen = el("div", { class: "chosen" });
    this.place = el("div", { id: newId(), class: "picker-place" });
    this.opener = button(words.ui("field.pick"), () => this.#toggle(), {
      "aria-expanded": "false",
      "aria-controls": this.place.id,
    });
    this.input = el("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-label": `${form.label ?? ""} ${words.ui("field.type")}`,
      placeholder: words.ui("field.type"),
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("change", () => this.#read());
    this.input.addEventListener("input", () => desk.changed());
    this.clearer = button(words.ui("field.clear"), () => {
      this.#put([]);
      this.opener.focus();
    });
    const tools = el("div", { class: "cards-tools" }, this.opener, this.input);
    this.taken = el("div", { class: "taken" }, this.chosen, this.clearer);
    this.fault = el("p", { class: "field-fault", id: newId() });
    this.element = el(
      "fieldset",
      { class: "field field-cards" },
      el("legend", {}, form.label ?? "", " ", this.count),
      tools,
      this.fault,
      this.place,
      // Below the grid, which stays where it is while the chosen cards grow in number.
      this.taken,
    );
    this.#show();
    if (!desk.open && !desk.folded) this.#toggle();
  }

  /** The cards, with what is typed and not read yet; the engine reads that too. */
  get() {
    const typed = this.input.value.trim();
    if (!this.one) return typed ? [...this.cards, typed] : [...this.cards];
    return this.cards[0] ?? (typed || (this.form.nullable ? null : undefined));
  }

  /** @param {Json} value */
  set(value) {
    const texts = (Array.isArray(value) ? value : [value]).filter((t) => typeof t === "string");
    const known = texts.filter((t) => CODE.test(t)).slice(0, MOST_SHOWN);
    const others = texts.filter((t) => !CODE.test(t));
    this.cards = this.one ? known.slice(0, 1) : known;
    this.input.value = others.join(" ").slice(0, 2000);
    this.#show();
    this.#read(false);
  }

  at() {
    return this;
  }

  async settle() {
    await this.reading;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // Enter while composing ends the word that is being composed, nothing else.
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
    if (!this.input.value.trim()) return;
    event.preventDefault();
    this.#read();
  }

  /**
   * Has the engine read what was typed. What it cannot read stays, with the reason.
   * @param {boolean} [typed] whether the reader typed it just now
   */
  #read(typed = true) {
    const text = this.input.value.trim();
    if (!text) return;
    this.reading = this.desk
      .readCards(text)
      .then((codes) => {
        if (this.input.value.trim() === text) this.input.value = "";
        this.fault.textContent = "";
        this.cards = this.one ? codes.slice(-1) : [...this.cards, ...codes];
        this.#show();
        if (typed) this.desk.changed();
      })
      .catch((error) => {
        // Without an engine the text stays as it is, and goes with the question.
        if (error instanceof Refused) this.fault.textContent = withoutPlace(error);
      });
  }

  /** @param {string[]} cards */
  #put(cards) {
    this.cards = cards;
    this.#show();
    this.desk.changed();
  }

  /** @param {string} code */
  #press(code) {
    const n = this.cards.filter((c) => c === code).length;
    const copies = this.desk.cards[code] ?? 1;
    if (this.one) this.#put(n ? [] : [code]);
    else if (n < copies) this.#put([...this.cards, code]);
    else this.#put(this.cards.filter((c) => c !== code));
  }

  #toggle() {
    const { desk } = this;
    const opens = desk.open !== this;
    desk.open?.close();
    if (!opens) return;
    desk.open = this;
    this.picker = new CardPicker(desk.cards, desk.words, (code) => this.#press(code));
    this.picker.show(this.cards);
    this.place.append(this.picker.element);
    this.opener.setAttribute("aria-expanded", "true");
  }

  close() {
    this.desk.open = null;
    this.picker = undefined;
    this.place.replaceChildren();
    this.opener.setAttribute("aria-expanded", "false");
  }

  #show() {
    const { words } = this.desk;
    const focused = this.chosen.contains(document.activeElement);
    this.chosen.replaceChildren(
      ...this.cards.map((code, i) => {
        const chip = cardButton(
          code,
          words,
          words.ui("field.take-out", { card: words.card(code) }),
        );
        chip.addEventListener("click", () => this.#put(this.cards.filter((_, j) => j !== i)));
        return chip;
      }),
    );
    if (focused) (this.chosen.querySelector("button") ?? this.opener).focus();
    this.count.textContent = words.ui("field.chosen", { n: this.cards.length });
    this.taken.hidden = !this.cards.length;
    this.picker?.show(this.cards);
  }
}

/**
 * The engine's line without the name of the field it stands beside.
 * @param {Refused} refused
 */
export function withoutPlace(refused) {
  const { field, message } = refused;
  return message.startsWith(field) ? message.slice(field.length + 1) : message;
}
