// Cards and texts with cards, drawn as the build draws them (macros/cards.py).

import { el } from "./dom.js";

/** @typedef {import("./words.js").Words} Words */

const SVG = "http://www.w3.org/2000/svg";
const GLYPHS = /** @type {Record<string, string>} */ ({ "♠": "S", "♥": "H", "♦": "D", "♣": "C" });

/** @param {string} code */
const colour = (code) => (code === "DW" || code[0] === "H" || code[0] === "D" ? "red" : "black");

/**
 * The shape of a suit, a joker or `back`.
 * @param {string} name
 * @param {Words} words
 */
export function shape(name, words) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "pip");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("fill-rule", "evenodd");
  path.setAttribute("d", words.data.shapes[name]);
  svg.append(path);
  return svg;
}

/**
 * The name of a suit; the reader may change it.
 * @param {string} suit
 * @param {Words} words
 */
export function suitWord(suit, words) {
  const word = el("span", { class: "suit-word" }, words.suit(suit));
  word.dataset.suit = suit;
  return word;
}

/**
 * What stands on a card's face.
 * @param {string} code
 * @param {Words} words
 * @returns {Node[]}
 */
export function face(code, words) {
  const joker = words.data.jokers[code];
  if (joker) return [shape(code, words), el("b", { class: "joker" }, joker)];
  return [
    el("span", { class: "unseen" }, suitWord(code[0], words)),
    el("b", {}, code.slice(1)),
    shape(code[0], words),
  ];
}

/**
 * One card; null lies face down.
 * @param {string | null} code
 * @param {Words} words
 */
export function card(code, words) {
  if (code === null) {
    const name = el("span", { class: "unseen" }, words.ui("face-down"));
    return el("span", { class: "card card-back card-small" }, shape("back", words), name);
  }
  const drawn = el("span", { class: `card ${colour(code)} card-small` }, ...face(code, words));
  drawn.dataset.card = code;
  return drawn;
}

/**
 * A card that can be pressed.
 * @param {string} code
 * @param {Words} words
 * @param {string} name what it is called for who does not see it
 */
export function cardButton(code, words, name) {
  const button = el("button", {
    type: "button",
    class: `card ${colour(code)}`,
    "aria-label": name,
  });
  button.append(...face(code, words));
  button.dataset.card = code;
  return button;
}

/** So many cards face down are drawn as a pile. */
const PILE = 3;

/**
 * Cards side by side; many that lie face down make a pile.
 * @param {(string | null)[]} codes
 * @param {Words} words
 */
export function cards(codes, words) {
  const row = el("span", { class: "cards" });
  const hidden = codes.length > PILE && codes.every((code) => code === null);
  for (const code of hidden ? codes.slice(0, PILE) : codes) row.append(card(code, words), " ");
  if (hidden) {
    row.classList.add("pile");
    for (const back of row.children) back.setAttribute("aria-hidden", "true");
    row.append(el("span", { class: "unseen" }, words.ui("hidden-count", { n: codes.length })));
  }
  return row;
}

/**
 * A text with its cards and suits (♠7, names of suits, jokers) as pieces that no line end breaks.
 * @param {string} text
 * @param {Words} words
 */
export function tokens(text, words) {
  const part = document.createDocumentFragment();
  const suits = Object.entries(words.data.suits[words.lang]).map(([suit, [name]]) => [name, suit]);
  const names = new Map(suits.map(([name, suit]) => [name, suit]));
  const rank = "(10|[2-9JQKA](?![A-Za-z0-9]))?";
  const jokers = Object.values(words.data.jokers).join("|");
  const pattern = new RegExp(
    `([♠♥♦♣])${rank}|(${[...names.keys()].join("|")})${rank}|(${jokers})`,
    "g",
  );
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    part.append(text.slice(at, found.index));
    at = found.index + found[0].length;
    const [, glyph, ofGlyph, name, ofName, joker] = found;
    if (joker) part.append(el("span", { class: "token" }, joker));
    else if (name)
      part.append(
        el("span", { class: "token" }, suitWord(names.get(name) ?? "", words), ofName ?? ""),
      );
    else part.append(glyphToken(GLYPHS[glyph], ofGlyph ?? "", words));
  }
  part.append(text.slice(at));
  return part;
}

/**
 * @param {string} suit
 * @param {string} rank
 * @param {Words} words
 */
function glyphToken(suit, rank, words) {
  const name = el("span", { class: "unseen" }, suitWord(suit, words));
  return el("span", { class: `token ${colour(suit)}` }, shape(suit, words), name, rank);
}
