// A game's page under other rules. The build has put every reading of a sentence, table or example into
// the page; turning a switch shows the one that applies. The choice stands in the address as
// `?rules=option:value,…`, and a `rules-change` event tells it to whoever wants to follow.

import { said, say } from "./address.js";
import { button, el } from "./dom.js";

/** @typedef {Record<string, string>} Choices by switch; the rule set is one of them */

const RULE_SET = "rule_set";

export class RulePage extends HTMLElement {
  /** @type {Choices} */
  #start = {};
  /** @type {Choices} */
  #chosen = {};
  /** @type {HTMLElement | null} */
  #bar = null;

  connectedCallback() {
    this.#start = JSON.parse(this.dataset.start ?? "{}");
    this.#chosen = this.#fromAddress();
    this.addEventListener("change", (event) => this.#turned(event.target));
    this.#show();
  }

  /** @returns {HTMLInputElement[]} */
  get #inputs() {
    return [...this.querySelectorAll("input")].filter((i) => i.closest("[data-switch]"));
  }

  /**
   * The choices that a rule set begins with.
   * @param {string} ruleSet
   * @returns {Choices}
   */
  #usual(ruleSet) {
    const input = this.#inputs.find((i) => i.name === RULE_SET && i.value === ruleSet);
    const options = JSON.parse(input?.dataset.defaults ?? "{}");
    return { ...this.#start, ...options, [RULE_SET]: ruleSet };
  }

  #fromAddress() {
    const pairs = (said("rules") ?? "").split(",").map((pair) => pair.split(":"));
    const known = pairs.filter(([name, value]) =>
      this.#inputs.some((i) => i.name === name && i.value === value),
    );
    const named = Object.fromEntries(known);
    return { ...this.#usual(named[RULE_SET] ?? this.#start[RULE_SET]), ...named };
  }

  /** What stands otherwise than the page begins with. */
  get #changed() {
    const usual = this.#usual(this.#chosen[RULE_SET]);
    return Object.entries(this.#chosen).filter(([name, value]) =>
      name === RULE_SET ? value !== this.#start[RULE_SET] : value !== usual[name],
    );
  }

  /** @param {EventTarget | null} target */
  #turned(target) {
    if (!(target instanceof HTMLInputElement) || !target.closest("[data-switch]")) return;
    if (target.name === RULE_SET) this.#chosen = this.#usual(target.value);
    else this.#chosen = { ...this.#chosen, [target.name]: target.value };
    this.#show();
  }

  #show() {
    for (const input of this.#inputs) input.checked = this.#chosen[input.name] === input.value;
    for (const part of this.querySelectorAll("[data-readings]")) {
      if (part instanceof HTMLElement) this.#read(part);
    }
    const changed = this.#changed;
    say({ rules: changed.map((pair) => pair.join(":")).join(",") || null });
    this.#tell(changed.map(([name, value]) => this.#inWords(name, value)));
    const { [RULE_SET]: rule_set, ...options } = this.#chosen;
    document.dispatchEvent(new CustomEvent("rules-change", { detail: { rule_set, options } }));
  }

  /** @param {HTMLElement} part */
  #read(part) {
    const first = part.querySelector("[data-default]");
    const others = [...part.querySelectorAll("[data-when]")];
    const fits = others.find((other) => {
      const when = Object.entries(JSON.parse(other.getAttribute("data-when") ?? "{}"));
      return when.every(([name, value]) => this.#chosen[name] === value);
    });
    for (const reading of [first, ...others]) {
      if (reading) reading.toggleAttribute("hidden", reading !== (fits ?? first));
    }
    if (fits) part.dataset.changed = this.dataset.changedLabel;
    else delete part.dataset.changed;
    // A table that belongs to another rule set has no rows under this one.
    if (part.matches(".lookup")) part.hidden = !(fits ?? first)?.childElementCount;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #inWords(name, value) {
    const input = this.#inputs.find((i) => i.name === name && i.value === value);
    const title = input?.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
    const label = input?.parentElement?.querySelector(".label")?.textContent ?? "";
    return `${title}：${label}`;
  }

  /** @param {string[]} changes in words */
  #tell(changes) {
    if (!this.#bar) {
      const words = el("span", { role: "status" });
      const reset = button(this.dataset.resetLabel ?? "", () => {
        this.#chosen = this.#usual(this.#start[RULE_SET]);
        this.#show();
      });
      this.#bar = el("p", { class: "in-force" }, words, reset);
      this.append(this.#bar);
    }
    this.#bar.hidden = !changes.length;
    const text = changes.length ? `${this.dataset.stateLabel}${changes.join("；")}` : "";
    const status = this.#bar.querySelector("[role=status]");
    if (status && status.textContent !== text) status.textContent = text;
  }
}
