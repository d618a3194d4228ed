// Which rules are in force: the rule set and the house rules, to choose from and in words.

import { choice, el } from "./dom.js";

/** @typedef {import("./data.js").Json} Json */
/** @typedef {import("./words.js").Words} Words */

export class RuleChoice {
  /**
   * @param {Words} words
   * @param {() => void} changed
   */
  constructor(words, changed) {
    this.words = words;
    this.game = words.data.game;
    const sets = this.game.rule_sets;
    const titles = sets.map(({ id, title }) => /** @type {[string, string]} */ ([id, title]));
    const { row, select } = choice(words.ui("check.rule-set"), titles);
    this.ruleSet = select;
    row.hidden = sets.length < 2;
    /** @type {Map<string, HTMLSelectElement>} */
    this.options = new Map();
    const box = el("details", { class: "options" }, el("summary", {}, words.ui("check.options")));
    for (const option of this.game.options) {
      const values = option.values.map(
        ({ id, label }) => /** @type {[string, string]} */ ([id, label]),
      );
      const made = choice(option.title, values);
      made.select.addEventListener("input", changed);
      this.options.set(option.id, made.select);
      box.append(made.row);
    }
    box.hidden = !this.options.size;
    select.addEventListener("input", () => {
      this.#defaults();
      changed();
    });
    this.#defaults();
    this.element = el("div", { class: "rules" }, row, box);
  }

  #defaults() {
    for (const [id, select] of this.options) select.value = this.#usual(id);
  }

  /** @param {string} option */
  #usual(option) {
    const set = this.game.rule_sets.find(({ id }) => id === this.ruleSet.value);
    const first = this.game.options.find(({ id }) => id === option)?.values[0].id ?? "";
    return set?.options[option] ?? first;
  }

  /** All of it. */
  get chosen() {
    const options = [...this.options].map(([id, select]) => [id, select.value]);
    return { rule_set: this.ruleSet.value, options: Object.fromEntries(options) };
  }

  /** Whether every option stands as the rule set has it. */
  get isPlain() {
    return [...this.options].every(([id, select]) => select.value === this.#usual(id));
  }

  /** What a question says of it: the rule set where there are several, the options that were changed. */
  get asked() {
    const changed = [...this.options].filter(([id, select]) => select.value !== this.#usual(id));
    const options = Object.fromEntries(changed.map(([id, select]) => [id, select.value]));
    return {
      ...(this.game.rule_sets.length > 1 ? { rule_set: this.ruleSet.value } : {}),
      ...(changed.length ? { options } : {}),
    };
  }

  /**
   * Chooses what a question says, as far as the game knows it.
   * @param {Record<string, Json>} question
   */
  set(question) {
    const named = this.game.rule_sets.find(({ id }) => id === question.rule_set);
    this.ruleSet.value = (named ?? this.game.rule_sets[0]).id;
    this.#defaults();
    for (const { id, values } of this.game.options) {
      const value = question.options?.[id];
      const select = this.options.get(id);
      if (select && values.some((v) => v.id === value)) select.value = value;
    }
  }

  /**
   * @param {string} ruleSet
   * @param {Record<string, string>} options
   */
  inWords(ruleSet, options) {
    const set = this.game.rule_sets.find(({ id }) => id === ruleSet);
    const parts = this.game.rule_sets.length > 1 && set ? [set.title] : [];
    for (const { id, title, values } of this.game.options) {
      const label = values.find((v) => v.id === options[id])?.label;
      if (label) parts.push(this.words.ui("check.option", { title, label }));
    }
    return parts.join(this.words.ui("check.and"));
  }
}
