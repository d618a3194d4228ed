// Making elements. Texts go in as text, never as HTML.

let last = 0;
/** @type {Promise<void>} */
let turn = Promise.resolve();

/** Waits for a turn of one's own: what many widgets do at once, the page's thread does with pauses. */
export function ownTurn() {
  turn = turn.then(() => new Promise((go) => setTimeout(go)));
  return turn;
}

/** Waits until what was done is on the screen: then measuring or scrolling need no layout of their own. */
export async function shown() {
  await new Promise(requestAnimationFrame);
  await new Promise((go) => setTimeout(go));
}

/** An id that no other element of the page has. */
export function newId() {
  last += 1;
  return `widget-${last}`;
}

/**
 * An element with attributes (null and false leave one out) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A button that does something.
 * @param {Node | string} label
 * @param {() => void} act
 * @param {Record<string, string | boolean | null>} [attributes]
 */
export function button(label, act, attributes = {}) {
  const made = el("button", { type: "button", class: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/**
 * A choice from a list, with its label.
 * @param {string} label
 * @param {[string, string][]} options value and text of each
 * @returns {{row: HTMLElement, select: HTMLSelectElement}}
 */
export function choice(label, options) {
  const id = newId();
  const select = el("select", { id });
  for (const [value, text] of options) select.append(el("option", { value }, text));
  return { row: el("div", { class: "field" }, el("label", { for: id }, label), select), select };
}
