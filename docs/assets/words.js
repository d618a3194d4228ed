// The words of the page's script, and the names of suits that the reader has chosen.

/** @typedef {import("./data.js").WidgetData} WidgetData */
/** @typedef {Record<string, Record<string, string>>} SuitNames By script and suit. */

const KEY = "suit-names";
const LONGEST_NAME = 4;

/**
 * A value from the browser's storage, null where there is none or it is denied.
 * @param {"localStorage" | "sessionStorage"} where
 * @param {string} key
 * @returns {any}
 */
export function stored(where, key) {
  try {
    return JSON.parse(window[where].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a value, null to forget it. A browser that denies its storage, or has none left, is no fault.
 * @param {"localStorage" | "sessionStorage"} where
 * @param {string} key
 * @param {any} value
 */
export function store(where, key, value) {
  try {
    if (value === null) window[where].removeItem(key);
    else window[where].setItem(key, JSON.stringify(value));
  } catch {
    // The page works on; it only forgets.
  }
}

/**
 * The suit names the reader has chosen for a script, by suit; none where our own stand.
 * @param {string} lang
 * @returns {Record<string, string>}
 */
export function chosenSuits(lang) {
  const kept = stored("localStorage", KEY)?.[lang];
  const names = kept && typeof kept === "object" ? Object.entries(kept) : [];
  return Object.fromEntries(
    names.filter(([, name]) => typeof name === "string" && name.length <= LONGEST_NAME),
  );
}

/**
 * Chooses the names of a suit in all scripts.
 * @param {WidgetData} data
 * @param {string} suit
 * @param {number} choice
 */
export function chooseSuit(data, suit, choice) {
  /** @type {SuitNames} */
  const names = {};
  for (const [lang, suits] of Object.entries(data.suits)) {
    names[lang] = { ...chosenSuits(lang), [suit]: suits[suit][choice] };
  }
  store("localStorage", KEY, names);
}

/**
 * Writes the chosen names over the suits that stand in a part of the page.
 * @param {ParentNode} part
 * @param {string} lang
 */
export function nameSuits(part, lang) {
  const names = chosenSuits(lang);
  if (!Object.keys(names).length) return;
  for (const word of part.querySelectorAll(".suit-word")) {
    const name = word instanceof HTMLElement && names[word.dataset.suit ?? ""];
    if (name) word.textContent = name;
  }
}

/** The words of one page. */
export class Words {
  /**
   * @param {WidgetData} data
   * @param {string} lang
   */
  constructor(data, lang) {
    this.data = data;
    this.lang = lang;
  }

  /**
   * A label, with its `{parts}` filled in.
   * @param {string} key
   * @param {Record<string, string | number>} [parts]
   */
  ui(key, parts = {}) {
    return this.fill(this.data.labels[`ui.${key}`] ?? key, parts);
  }

  /**
   * @param {string} text
   * @param {Record<string, string | number>} parts
   */
  fill(text, parts) {
    return text.replace(/\{(\w+)\}/g, (whole, name) => String(parts[name] ?? whole));
  }

  /** @param {number} seat */
  seat(seat) {
    return this.data.seats[seat] ?? String(seat);
  }

  /** @param {number[]} seats */
  seats(seats) {
    return seats.map((seat) => this.seat(seat)).join("、");
  }

  /** @param {number[]} scores */
  scores(scores) {
    const minus = (/** @type {number} */ n) => String(n).replace("-", "−");
    return scores.map((score, seat) => `${this.seat(seat)} ${minus(score)}`).join("，");
  }

  /** @param {string} suit */
  suit(suit) {
    return chosenSuits(this.lang)[suit] ?? this.data.suits[this.lang][suit][0];
  }

  /**
   * A card's name in words.
   * @param {string} code
   */
  card(code) {
    return this.data.jokers[code] ?? this.suit(code[0]) + code.slice(1);
  }
}
