// Fields of a question, each made from the description of what it takes (engine/fields.py).
// They hold what the reader put in; whether it is a question, the engine says.

import { CardsField } from "./cards-field.js";
import { button, el, newId } from "./dom.js";

/** @typedef {import("./data.js").Form} Form */
/** @typedef {import("./data.js").Json} Json */
/** @typedef {import("./words.js").Words} Words */
/**
 * @typedef {object} Desk What all fields of one form share.
 * @property {Words} words
 * @property {Record<string, number>} cards
 * @property {(text: string) => Promise<string[]>} readCards
 * @property {() => void} changed
 * @property {CardsField | null} open The field whose card grid is open.
 * @property {boolean} folded Whether no grid opens by itself.
 */
/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {Form} form
 * @property {() => Json} get
 * @property {(value: Json) => void} set
 * @property {(steps: (string | number)[]) => Field} at The field at a place inside, or this one.
 * @property {() => Promise<void>} settle Waits for what was typed to be read.
 */

/** No form shows more entries of a list than this. */
const MOST_ENTRIES = 60;

/**
 * The field for a description.
 * @param {Form} form
 * @param {Desk} desk
 * @returns {Field}
 */
export function makeField(form, desk) {
  if (form.type === "card" || form.type === "cards") return new CardsField(form, desk);
  const Made = KINDS[form.type] ?? TextField;
  if (form.nullable && COMPOUND.has(form.type)) {
    return new MaybeField(form, desk, new Made({ ...form, label: "", nullable: false }, desk));
  }
  return new Made(form, desk);
}

const COMPOUND = new Set(["list", "fixed", "record", "one-of", "by-suit", "by-card"]);

/** @implements {Field} */
class SimpleField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   * @param {HTMLElement & {id: string}} control
   */
  constructor(form, desk, control) {
    this.form = form;
    this.desk = desk;
    control.id = newId();
    control.addEventListener("input", () => desk.changed());
    const label = el("label", { for: control.id }, form.label ?? "");
    this.element = el("div", { class: "field" }, label, control);
  }

  get() {
    return /** @type {Json} */ (undefined);
  }

  /** @param {Json} _value */
  set(_value) {}

  at() {
    return this;
  }

  async settle() {}
}

class TextField extends SimpleField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    const input = el("input", { type: "text", autocomplete: "off" });
    super(form, desk, input);
    this.input = input;
  }

  get() {
    const text = this.input.value.trim();
    return text === "" && this.form.nullable ? null : text;
  }

  /** @param {Json} value */
  set(value) {
    this.input.value = typeof value === "string" ? value : "";
  }
}

class NumberField extends SimpleField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    const { least = 0, most = 0, step = 1 } = form;
    const input = el("input", {
      type: "number",
      inputmode: least < 0 ? "text" : "numeric",
      min: least,
      max: most,
      step,
      autocomplete: "off",
    });
    super(form, desk, input);
    this.input = input;
  }

  get() {
    if (this.input.value === "") return this.form.nullable ? null : undefined;
    return Number(this.input.value);
  }

  /** @param {Json} value */
  set(value) {
    this.input.value = typeof value === "number" ? String(value) : "";
  }
}

class ChoiceField extends SimpleField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   * @param {[Json, string][]} [choices]
   */
  constructor(form, desk, choices = choicesOf(form, desk.words)) {
    const select = el("select");
    super(form, desk, select);
    this.select = select;
    /** @type {[Json, string][]} */
    this.choices = form.nullable ? [[null, desk.words.ui("field.empty")], ...choices] : choices;
    for (const [, text] of this.choices) select.append(el("option", {}, text));
  }

  get() {
    return this.choices[this.select.selectedIndex]?.[0];
  }

  /** @param {Json} value */
  set(value) {
    const at = this.choices.findIndex(([known]) => known === value);
    this.select.selectedIndex = Math.max(at, 0);
  }
}

/**
 * The values that a description lets choose from, with their texts.
 * @param {Form} form
 * @param {Words} words
 * @returns {[Json, string][]}
 */
function choicesOf(form, words) {
  if (form.type === "seat") {
    const { least = 0, most = 0 } = form;
    return Array.from({ length: most - least + 1 }, (_, i) => [least + i, words.seat(least + i)]);
  }
  const values = form.values ?? [];
  if (form.type === "suit") return values.map((suit) => [suit, words.suit(suit)]);
  return values.map((value, i) => [value, form.labels?.[i] ?? value]);
}

class FlagField extends SimpleField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    const box = el("input", { type: "checkbox" });
    super(form, desk, box);
    this.box = box;
    this.element.classList.add("field-flag");
  }

  get() {
    return this.box.checked;
  }

  /** @param {Json} value */
  set(value) {
    this.box.checked = value === true;
  }
}

