// Playing on by oneself: one seat is the reader's, the others are played by the engine's robots.
// Only what the reader's seat may know is put into the page.

import { cards, tokens } from "./cards.js";
import { button, choice, el, newId } from "./dom.js";
import { engine, NoAnswer, Refused } from "./engine-client.js";
import { reasonList } from "./reasons.js";
import { RuleChoice } from "./rule-choice.js";
import { drawTable } from "./table.js";
import { store, stored } from "./words.js";

/** @typedef {import("./data.js").DealRecord} DealRecord */
/** @typedef {import("./data.js").Reason} Reason */
/** @typedef {import("./data.js").Result} Result */
/** @typedef {import("./data.js").Table} Table */
/** @typedef {import("./engine-status.js").EngineStatus} EngineStatus */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {{record: DealRecord, seat: number, undo: number[], deal: string}} Kept */
/** @typedef {{kind: string, label: string, cards: boolean, values: (string | number)[], value_labels: string[]}} Kind */
/** @typedef {{kind: string, cards: string[], value: string | number | null, move: string, text: string}} Move */
/** @typedef {Table & {result: Result | null, events: Reason[], moves?: Move[] | null, kinds?: Kind[]}} SeatView */
/** @typedef {{text: string, events: Reason[]}} Heard What a seat hears of a move. */
/**
 * @typedef {object} Place Where a play is shown.
 * @property {string} slug
 * @property {string} deal
 * @property {Words} words
 * @property {HTMLElement} stage
 * @property {EngineStatus} status
 * @property {() => void} started
 * @property {() => void} ended
 */

/** Values up to so many are buttons, more are a list. */
const FEW_VALUES = 6;
/** More legal moves than this are not offered as a hint. */
const MOST_HINTS = 60;

/**
 * A play that was left in this tab, on this deal's player.
 * @param {string} slug
 * @param {string} deal
 * @returns {Kept | null}
 */
export function keptPlay(slug, deal) {
  const kept = stored("sessionStorage", `play:${slug}`);
  return kept?.deal === deal && kept.record && Array.isArray(kept.undo) ? kept : null;
}

export class Play {
  /** @type {string[]} */
  #chosen = [];
  on = false;

  /** @param {Place} place */
  constructor(place) {
    this.place = place;
    const { words } = place;
    this.said = el("div", { class: "play-said", role: "status" });
    this.moves = el("div", { class: "play-moves" });
    this.picked = el("div", { class: "picked" });
    this.undoer = button(words.ui("play.undo"), () => this.#undo());
    const tools = el("div", { class: "actions" }, this.undoer);
    tools.append(button(words.ui("play.stop"), () => this.end()));
    this.panel = el("div", { class: "play" }, this.said, this.moves, tools);
    /** @type {DealRecord | null} */
    this.record = null;
    this.seat = 0;
    /** @type {number[]} */
    this.undo = [];
  }

  #show() {
    this.form?.remove();
    if (this.on) return;
    this.on = true;
    this.place.started();
    this.place.stage.after(this.panel);
  }

  /** Back to the example. */
  end() {
    if (!this.on) return;
    this.on = false;
    this.latest = undefined;
    this.panel.remove();
    this.form?.remove();
    store("sessionStorage", `play:${this.place.slug}`, null);
    this.place.ended();
  }

  /**
   * Plays on from a record.
   * @param {DealRecord} record
   * @param {number} seat
   */
  start(record, seat) {
    this.#show();
    this.seat = seat;
    this.undo = [];
    this.#go(record, []);
  }

  /** @param {Kept} kept */
  resume(kept) {
    this.#show();
    this.seat = kept.seat;
    this.undo = kept.undo;
    this.#go(kept.record, []);
  }

