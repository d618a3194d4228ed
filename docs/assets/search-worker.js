// The search, in the place of Material's own worker and in its words: SETUP, READY, QUERY, RESULT. What
// was typed is looked for as it stands in the texts, so nothing depends on where Chinese is cut into
// words; traditional and simplified characters count as one, and so do full-width letters and digits.

/** @typedef {{location: string, title: string, text: string}} Entry as in Material's index */
/** @typedef {{fold: Record<string, string>, suggestions: string[]}} Settings */
/** @typedef {Settings & {docs: Entry[]}} Texts */
/** @typedef {Entry & {page: Prepared | null, folded: {title: string, text: string}}} Prepared */
/** @typedef {Entry & {score: number, terms: Record<string, boolean>}} Item */

(() => {
  const [SETUP, READY, QUERY, RESULT] = [0, 1, 2, 3];
  /** Characters of text shown around the first find. */
  const BEFORE = 16;
  const AROUND = 90;
  /** Finds on a page that are shown without unfolding the rest. */
  const SHOWN = 4;

  /** @type {Prepared[]} */
  let entries = [];
  /** @type {Settings} */
  let settings = { fold: {}, suggestions: [] };
  /** Where the texts are, from here. */
  let place = "";
  /** @type {Promise<void> | null} */
  let reading = null;
  let latest = "";

  /**
   * A text as it is compared; every character stays at its place.
   * @param {string} text
   */
  function fold(text) {
    return text.replace(/[^a-z0-9]/g, (char) => {
      const wide = char >= "！" && char <= "～";
      const plain = wide ? String.fromCharCode(char.charCodeAt(0) - 0xfee0) : char;
      return settings.fold[plain] ?? plain.toLowerCase();
    });
  }

  /**
   * The index holds texts as HTML.
   * @param {string} html
   */
  function plain(html) {
    return html
      .replace(/<[^>]*>/g, " ")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, "&")
      .replace(/\s+/g, " ")
      .trim();
  }

  /** @param {string} text */
  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  /** Has the texts at hand, which are fetched when first something is looked for. */
  function haveTexts() {
    reading ??= fetch(new URL(place, location.href))
      .then((response) => response.json())
      .then(prepare)
      .catch(() => {
        reading = null;
      });
    return reading;
  }

  /** @param {Texts} texts */
  function prepare({ docs, ...rest }) {
    settings = rest;
    /** @type {Map<string, Prepared>} */
    const pages = new Map();
    entries = docs.map((doc) => {
      const title = plain(doc.title);
      const text = plain(doc.text);
      const path = doc.location.split("#")[0];
      const folded = { title: fold(title), text: fold(text) };
      const entry = { location: doc.location, title, text, folded, page: pages.get(path) ?? null };
      if (!pages.has(path)) pages.set(path, entry);
      return entry;
    });
  }

  /**
   * How well an entry fits, 0 for not at all: every term must stand in it or in its page's title, and
   * one at least in the entry itself.
   * @param {Prepared} entry
   * @param {string[]} terms
   */
  function score(entry, terms) {
    let sum = 0;
    for (const term of terms) {
      const { title, text } = entry.folded;
      if (title === term) sum += 60;
      else if (title.startsWith(term)) sum += 30;
      else if (title.includes(term)) sum += 20;
      const times = text.split(term).length - 1;
      sum += Math.min(times, 4);
      const found = title.includes(term) || times > 0;
      if (!found && !entry.page?.folded.title.includes(term)) return 0;
    }
    return entry.page ? sum : sum * 1.5;
  }

  /**
   * A text as HTML with the terms marked.
   * @param {string} text
   * @param {string[]} terms
   */
  function marked(text, terms) {
    const folded = fold(text);
    let html = "";
    let at = 0;
    while (at < text.length) {
      const finds = terms
        .map((term) => ({ start: folded.indexOf(term, at), length: term.length }))
        .filter(({ start }) => start >= 0)
        .sort((a, b) => a.start - b.start || b.length - a.length);
      if (!finds.length) break;
      const [{ start, length }] = finds;
      const word = escaped(text.slice(start, start + length));
      html += `${escaped(text.slice(at, start))}<mark data-md-highlight>${word}</mark>`;
      at = start + length;
    }
    return html + escaped(text.slice(at));
  }

  /**
   * The part of an entry's text around the first find.
   * @param {Prepared} entry
   * @param {string[]} terms
   */
  function excerpt({ text, folded }, terms) {
    const finds = terms.map((term) => folded.text.indexOf(term)).filter((at) => at >= 0);
    const start = Math.max(0, (finds.length ? Math.min(...finds) : 0) - BEFORE);
    const end = start + AROUND;
    return (start ? "…" : "") + text.slice(start, end) + (end < text.length ? "…" : "");
  }

  /**
   * @param {Prepared} entry
   * @param {string[]} terms
   * @param {number} points
   * @returns {Item}
   */
  function item(entry, terms, points) {
    /** @type {Record<string, boolean>} */
    const words = {};
    for (const term of terms) {
      // The words as this page writes them, so that they are marked there too.
      const field = entry.folded.title.includes(term) ? "title" : "text";
      const at = entry.folded[field].indexOf(term);
      if (at >= 0) words[entry[field].slice(at, at + term.length)] = true;
    }
    return {
      location: entry.location,
      title: marked(entry.title, terms),
      text: marked(excerpt(entry, terms), terms),
      score: points,
      terms: words,
    };
  }

  /** @param {string} query */
  function search(query) {
    const words = query.replace(/["'“”‘’「」『』+*~^]/g, " ").split(/\s+/);
    const terms = [...new Set(words.map(fold).filter(Boolean))];
    if (!terms.length) return { items: [] };
    /** @type {Map<Prepared, {entry: Prepared, points: number}[]>} */
    const pages = new Map();
    for (const entry of entries) {
      const points = score(entry, terms);
      const page = entry.page ?? entry;
      if (points) pages.set(page, [...(pages.get(page) ?? []), { entry, points }]);
    }
    const found = [...pages].map(([page, finds]) => {
      finds.sort((a, b) => b.points - a.points);
      const best = finds[0].points;
      const list = finds.map(({ entry, points }, rank) =>
        item(entry, terms, rank < SHOWN ? best : Math.min(points, best - 1)),
      );
      if (!finds.some(({ entry }) => entry === page)) list.push(item(page, terms, 0));
      return { best, list };
    });
    found.sort((a, b) => b.best - a.best);
    const last = words.at(-1) ?? "";
    const suggest = settings.suggestions.filter((word) => last && word.startsWith(last));
    return { items: found.map(({ list }) => list), suggest: suggest.slice(0, 1) };
  }

  addEventListener("message", async ({ data: { type, data } }) => {
    if (type === SETUP) {
      place = data.config.texts;
      postMessage({ type: READY });
    } else if (type === QUERY) {
      latest = data;
      if (data) await haveTexts();
      // What was typed meanwhile has its own answer.
      if (data !== latest) return;
      postMessage({ type: RESULT, data: search(data) });
    }
  });
})();
