// <hand-check game="SLUG">: a question to the engine, put together by hand, and its verdict.

import { linkTo, onOpen, said, say } from "./address.js";
import { tokens } from "./cards.js";
import { holdsCards, withoutPlace } from "./cards-field.js";
import { pageLang, widgetData } from "./data.js";
import { button, el, newId, ownTurn, shown } from "./dom.js";
import { engine, NoAnswer, Refused } from "./engine-client.js";
import { EngineStatus } from "./engine-status.js";
import { makeQuestion, stepsOf } from "./fields.js";
import { isFree, stayAt } from "./place.js";
import { reasonList } from "./reasons.js";
import { RuleChoice } from "./rule-choice.js";
import { suitChoice } from "./suit-choice.js";
import { Words } from "./words.js";

/** @typedef {import("./data.js").Check} Check */
/** @typedef {import("./data.js").Forms} Forms */
/** @typedef {import("./data.js").Json} Json */
/** @typedef {import("./data.js").Reason} Reason */
/** @typedef {{answer: Json, said: string[], reasons: Reason[], rule_set: string, options: Record<string, string>}} Answer */

/** The address follows the form after so many milliseconds of rest. */
const REST = 200;
/** A link's question longer than this is not put into the form; the engine refuses it by itself. */
const LONGEST_FILLED = 20_000;

/** @typedef {{rule_set: string, options: Record<string, string>}} PageRules */

/**
 * The rules that the page shows, as its switches stand (rule-page.js).
 * @type {PageRules | undefined}
 */
let pageRules;
document.addEventListener("rules-change", (event) => {
  pageRules = event instanceof CustomEvent ? event.detail : undefined;
});

/** Called when the first question has been dealt with. */
let done = () => {};
/** @type {Promise<void>} */
export const firstAnswer = new Promise((resolve) => {
  done = resolve;
});

export class HandCheck extends HTMLElement {
  /** @type {object | undefined} What was asked last, while its answer is awaited. */
  latest;
  /** Whether the card grid stays shut: a question that somebody put together shows its answer at once. */
  folded = false;
  follow = () => this.#followPage();
  rename = () => this.#fill(this.question?.get());

  async connectedCallback() {
    const slug = this.getAttribute("game") ?? "";
    try {
      const data = await widgetData(slug);
      // A question in the address has waited long enough.
      if (said("check") === null) await ownTurn();
      if (this.isConnected && !this.form) this.#build(slug, new Words(data, pageLang()));
    } catch {
      // Without its words the widget stays as the build drew it: readable, and marked.
      this.dataset.state = "error";
    }
  }

  disconnectedCallback() {
    this.sight?.disconnect();
    this.unlisten?.();
    document.removeEventListener("rules-change", this.follow);
    document.removeEventListener("suits-named", this.rename);
    this.status?.end();
  }

  /**
   * @param {string} slug
   * @param {Words} words
   */
  #build(slug, words) {
    this.slug = slug;
    this.words = words;
    this.forms = Object.values(words.data.forms)[0];
    this.output = el("output", { class: "verdict-box" });
    this.status = new EngineStatus(this, words);
    this.rules = new RuleChoice(words, () => this.#rulesChanged());
    this.place = el("div", { class: "question" });
    this.askLine = el("p", { class: "ask" });
    this.picks = el("fieldset", { class: "checks" }, el("legend", {}, words.ui("check.choose")));
    this.shared = el("p", { class: "shared", role: "status" });
    const submit = el(
      "button",
      { type: "submit", class: "button button-main" },
      words.ui("check.ask"),
    );
    const actions = el(
      "div",
      { class: "actions" },
      submit,
      button(words.ui("check.share"), () => this.#share()),
      button(words.ui("check.reset"), () => {
        this.folded = false;
        this.#choose(this.check?.name ?? "");
      }),
    );
    this.form = el(
      "form",
      { class: "check-form", novalidate: true },
      this.picks,
      this.rules.element,
    );
    this.form.append(this.askLine, this.place, actions, this.shared, this.status.element);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.form.addEventListener("keydown", (event) => {
      // Ending a composed word is no question.
      const composing = event.isComposing || event.keyCode === 229;
      if (event.key === "Enter" && composing) event.preventDefault();
    });
    this.#offerChecks();
    const lead = this.querySelector(".widget-lead");
    this.replaceChildren(...(lead ? [lead] : []), this.form, this.output, suitChoice(words));
    this.sight = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      this.sight?.disconnect();
      engine.startWhenIdle();
    });
    this.sight.observe(this);
    this.unlisten = onOpen((values) => this.#open(values.get("check"), values.get("in"), true));
    document.addEventListener("rules-change", this.follow);
    document.addEventListener("suits-named", this.rename);
    const check = said("check");
    if (check === null) {
      this.#choose(this.forms.checks[0].name);
      if (pageRules) this.#followPage();
    } else this.#open(check, said("in"), said("deal") === null && isFree());
  }