  /** Asks what deal of one's own it shall be. */
  offerNew() {
    const { words } = this.place;
    const [least, most] = words.data.game.players;
    const counts = Array.from({ length: most - least + 1 }, (_, i) => String(least + i));
    const players = choice(
      words.ui("play.players"),
      counts.map((n) => [n, n]),
    );
    const seats = choice(words.ui("play.seat"), []);
    const fillSeats = () => {
      const names = Array.from({ length: Number(players.select.value) }, (_, i) => words.seat(i));
      seats.select.replaceChildren(...names.map((name, i) => el("option", { value: i }, name)));
    };
    players.select.addEventListener("input", fillSeats);
    fillSeats();
    const rules = new RuleChoice(words, () => {});
    const id = newId();
    const seed = el("input", {
      id,
      type: "text",
      maxlength: 100,
      autocomplete: "off",
      value: randomSeed(),
    });
    const seedRow = el(
      "div",
      { class: "field" },
      el("label", { for: id }, words.ui("play.seed")),
      seed,
    );
    this.form?.remove();
    this.form = el("form", { class: "play-new" }, players.row, seats.row, rules.element, seedRow);
    this.form.append(
      el("button", { type: "submit", class: "button button-main" }, words.ui("play.start")),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.form?.remove();
      const asked = {
        slug: this.place.slug,
        players: Number(players.select.value),
        seed: seed.value,
        ...rules.chosen,
      };
      this.#startNew(asked, Number(seats.select.value));
    });
    this.place.stage.before(this.form);
    players.select.focus();
  }

  /**
   * @param {Record<string, any>} asked
   * @param {number} seat
   */
  #startNew(asked, seat) {
    this.#show();
    this.seat = seat;
    this.undo = [];
    this.#try(async () => {
      const { record } = await engine.ask("deal", asked, this.place.words.lang);
      return () => this.#go(record, []);
    });
  }

  /**
   * Lets the robots play up to the reader's turn, and shows what the reader's seat may know.
   * @param {DealRecord} record
   * @param {Heard[]} heard what happened just before
   */
  #go(record, heard) {
    const { words, stage, slug, deal } = this.place;
    this.record = record;
    this.#chosen = [];
    this.moves.replaceChildren(el("p", { class: "waiting" }, words.ui("play.others")));
    if (heard.length) this.#tell(heard);
    this.#try(async () => {
      const after = await engine.ask("robots", { record, seat: this.seat }, words.lang);
      const view = await engine.ask(
        "seat_view",
        { record: after.record, seat: this.seat },
        words.lang,
      );
      return () => {
        this.record = after.record;
        store("sessionStorage", `play:${slug}`, {
          record: after.record,
          seat: this.seat,
          undo: this.undo,
          deal,
        });
        this.#tell([...heard, ...after.heard]);
        stage.replaceChildren(this.#draw(view));
        this.#offer(view);
        this.undoer.disabled = !this.undo.length;
      };
    });
  }

  /**
   * Asks the engine and shows what came, unless the reader has gone on meanwhile.
   * @param {() => Promise<() => void>} ask
   */
  async #try(ask) {
    const mine = {};
    this.latest = mine;
    this.place.status.clear();
    try {
      const show = await ask();
      if (this.latest === mine) show();
    } catch (error) {
      if (this.latest !== mine) return;
      if (error instanceof Refused)
        this.said.replaceChildren(el("p", { class: "refusal" }, error.message));
      else if (error instanceof NoAnswer) this.place.status.tell(error, () => this.#try(ask));
      else throw error;
    }
  }

  /** @param {SeatView} view */
  #draw(view) {
    return drawTable(view, this.place.words, {
      seat: this.seat,
      made: (made, code) => {
        made.addEventListener("click", () => this.#press(made, code));
      },
    });
  }

  /**
   * @param {HTMLButtonElement} made
   * @param {string} code
   */
  #press(made, code) {
    const is = made.getAttribute("aria-pressed") === "true";
    made.setAttribute("aria-pressed", String(!is));
    if (is) this.#chosen.splice(this.#chosen.indexOf(code), 1);
    else this.#chosen.push(code);
    this.#showPicked();
  }

  /** The order in which cards were pressed counts in some moves, so it is shown. */
  #showPicked() {
    const { words } = this.place;
    const label = el("span", { class: "zone-label" }, words.ui("play.picked"));
    this.picked.replaceChildren(
      ...(this.#chosen.length ? [label, cards(this.#chosen, words)] : []),
    );
  }

  /** @param {Heard[]} heard */
  #tell(heard) {
    const { words } = this.place;
    const lines = heard.map(({ text, events }) => {
      const line = el("li", {}, tokens(text, words));
      if (events.length) line.append(reasonList(events, words, "events"));
      return line;
    });
    this.said.replaceChildren(el("ol", { class: "heard" }, ...lines));
  }

  /**
   * What can be done now.
   * @param {SeatView} view
   */
  #offer(view) {
    const { words } = this.place;
    if (view.result) {
      this.#offerNext(view.result);
      return;
    }
    const kinds = view.kinds ?? [];
    this.moves.replaceChildren(el("p", { class: "your-turn" }, words.ui("play.your-turn")));
    const row = el("div", { class: "kinds" });
    for (const kind of kinds) row.append(...this.#kindButtons(kind));
    row.append(button(words.ui("play.advise"), () => this.#advise()));
    this.#showPicked();
    this.moves.append(this.picked, row);
    if (view.moves && view.moves.length <= MOST_HINTS) this.moves.append(this.#hints(view.moves));
  }

  /**
   * @param {Kind} kind
   * @returns {HTMLElement[]}
   */
  #kindButtons(kind) {
    const { words } = this.place;
    const { values, value_labels: texts } = kind;
    if (!values.length) return [this.#mover(kind.label, kind.kind, () => null)];
    if (values.length <= FEW_VALUES) {
      return values.map((value, i) =>
        this.#mover(
          words.ui("play.with-value", { kind: kind.label, value: texts[i] }),
          kind.kind,
          () => value,
        ),
      );
    }
    const { row, select } = choice(
      words.ui("play.value"),
      texts.map((text, i) => [String(i), text]),
    );
    return [
      el(
        "div",
        { class: "kind" },
        row,
        this.#mover(kind.label, kind.kind, () => values[Number(select.value)]),
      ),
    ];
  }

  /**
   * @param {string} label
   * @param {string} kind
   * @param {() => string | number | null} value
   */
  #mover(label, kind, value) {
    const made = button("", () => this.#move(notation(kind, this.#chosen, value())), {
      class: "button button-main",
    });
    made.replaceChildren(tokens(label, this.place.words));
    return made;
  }

  /** @param {Move[]} moves */
  #hints(moves) {
    const { words } = this.place;
    const box = el(
      "details",
      { class: "hints" },
      el("summary", {}, words.ui("play.hint", { n: moves.length })),
    );
    for (const { move, text } of moves) {
      const made = button("", () => this.#move(move));
      made.replaceChildren(tokens(text, words));
      box.append(made);
    }
    return box;
  }

  /** @param {Result} result */
  #offerNext(result) {
    const { words } = this.place;
    const over = result.match_winners !== null;
    const box = el(
      "div",
      { class: "result" },
      el("p", {}, words.ui(over ? "play.match-over" : "play.over")),
    );
    box.append(
      el("p", {}, words.ui("deal.result-scores", { scores: words.scores(result.scores) })),
    );
    box.append(
      el("p", {}, words.ui("deal.result-totals", { scores: words.scores(result.totals) })),
    );
    if (result.match_winners) {
      box.append(
        el("p", {}, words.ui("deal.result-match", { seats: words.seats(result.match_winners) })),
      );
    }
    box.append(reasonList(result.reasons, words));
    this.moves.replaceChildren(box);
    if (!over)
      this.moves.append(
        button(words.ui("play.next-deal"), () => this.#move("deal"), {
          class: "button button-main",
        }),
      );
  }

  /**
   * Tries a move; one that the rules forbid is answered with the clause.
   * @param {string} move
   */
  #move(move) {
    const { words } = this.place;
    const record = this.record;
    if (!record) return;
    this.#try(async () => {
      const tried = await engine.ask("play", { record, move }, words.lang);
      if (!tried.legal) {
        return () => {
          const why = reasonList(tried.reasons, words);
          this.said.replaceChildren(el("p", { class: "refusal" }, words.ui("play.illegal")), why);
        };
      }
      return () => {
        this.undo.push(record.moves.length);
        this.#go(tried.record, [{ text: tried.step.text, events: tried.step.events }]);
      };
    });
  }

  /** Lets the engine move for the reader as it does for the other seats. */
  #advise() {
    const { words } = this.place;
    const record = this.record;
    this.#try(async () => {
      const { move } = await engine.ask("advice", { record }, words.lang);
      return () => this.#move(move);
    });
  }

  #undo() {
    const to = this.undo.pop();
    if (to !== undefined && this.record) {
      this.#go({ ...this.record, moves: this.record.moves.slice(0, to) }, []);
    }
  }
}

/**
 * A move as records have it (engine.game.Move).
 * @param {string} kind
 * @param {string[]} cards
 * @param {string | number | null} value
 */
function notation(kind, cards, value) {
  const head = [kind, ...cards].join(" ");
  return value === null ? head : `${head}: ${value}`;
}

function randomSeed() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000);
}
