// What the reader calls the suits that have two names.

import { choice, el } from "./dom.js";
import { chooseSuit, nameSuits } from "./words.js";

/** @typedef {import("./words.js").Words} Words */

/** @param {Words} words */
export function suitChoice(words) {
  const box = el(
    "details",
    { class: "suit-choice" },
    el("summary", {}, words.ui("settings.suits")),
  );
  for (const [suit, names] of Object.entries(words.data.suits[words.lang])) {
    if (names.length < 2) continue;
    const { row, select } = choice(
      names[0],
      names.map((name, i) => [String(i), name]),
    );
    select.value = String(Math.max(0, names.indexOf(words.suit(suit))));
    select.addEventListener("input", () => {
      chooseSuit(words.data, suit, Number(select.value));
      nameSuits(document, words.lang);
      document.dispatchEvent(new Event("suits-named"));
    });
    box.append(row);
  }
  return box;
}
