// The table as it stands, drawn as the build draws it (templates/widgets/table.html.j2).

import { cardButton, cards, tokens } from "./cards.js";
import { el } from "./dom.js";

/** @typedef {import("./data.js").Note} Note */
/** @typedef {import("./data.js").Table} Table */
/** @typedef {import("./data.js").Zone} Zone */
/** @typedef {import("./words.js").Words} Words */
/**
 * @typedef {object} Mine A hand whose cards can be pressed.
 * @property {number} seat
 * @property {(button: HTMLButtonElement, code: string) => void} made
 */

/**
 * The table as a seat may see it: what it may not see is not there at all.
 * @param {Table} table
 * @param {number | null} seat null sees everything
 * @returns {Table}
 */
export function seenBy(table, seat) {
  if (seat === null) return table;
  /** @param {{seen_by?: number[]}} item */
  const seen = (item) => !item.seen_by || item.seen_by.includes(seat);
  /** @param {Zone} zone */
  const veil = (zone) => (seen(zone) ? zone : { ...zone, cards: zone.cards.map(() => null) });
  return {
    turn: table.turn,
    hands: table.hands.map(veil),
    zones: table.zones.map(veil),
    notes: table.notes.filter(seen),
  };
}

/**
 * @param {Table} table already as its reader may see it
 * @param {Words} words
 * @param {Mine} [mine]
 */
export function drawTable(table, words, mine) {
  const drawn = el("div", { class: "card-table" });
  const common = table.zones.filter((zone) => zone.seat === null);
  const notes = table.notes.filter((note) => note.seat === null);
  if (common.length || notes.length) {
    const box = el("div", { class: "common" }, ...notes.map((note) => noteOf(note, words)));
    box.append(...common.map((zone) => zoneOf(zone, words)));
    drawn.append(box);
  }
  const seats = el("ul", { class: "seats" });
  // The reader's own hand comes last, next to what can be done with it.
  const after = mine ? mine.seat + 1 : 0;
  const hands = [...table.hands.slice(after), ...table.hands.slice(0, after)];
  for (const hand of hands) seats.append(seatOf(hand, table, words, mine));
  drawn.append(seats);
  return drawn;
}

/**
 * @param {Zone} hand
 * @param {Table} table
 * @param {Words} words
 * @param {Mine} [mine]
 */
function seatOf(hand, table, words, mine) {
  const { seat } = hand;
  const isMine = mine !== undefined && mine.seat === seat;
  const place = el("li", {
    class: `seat${table.turn === seat ? " on-turn" : ""}${isMine ? " mine" : ""}`,
  });
  const head = el("p", { class: "seat-head" }, el("b", {}, words.seat(seat ?? 0)));
  if (isMine) head.append(" ", el("span", { class: "you" }, words.ui("play.you")));
  if (table.turn === seat) {
    head.append(" ", el("span", { class: "turn" }, words.ui(isMine ? "play.turn" : "deal.turn")));
  }
  for (const note of table.notes) if (note.seat === seat) head.append(" ", noteOf(note, words));
  place.append(head, zoneOf(hand, words, isMine ? mine : undefined));
  for (const zone of table.zones) if (zone.seat === seat) place.append(zoneOf(zone, words));
  return place;
}

/**
 * @param {Zone} zone
 * @param {Words} words
 * @param {Mine} [mine]
 */
function zoneOf(zone, words, mine) {
  const count = el("span", { class: "count" }, words.ui("deal.cards", { n: zone.cards.length }));
  const label = el("span", { class: "zone-label" }, zone.label, " ", count);
  const drawn = el("div", { class: `zone zone-${zone.zone}` }, label);
  if (!mine) {
    drawn.append(cards(zone.cards, words));
    return drawn;
  }
  const row = el("span", { class: "cards hand-buttons", role: "group", "aria-label": zone.label });
  for (const code of zone.cards) {
    if (code === null) continue;
    const button = cardButton(code, words, words.card(code));
    button.setAttribute("aria-pressed", "false");
    mine.made(button, code);
    row.append(button, " ");
  }
  drawn.append(row);
  return drawn;
}

/**
 * @param {Note} note
 * @param {Words} words
 */
function noteOf(note, words) {
  return el("span", { class: "note" }, tokens(note.text, words));
}