  #offerChecks() {
    const { words, picks, forms } = this;
    if (!words || !picks || !forms) return;
    const group = newId();
    const offers = forms.checks.map(({ name, title }) => {
      const radio = el("input", { type: "radio", name: group, value: name });
      radio.addEventListener("change", () => {
        this.folded = false;
        this.#choose(name);
        this.#changed();
      });
      return el("label", { class: "check-pick" }, radio, el("span", {}, tokens(title, words)));
    });
    picks.replaceChildren(el("legend", {}, words.ui("check.choose")), ...offers);
  }

  /**
   * Shows the form of a question, filled as it starts or as given.
   * @param {string} name
   * @param {Json} [value]
   */
  #choose(name, value) {
    const { words, forms, picks, askLine } = this;
    const check = forms?.checks.find((c) => c.name === name);
    if (!words || !check || !picks || !askLine) return;
    this.check = check;
    for (const radio of picks.querySelectorAll("input")) radio.checked = radio.value === name;
    askLine.replaceChildren(tokens(check.ask, words));
    this.#fill(value ?? check.start);
    this.#clear();
  }

  /**
   * Makes the fields of the question that is chosen, with these values.
   * @param {Json} value
   */
  #fill(value) {
    const { words, forms, check, place } = this;
    if (!words || !forms || !check || !place) return;
    this.question = makeQuestion(check.fields, {
      words,
      cards: forms.cards,
      open: null,
      folded: this.folded,
      changed: () => this.#changed(),
      readCards: async (text) => (await engine.ask("cards", { text }, words.lang)).cards,
    });
    this.question.set(value);
    place.replaceChildren(this.question.element);
  }

  /**
   * Other rules may ask for other cards or fields; what was put in stays.
   * @param {boolean} [byHand] whether the reader turned the widget's own switches
   */
  async #rulesChanged(byHand = true) {
    const { words, rules } = this;
    if (!words || !rules) return;
    const { rule_set, options } = rules.chosen;
    this.#takeForms(words.data.forms[rule_set]);
    if (byHand) this.#changed();
    else this.#clear();
    // The page's own switches start no engine.
    if (rules.isPlain || (!byHand && engine.state !== "ready")) return;
    try {
      const forms = await engine.ask("checks", { slug: this.slug, rule_set, options }, words.lang);
      if (rules.chosen.rule_set === rule_set) this.#takeForms(forms);
    } catch {
      // The form of the rule set as it stands will do; the verdict follows the options all the same.
    }
  }

  /** The page's switches were turned: the questions are asked under the same rules. */
  #followPage() {
    if (!this.rules || !pageRules) return;
    const before = JSON.stringify(this.rules.chosen);
    this.rules.set(pageRules);
    if (JSON.stringify(this.rules.chosen) !== before) this.#rulesChanged(false);
  }

  /** @param {Forms | undefined} forms */
  #takeForms(forms) {
    if (!forms || JSON.stringify(forms) === JSON.stringify(this.forms)) return;
    const name = this.check?.name;
    const value = this.question?.get();
    this.forms = forms;
    this.#offerChecks();
    const same = forms.checks.some((c) => c.name === name);
    this.#choose(same && name ? name : forms.checks[0].name, same ? value : undefined);
  }

  /** The question as it goes into the address and to the engine. */
  get asked() {
    return { ...this.question?.get(), ...this.rules?.asked };
  }

  #changed() {
    this.#clear();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isConnected) this.#toAddress();
    }, REST);
  }

  #toAddress() {
    if (this.check) say({ check: this.check.name, in: JSON.stringify(this.asked) });
  }

  /**
   * Opens what a link says, and asks it just as it stands there: the engine judges it.
   * @param {string | null} name
   * @param {string | null} text
   * @param {boolean} scroll
   */
  #open(name, text, scroll) {
    if (name === null || !this.words || !this.rules) return;
    const value = readObject(text);
    this.rules.set(value);
    this.#takeForms(this.words.data.forms[this.rules.chosen.rule_set]);
    const known = this.forms?.checks.some((c) => c.name === name);
    this.folded = Boolean(known) && holdsCards(value);
    this.#choose(known ? name : (this.forms?.checks[0].name ?? ""), value);
    if (scroll) shown().then(() => this.#toView());
    if (known) this.#ask(text ?? "{}");
    else
      this.output?.replaceChildren(el("p", { class: "refusal" }, this.words.ui("check.unknown")));
  }

  /** Scrolls here, unless the reader has gone to a clause meanwhile. */
  #toView() {
    if (!location.hash) stayAt(() => this.scrollIntoView({ block: "start" }));
  }

  /**
   * Asks the engine what the form holds, or the given text.
   * @param {string} [text]
   */
  async #ask(text) {
    const { words, check, output, status } = this;
    if (!words || !check || !output || !status) return;
    if (text === undefined) {
      await this.question?.settle();
      this.#toAddress();
    }
    this.#clear();
    output.replaceChildren(el("p", { class: "asking" }, words.ui("check.asking")));
    const mine = {};
    this.latest = mine;
    try {
      const args = { slug: this.slug, name: check.name, question: text ?? this.asked };
      const answer = await engine.ask("ask", args, words.lang);
      if (this.latest === mine) this.#show(answer);
    } catch (error) {
      if (this.latest !== mine) return;
      output.replaceChildren();
      if (error instanceof Refused) this.#refused(error);
      else if (error instanceof NoAnswer) status.tell(error, () => this.#ask(text));
      else throw error;
    } finally {
      done();
    }
  }

  /** @param {Answer} answer */
  #show(answer) {
    const { words, output, rules } = this;
    if (!words || !output || !rules) return;
    output.dataset.answer = JSON.stringify(answer.answer);
    const lines = answer.said.map((line) => el("li", {}, tokens(line, words)));
    output.replaceChildren(
      el("p", { class: "box-title" }, words.ui("check.answer")),
      el("ul", { class: "said" }, ...lines),
    );
    if (answer.reasons.length) {
      output.append(
        el("p", { class: "box-title" }, words.ui("check.why")),
        reasonList(answer.reasons, words),
      );
    }
    const inForce = rules.inWords(answer.rule_set, answer.options);
    if (inForce) {
      output.append(
        el("p", { class: "rules-in-force" }, words.ui("check.in-force"), tokens(inForce, words)),
      );
    }
  }

  /** @param {Refused} refused */
  #refused(refused) {
    const { words, output, question } = this;
    if (!words || !output || !question) return;
    const field = question.at(stepsOf(refused.field));
    const why = withoutPlace(refused);
    const name = field.form.label;
    const text = name ? words.ui("check.option", { title: name, label: why }) : refused.message;
    output.dataset.refused = refused.message;
    output.replaceChildren(
      el("p", { class: "refusal" }, words.ui("check.refused"), tokens(text, words)),
    );
    if (field === question) return;
    const note = el(
      "p",
      { class: "field-fault", id: newId() },
      tokens(withoutPlace(refused), words),
    );
    field.element.append(note);
    const control = field.element.querySelector("input, select") ?? field.element;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", note.id);
    this.marked = () => {
      note.remove();
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    };
  }

  /** Takes away a verdict that is not about what the form holds now. */
  #clear() {
    this.latest = undefined;
    this.status?.clear();
    this.output?.replaceChildren();
    delete this.output?.dataset.answer;
    delete this.output?.dataset.refused;
    this.marked?.();
    this.marked = undefined;
    this.shared?.replaceChildren();
  }

  async #share() {
    const { words, check, shared } = this;
    if (!words || !check || !shared) return;
    await this.question?.settle();
    const link = linkTo({ check: check.name, in: JSON.stringify(this.asked) });
    try {
      await navigator.clipboard.writeText(link);
      shared.replaceChildren(words.ui("check.shared"));
    } catch {
      const id = newId();
      const field = el("input", { id, type: "text", readonly: true, value: link });
      shared.replaceChildren(el("label", { for: id }, words.ui("check.share-failed")), field);
      field.select();
    }
  }
}

/**
 * The record in a link's text, an empty one where it holds none that a form could show.
 * @param {string | null} text
 * @returns {Record<string, Json>}
 */
function readObject(text) {
  if (text === null || text.length > LONGEST_FILLED) return {};
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
