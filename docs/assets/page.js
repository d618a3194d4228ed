// What the pages themselves can do, and their widgets, which come to life also when Material's instant
// navigation puts in another page.

import { follow } from "./address.js";
import { pageLang } from "./data.js";
import { DealPlayer } from "./deal-player.js";
import { el } from "./dom.js";
import { GamesFilter } from "./games-filter.js";
import { firstAnswer, HandCheck } from "./hand-check.js";
import { OfflineKeep } from "./offline.js";
import { arrive } from "./place.js";
import { RulePage } from "./rule-page.js";
import "./script-switch.js";
import { nameSuits } from "./words.js";

customElements.define("games-filter", GamesFilter);
customElements.define("offline-keep", OfflineKeep);
customElements.define("rule-page", RulePage);
customElements.define("hand-check", HandCheck);
customElements.define("deal-player", DealPlayer);

function dress() {
  nameSuits(document, pageLang());
  arrive();
}
dress();

/** A question is waited for so many milliseconds. */
const PATIENCE = 300;

/**
 * Puts in Material's script, which keeps the page busy for a while: what the page was opened to ask is
 * answered first.
 */
async function addTheme() {
  const theme = document.getElementById("theme");
  if (!(theme instanceof HTMLLinkElement)) return;
  if (/** @type {{ahead?: object | null}} */ (globalThis).ahead) {
    await Promise.race([firstAnswer, new Promise((go) => setTimeout(go, PATIENCE))]);
  }
  const script = el("script", { src: theme.href });
  script.addEventListener("load", () => {
    // It waits for the page to be read, and that may have been.
    document.dispatchEvent(new Event("DOMContentLoaded"));
    // Material's streams of where it goes, and of pages, the first of which is dressed already.
    const { document$, location$ } = /** @type {any} */ (window);
    location$.subscribe(follow);
    let pages = 0;
    document$.subscribe(() => pages++ && dress());
  });
  document.head.append(script);
}

addTheme();
