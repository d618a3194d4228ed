// The list of games, narrowed down: by players, packs, family and time.

import { said, say } from "./address.js";

/** Whether a row fits what was chosen, by the name of the choice. */
const FITS = /** @type {Record<string, (row: DOMStringMap, value: string) => boolean>} */ ({
  players: (row, value) => (row.players ?? "").split(" ").includes(value),
  packs: (row, value) => row.packs === value,
  family: (row, value) => row.family === value,
  minutes: (row, value) => Number(row.minutes) <= Number(value),
});

export class GamesFilter extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    if (!form) return;
    form.hidden = false;
    for (const select of this.#selects) {
      const value = said(select.name) ?? "";
      if ([...select.options].some((o) => o.value === value)) select.value = value;
    }
    form.addEventListener("input", () => this.#show());
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#show();
  }

  get #selects() {
    return [...this.querySelectorAll("select")];
  }

  #show() {
    const chosen = this.#selects.filter((select) => select.value);
    let count = 0;
    for (const row of this.querySelectorAll("tbody tr")) {
      if (!(row instanceof HTMLElement)) continue;
      row.hidden = !chosen.every(({ name, value }) => FITS[name](row.dataset, value));
      count += row.hidden ? 0 : 1;
    }
    const status = this.querySelector("[role=status]");
    const text = (count ? this.dataset.count : this.dataset.none) ?? "";
    if (status) status.textContent = text.replace("{n}", String(count));
    say(Object.fromEntries(this.#selects.map(({ name, value }) => [name, value || null])));
  }
}