/**
 * Fields under one heading.
 * @implements {Field}
 */
class GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    this.form = form;
    this.desk = desk;
    this.element = el("fieldset", { class: `field field-group field-${form.type}` });
    if (form.label) this.element.append(el("legend", {}, form.label));
  }

  /** @returns {Map<string | number, Field>} */
  get parts() {
    return new Map();
  }

  get() {
    return /** @type {Json} */ (undefined);
  }

  /** @param {Json} _value */
  set(_value) {}

  /** @param {(string | number)[]} steps @returns {Field} */
  at(steps) {
    const part = steps.length ? this.parts.get(steps[0]) : undefined;
    return part ? part.at(steps.slice(1)) : this;
  }

  async settle() {
    for (const part of this.parts.values()) await part.settle();
  }
}

class RecordField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    /** @type {Map<string | number, Field>} */
    this.fields = new Map((form.fields ?? []).map((f) => [f.name ?? "", makeField(f, desk)]));
    for (const field of this.fields.values()) this.element.append(field.element);
  }

  get parts() {
    return this.fields;
  }

  get() {
    return Object.fromEntries([...this.fields].map(([name, field]) => [name, field.get()]));
  }

  /** @param {Json} value */
  set(value) {
    const given = isRecord(value) ? value : {};
    for (const [name, field] of this.fields) field.set(given[name]);
  }
}

class FixedField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    const forms = Array.isArray(form.of) ? form.of : [];
    /** @type {Field[]} */
    this.fields = forms.map((f) => makeField(f, desk));
    for (const field of this.fields) this.element.append(field.element);
  }

  get parts() {
    return new Map(this.fields.map((field, i) => /** @type {const} */ ([i, field])));
  }

  get() {
    return this.fields.map((field) => field.get());
  }

  /** @param {Json} value */
  set(value) {
    this.fields.forEach((field, i) => {
      field.set(Array.isArray(value) ? value[i] : undefined);
    });
  }
}

/** Entries of one kind; the reader adds and removes them unless their number is fixed. */
class ListField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    this.of = /** @type {Form} */ (form.of);
    this.least = form.least ?? 0;
    this.most = Math.min(form.most ?? MOST_ENTRIES, MOST_ENTRIES);
    /** @type {Field[]} */
    this.fields = [];
    this.entries = el("div", { class: "entries" });
    this.adder = button(desk.words.ui("field.add"), () => {
      this.#push(undefined);
      this.desk.changed();
      const entry = this.entries.lastElementChild?.querySelector("input, select, button");
      if (entry instanceof HTMLElement) entry.focus();
    });
    this.element.append(this.entries, this.adder);
    this.set([]);
  }

  get parts() {
    return new Map(this.fields.map((field, i) => /** @type {const} */ ([i, field])));
  }

  get() {
    return this.fields.map((field) => field.get());
  }

  /** @param {Json} value */
  set(value) {
    const given = Array.isArray(value) ? value.slice(0, this.most) : [];
    this.fields = [];
    while (given.length < this.least && given.length < this.most) given.push(undefined);
    const { open } = this.desk;
    if (open && this.entries.contains(open.element)) open.close();
    this.entries.replaceChildren();
    for (const entry of given) this.#push(entry);
    this.#number();
  }

  /** @param {Json} value */
  #push(value) {
    const n = this.fields.length;
    const name = this.form.by_seat
      ? this.desk.words.seat(n)
      : this.desk.words.ui("field.item", { n: n + 1 });
    const field = makeField({ ...this.of, label: name }, this.desk);
    field.set(value);
    this.fields.push(field);
    const entry = el("div", { class: "entry" }, field.element);
    entry.append(button("×", () => this.#drop(field), { class: "button entry-remove" }));
    this.entries.append(entry);
    this.#number();
  }

  /** @param {Field} field */
  #drop(field) {
    const kept = this.fields.filter((f) => f !== field).map((f) => f.get());
    this.set(kept);
    this.desk.changed();
    this.adder.focus();
  }

  #number() {
    const removable = this.fields.length > this.least;
    this.entries.querySelectorAll(":scope > .entry > .entry-remove").forEach((remove, i) => {
      remove.setAttribute("aria-label", this.desk.words.ui("field.remove", { n: i + 1 }));
      /** @type {HTMLElement} */ (remove).hidden = !removable;
    });
    this.adder.hidden = this.fields.length >= this.most;
  }
}

