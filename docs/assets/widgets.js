// Brings the widgets of a page to life, also when Material's instant navigation puts in another page.

import { pageLang } from "./data.js";
import { DealPlayer } from "./deal-player.js";
import { HandCheck } from "./hand-check.js";
import { nameSuits } from "./words.js";

customElements.define("hand-check", HandCheck);
customElements.define("deal-player", DealPlayer);

/** Material's stream of pages, where the page is Material's. */
const pages = /** @type {{document$?: {subscribe: (act: () => void) => void}}} */ (window)
  .document$;
const dress = () => nameSuits(document, pageLang());
if (pages) pages.subscribe(dress);
else dress();
