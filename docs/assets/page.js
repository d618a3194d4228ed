// What the pages themselves can do, and their widgets, which come to life also when Material's instant
// navigation puts in another page.

import { pageLang } from "./data.js";
import { DealPlayer } from "./deal-player.js";
import { GamesFilter } from "./games-filter.js";
import { HandCheck } from "./hand-check.js";
import { OfflineKeep } from "./offline.js";
import { RulePage } from "./rule-page.js";
import "./script-switch.js";
import { nameSuits } from "./words.js";

customElements.define("games-filter", GamesFilter);
customElements.define("offline-keep", OfflineKeep);
customElements.define("rule-page", RulePage);
customElements.define("hand-check", HandCheck);
customElements.define("deal-player", DealPlayer);

const dress = () => nameSuits(document, pageLang());
dress();
// Material's script comes after this one. It has a stream of pages, where the page is Material's.
document.addEventListener("DOMContentLoaded", () => {
  /** @type {{document$?: {subscribe: (act: () => void) => void}}} */ (window).document$?.subscribe(
    dress,
  );
});