/** One of several fields, told apart by name. */
class OneOfField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    /** @type {Map<string | number, Field>} */
    this.fields = new Map();
    this.select = el("select", { "aria-label": form.label || null });
    for (const f of form.fields ?? []) {
      const field = makeField(f, desk);
      this.fields.set(f.name ?? "", field);
      this.select.append(el("option", { value: f.name ?? "" }, f.label ?? f.name ?? ""));
    }
    this.select.addEventListener("input", () => {
      this.#show();
      desk.changed();
    });
    this.element.append(this.select, ...[...this.fields.values()].map((f) => f.element));
    this.#show();
  }

  #show() {
    for (const [name, field] of this.fields) field.element.hidden = name !== this.select.value;
  }

  get parts() {
    return this.fields;
  }

  get() {
    return { [this.select.value]: this.fields.get(this.select.value)?.get() };
  }

  /** @param {Json} value */
  set(value) {
    const name = isRecord(value) ? Object.keys(value).find((n) => this.fields.has(n)) : undefined;
    if (name !== undefined) {
      this.select.value = name;
      this.fields.get(name)?.set(value[name]);
    }
    this.#show();
  }
}

/** A value that may be missing altogether. */
class MaybeField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   * @param {Field} inner
   */
  constructor(form, desk, inner) {
    super({ ...form, label: "", type: "maybe" }, desk);
    this.inner = inner;
    const there = new FlagField({ type: "flag", label: form.label ?? "" }, desk);
    this.there = there;
    there.box.addEventListener("input", () => this.#show());
    this.element.append(there.element, inner.element);
    this.#show();
  }

  #show() {
    this.inner.element.hidden = !this.there.get();
  }

  get() {
    return this.there.get() ? this.inner.get() : null;
  }

  /** @param {Json} value */
  set(value) {
    this.there.set(value !== null && value !== undefined);
    this.inner.set(value);
    this.#show();
  }

  /** @param {(string | number)[]} steps @returns {Field} */
  at(steps) {
    return this.inner.at(steps);
  }

  async settle() {
    await this.inner.settle();
  }
}

/** A value for some of the suits. */
class BySuitField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    const of = /** @type {Form} */ (form.of);
    const forms = (form.keys ?? []).map((suit) => ({
      ...of,
      name: suit,
      label: desk.words.suit(suit),
      nullable: true,
    }));
    /** @type {Map<string | number, Field>} */
    this.fields = new Map(forms.map((f) => [f.name, makeField(f, desk)]));
    for (const field of this.fields.values()) this.element.append(field.element);
  }

  get parts() {
    return this.fields;
  }

  get() {
    const given = [...this.fields].map(([suit, field]) => [suit, field.get()]);
    return Object.fromEntries(given.filter(([, value]) => value !== null));
  }

  /** @param {Json} value */
  set(value) {
    const given = isRecord(value) ? value : {};
    for (const [suit, field] of this.fields) field.set(given[suit] ?? null);
  }
}

/** A value for some cards: a list of cards, each with its value. */
class ByCardField extends GroupField {
  /**
   * @param {Form} form
   * @param {Desk} desk
   */
  constructor(form, desk) {
    super(form, desk);
    const of = /** @type {Form} */ (form.of);
    this.list = new ListField(
      {
        type: "list",
        of: {
          type: "fixed",
          of: [
            { type: "card", label: desk.words.ui("field.card") },
            { ...of, label: of.label ?? desk.words.ui("field.value") },
          ],
        },
      },
      desk,
    );
    this.element.append(this.list.element);
  }

  get() {
    /** @type {[Json, Json][]} */
    const pairs = this.list.get();
    return Object.fromEntries(pairs.map(([card, value]) => [card ?? "", value]));
  }

  /** @param {Json} value */
  set(value) {
    this.list.set(isRecord(value) ? Object.entries(value) : []);
  }

  async settle() {
    await this.list.settle();
  }
}

/** @param {Json} value */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {Record<string, new (form: Form, desk: Desk) => Field>} */
const KINDS = {
  int: NumberField,
  seat: ChoiceField,
  choice: ChoiceField,
  suit: ChoiceField,
  rank: ChoiceField,
  flag: FlagField,
  list: ListField,
  fixed: FixedField,
  record: RecordField,
  "one-of": OneOfField,
  "by-suit": BySuitField,
  "by-card": ByCardField,
};

/**
 * A whole question: its fields side by side.
 * @param {Form[]} forms
 * @param {Desk} desk
 */
export function makeQuestion(forms, desk) {
  return new RecordField({ type: "record", fields: forms }, desk);
}

/**
 * A place in a question as the engine names it (`bids[0][1]`, `rows.S`), in steps.
 * @param {string} place
 */
export function stepsOf(place) {
  return [...place.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, n, name]) =>
    n === undefined ? name : Number(n),
  );
}
