// What the pages themselves can do beside their widgets.

import { GamesFilter } from "./games-filter.js";
import { OfflineKeep } from "./offline.js";
import { RulePage } from "./rule-page.js";
import "./script-switch.js";

customElements.define("games-filter", GamesFilter);
customElements.define("offline-keep", OfflineKeep);
customElements.define("rule-page", RulePage);
