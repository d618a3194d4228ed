// What a page's address says of its widgets: `?check=NAME&in=JSON`, `?deal=ID&step=N`.

/**
 * A value of the address, null where it is not there.
 * @param {string} name
 */
export function said(name) {
  return new URL(location.href).searchParams.get(name);
}

/**
 * Puts values into the address without a new entry in the history; null takes one out.
 * @param {Record<string, string | null>} values
 */
export function say(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  // Material keeps the scroll position in the state.
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/**
 * The address of this page with these values only, for sharing.
 * @param {Record<string, string>} values
 */
export function linkTo(values) {
  const url = new URL(location.href);
  url.search = new URLSearchParams(values).toString();
  url.hash = "";
  return url.href;
}

/** @type {Set<(values: URLSearchParams) => void>} */
const openers = new Set();

/**
 * Calls back when a link on this page opens a widget, or the reader goes back or forward to another
 * question or step. Such links do not leave the page.
 * @param {(values: URLSearchParams) => void} open
 * @returns {() => void} ends it
 */
export function onOpen(open) {
  openers.add(open);
  return () => openers.delete(open);
}

/** @param {URLSearchParams} values */
function tell(values) {
  for (const open of openers) open(values);
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || !openers.size) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== location.pathname) return;
  if (!url.searchParams.has("check") && !url.searchParams.has("deal")) return;
  // A link to a clause leaves the rest of the address as it is.
  if (url.hash && url.search === location.search) return;
  event.preventDefault();
  event.stopPropagation();
  if (url.href !== location.href) history.pushState(null, "", url);
  tell(url.searchParams);
}

let shown = location.pathname;

function moved() {
  // To another page: its widgets read the address when they are put in.
  if (location.pathname === shown) tell(new URL(location.href).searchParams);
  shown = location.pathname;
}

// Before Material's instant navigation sees the click.
document.addEventListener("click", clicked, true);
window.addEventListener("popstate", moved);
