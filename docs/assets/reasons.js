// Why something is so: texts of the engine with links to the clauses that decide.

import { tokens } from "./cards.js";
import { el } from "./dom.js";

/** @typedef {import("./data.js").Reason} Reason */
/** @typedef {import("./words.js").Words} Words */

/**
 * The link to a clause: on this page, or on the page of the game that it belongs to.
 * @param {string} clause
 * @param {Words} words
 */
export function clauseLink(clause, words) {
  const [, home, number] = /^(.*)-(\w+)$/.exec(clause) ?? ["", "", "", clause];
  const page = home === words.data.game.slug ? "" : `../${home}/`;
  const name = words.ui("clause", { n: (number ?? clause).replace(/^0+/, "") });
  return el("a", { class: "clause-link", href: `${page}#${clause}` }, name);
}

/**
 * @param {Reason[]} reasons
 * @param {Words} words
 * @param {string} [kind]
 */
export function reasonList(reasons, words, kind = "reasons") {
  const list = el("ul", { class: kind });
  for (const { clause, text } of reasons) {
    list.append(el("li", {}, tokens(text, words), " ", clauseLink(clause, words)));
  }
  return list;
}
