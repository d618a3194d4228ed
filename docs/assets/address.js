// What a page's address says of its widgets: `?check=NAME&in=JSON`, `?deal=ID&step=N`.

import { setOut } from "./place.js";

/** The page that is shown or on its way, and what its address was last known to ask. */
let page = location.pathname;
let asked = location.search;

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
  asked = location.search;
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
  asked = location.search;
  for (const open of openers) open(values);
}

/**
 * Says to which address instant navigation has set out.
 * @param {URL} url
 */
export function follow(url) {
  page = url.pathname;
  asked = url.search;
  setOut();
}

/** The place that the address names is gone to again: the browser does not count that as a change. */
function again() {
  history.replaceState(null, "");
  setOut();
  dispatchEvent(new Event("hashchange"));
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== location.pathname) return;
  if (url.hash) {
    // What a search found is Material's, which marks the words.
    if (link.matches(".md-search-result__link")) return;
    // To a place on this page goes the browser: Material would fetch the page anew, and on a slow line
    // lose the place. The rest of the address stays as it is.
    link.search = location.search;
    // The way back leads to where the reader is now: Material notes that a moment after each scrolling.
    history.replaceState({ ...history.state, y: scrollY }, "");
    event.stopImmediatePropagation();
    if (url.hash === location.hash) setTimeout(again);
    return;
  }
  if (!openers.size || !(url.searchParams.has("check") || url.searchParams.has("deal"))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (url.href !== location.href) history.pushState(null, "", url);
  tell(url.searchParams);
}

/** @param {PopStateEvent} event */
function moved(event) {
  // To another page: its widgets read the address when they are put in.
  if (location.pathname !== page) return;
  // On this page Material has nothing to do, and would fetch it anew.
  event.stopImmediatePropagation();
  setOut();
  if (location.search !== asked) tell(new URL(location.href).searchParams);
}

// Both before Material's own, which are put in later.
document.body.addEventListener("click", clicked);
window.addEventListener("popstate", moved);
