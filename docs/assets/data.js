// The data files that the build lays beside the pages: words, shapes, forms, and example deals.

/**
 * @typedef {object} Form What a field of a question takes (engine/fields.py).
 * @property {string} type
 * @property {string} [name]
 * @property {string} [label]
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [step]
 * @property {boolean} [by_seat]
 * @property {boolean} [nullable]
 * @property {boolean} [may_miss]
 * @property {string[]} [values]
 * @property {string[]} [labels]
 * @property {string[]} [keys]
 * @property {Form[]} [fields]
 * @property {Form | Form[]} [of]
 */
/** @typedef {{name: string, title: string, ask: string, fields: Form[], start: Json}} Check */
/** @typedef {{cards: Record<string, number>, checks: Check[]}} Forms */
/** @typedef {{id: string, title: string, options: Record<string, string>}} RuleSet */
/** @typedef {{id: string, title: string, values: {id: string, label: string}[]}} Option */
/**
 * @typedef {object} WidgetData
 * @property {Record<string, string>} labels
 * @property {string[]} seats
 * @property {Record<string, Record<string, string[]>>} suits By script and suit, our word first.
 * @property {Record<string, string>} jokers
 * @property {Record<string, string>} shapes
 * @property {{slug: string, players: [number, number], rule_sets: RuleSet[], options: Option[]}} game
 * @property {Record<string, Forms>} forms By rule set.
 */
/** @typedef {{clause: string, text: string}} Reason */
/**
 * @typedef {object} Zone
 * @property {string} zone
 * @property {string} label
 * @property {number | null} seat
 * @property {(string | null)[]} cards
 * @property {number[]} [seen_by]
 */
/** @typedef {{text: string, seat: number | null, seen_by?: number[]}} Note */
/** @typedef {{turn: number | null, hands: Zone[], zones: Zone[], notes: Note[]}} Table */
/**
 * @typedef {object} Step
 * @property {number | null} seat
 * @property {string | null} move
 * @property {string} text
 * @property {Reason[]} why
 * @property {Reason[]} events
 * @property {Table} table
 */
/**
 * @typedef {object} DealRecord
 * @property {string} game
 * @property {number} players
 * @property {string} rule_set
 * @property {Record<string, string>} options
 * @property {string[]} moves
 */
/**
 * @typedef {object} Result
 * @property {number[]} scores
 * @property {number[]} totals
 * @property {number[]} winners
 * @property {number[] | null} match_winners
 * @property {Reason[]} reasons
 */
/** @typedef {{record: DealRecord, steps: Step[], result: Result | null}} Replay */
/** @typedef {any} Json */

/** The script of the page. */
export function pageLang() {
  return document.documentElement.lang === "zh-Hant" ? "zh-Hant" : "zh-Hans";
}

/** @type {Map<string, Promise<string>>} */
const texts = new Map();
const { ahead } = /** @type {{ahead?: import("./engine-client.js").Ahead | null}} */ (globalThis);
if (ahead) keep(ahead.words.name, ahead.words.text);

/**
 * The text of a data file; one request a page for each.
 * @param {string} name
 */
function load(name) {
  return texts.get(name) ?? keep(name, fetchText(name));
}

/** @param {string} name */
async function fetchText(name) {
  const response = await fetch(new URL(`./widgets/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.text();
}

/**
 * @param {string} name
 * @param {Promise<string>} text
 */
function keep(name, text) {
  texts.set(name, text);
  // What failed may be asked for again.
  text.catch(() => texts.delete(name));
  return text;
}

/**
 * What the widgets of a game need before there is an engine.
 * @param {string} slug
 * @returns {Promise<WidgetData>}
 */
export async function widgetData(slug) {
  return JSON.parse(await load(`${slug}.${pageLang()}`));
}

/**
 * An example deal as the build's engine replayed it: its very bytes, and what they say.
 * @param {string} slug
 * @param {string} id
 * @returns {Promise<{text: string, replay: Replay}>}
 */
export async function dealData(slug, id) {
  const text = await load(`${slug}-${id}.${pageLang()}`);
  return { text, replay: JSON.parse(text) };
}
