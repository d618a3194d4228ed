// The page's one engine: started on the first use, asked one question at a time, restarted when a
// question takes too long. It lives in this module, so it outlasts Material's instant navigation.

/** @typedef {"static" | "loading" | "ready" | "error"} EngineState */
/**
 * @typedef {object} Ahead What start.js has got: an engine, and a data file for the widgets.
 * @property {Worker} worker
 * @property {string} request what it was asked
 * @property {any[]} heard what it has said so far
 * @property {{name: string, text: Promise<string>}} words
 */
/** @typedef {{text: string, answer: (text: string) => void, fail: (why: Error) => void}} Question */

/** The engine refused a question: `field` names the place in it. */
export class Refused extends Error {
  /**
   * @param {string} field
   * @param {string} text
   */
  constructor(field, text) {
    super(text);
    this.field = field;
  }
}

/** There is no engine to answer: `kind` is `failed` (no start), `stopped` (too long) or `lost`. */
export class NoAnswer extends Error {
  /** @param {"failed" | "stopped" | "lost"} kind */
  constructor(kind, reason = "") {
    super(reason || kind);
    this.kind = kind;
  }
}

const SETTLED = 2000;
const SLOW_LINES = ["slow-2g", "2g", "3g"];

/** Whether the reader asked to save data, or is on a slow line, as far as the browser tells. */
function isMetered() {
  /** @type {{saveData?: boolean, effectiveType?: string} | undefined} */
  const line = /** @type {any} */ (navigator).connection;
  return Boolean(line?.saveData) || SLOW_LINES.includes(line?.effectiveType ?? "");
}

/*
 * One engine a page, not one for all tabs. A shared worker would save a second tab about 0.36 s (measured:
 * its first answer after 0.04 s instead of 0.40 s). But no page can stop one, so a check that runs too
 * long would hang every tab; and not every phone has shared workers.
 */
export class Engine extends EventTarget {
  /** How long one question may take, in milliseconds. */
  answerLimit = 15_000;
  /** How long the start may take. */
  startLimit = 180_000;

  /** @type {EngineState} */
  state = "static";
  /** How it was last started: from the "snapshot", or the "plain" and slow way. */
  way = "";
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Question[]} */
  #waiting = [];
  /** @type {{id: number, question: Question} | null} */
  #asked = null;
  #id = 0;
  #timer = 0;
  /** @type {{request: string, answer: Promise<string>} | null} What was asked before the page was read. */
  #ahead = null;

  /** Starts the engine unless it runs; what is asked meanwhile waits. */
  start() {
    if (this.#worker) return;
    this.#become("loading");
    let worker;
    try {
      worker = new Worker(new URL("./engine-worker.js", import.meta.url), { type: "module" });
    } catch (error) {
      this.#end("failed", String(error));
      return;
    }
    this.#listen(worker);
  }

  /**
   * Takes over the worker that start.js has started, and what it was asked.
   * @param {Ahead} ahead
   */
  takeOver({ worker, request, heard }) {
    const answer = new Promise((answer, fail) => {
      this.#asked = { id: 0, question: { text: request, answer, fail } };
    });
    // Whoever asks this question meets what went wrong.
    answer.catch(() => {});
    this.#ahead = { request, answer };
    this.#become("loading");
    this.#listen(worker);
    for (const said of heard) this.#heard(said);
  }

  /** @param {Worker} worker */
  #listen(worker) {
    this.#worker = worker;
    worker.onmessage = (event) => {
      if (worker === this.#worker) this.#heard(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker)
        this.#end(this.state === "ready" ? "lost" : "failed", event.message);
    };
    this.#limit(this.startLimit, () => this.#end("failed", "start"));
  }

  /**
   * Asks the engine. Raises `Refused` for a question that is none, `NoAnswer` when there is no engine.
   * @param {string} op
   * @param {Record<string, any>} args
   * @param {string} lang
   * @returns {Promise<any>}
   */
  async ask(op, args, lang) {
    const said = JSON.parse(await this.askText(JSON.stringify({ op, args, lang })));
    if (said.refused) throw new Refused(said.refused.field, said.refused.text);
    return said.ok;
  }

  /**
   * The same with the bare texts of question and answer.
   * @param {string} text
   * @returns {Promise<string>}
   */
  askText(text) {
    if (this.#ahead?.request === text) {
      const { answer } = this.#ahead;
      this.#ahead = null;
      return answer;
    }
    return new Promise((answer, fail) => {
      this.#waiting.push({ text, answer, fail });
      this.start();
      this.#next();
    });
  }

  /**
   * Starts the engine as soon as the browser has nothing else to do, unless every byte counts for the
   * reader. Asked when a widget comes into sight, so that its first answer need not be waited for.
   */
  startWhenIdle() {
    if (this.state !== "static" || isMetered()) return;
    // Safari knows no idle time; there the page has a moment to settle.
    const idle = window.requestIdleCallback ?? ((act) => window.setTimeout(act, SETTLED));
    idle(() => {
      if (this.state === "static") this.start();
    });
  }

  /** Whether something is being asked. */
  get busy() {
    return this.#asked !== null || this.#waiting.length > 0;
  }

  #next() {
    if (this.state !== "ready" || this.#asked) return;
    const question = this.#waiting.shift();
    if (!question) return;
    this.#id += 1;
    this.#asked = { id: this.#id, question };
    this.#worker?.postMessage({ id: this.#id, request: question.text });
    this.#limit(this.answerLimit, () => this.#end("stopped"));
  }

  /**
   * @param {{id?: number, answer?: string, fault?: string, state?: string, way?: string,
   *   reason?: string}} said
   */
  #heard(said) {
    if (said.state === "ready") {
      clearTimeout(this.#timer);
      if (this.#asked) this.#limit(this.answerLimit, () => this.#end("stopped"));
      this.way = said.way ?? "";
      this.#become("ready");
    } else if (said.state === "failed") {
      this.#end("failed", said.reason);
    } else if (said.state === "again") {
      this.way = "plain";
      this.#limit(this.startLimit, () => this.#end("stopped"));
    } else if (this.#asked && said.id === this.#asked.id) {
      if (said.answer === undefined) {
        this.#end("lost", said.fault);
        return;
      }
      clearTimeout(this.#timer);
      this.#asked.question.answer(said.answer);
      this.#asked = null;
    }
    this.#next();
  }

  /**
   * @param {number} milliseconds
   * @param {() => void} act
   */
  #limit(milliseconds, act) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(act, milliseconds);
  }

  /**
   * Ends the worker. One that had started is started again by the next question.
   * @param {"failed" | "stopped" | "lost"} kind
   * @param {string} [reason]
   */
  #end(kind, reason) {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    const asked = this.#asked;
    this.#asked = null;
    const waiting = kind === "failed" ? this.#waiting.splice(0) : [];
    this.#become(kind === "failed" ? "error" : "static");
    asked?.question.fail(new NoAnswer(kind, reason));
    for (const question of waiting) question.fail(new NoAnswer(kind, reason));
    if (this.#waiting.length) this.start();
  }

  /** @param {EngineState} state */
  #become(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

export const engine = new Engine();

const page = /** @type {{ahead?: Ahead | null}} */ (globalThis);
if (page.ahead) engine.takeOver(page.ahead);
// From here on start.js need not start one.
else page.ahead = null;
