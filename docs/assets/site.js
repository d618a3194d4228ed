// What the pages themselves can do beside their widgets.

import { GamesFilter } from "./games-filter.js";
import { RulePage } from "./rule-page.js";
import "./script-switch.js";

customElements.define("games-filter", GamesFilter);
customElements.define("rule-page", RulePage);
