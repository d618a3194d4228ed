// The reader's place on the page, kept while widgets above it come to life and make the page longer. Not
// every browser keeps it by itself (Apple's do not), and none can where the page is still too short.

/** The widgets are awake by then, also on a slow line. */
const LONGEST = 20_000;
/** What the reader does to move on. */
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

let leave = () => {};

/**
 * Goes to a place and stays there, until the reader moves or something else goes elsewhere.
 * @param {() => void} go
 */
export function stayAt(go) {
  leave();
  const end = new AbortController();
  const length = new ResizeObserver(go);
  const timer = setTimeout(() => leave(), LONGEST);
  leave = () => {
    length.disconnect();
    clearTimeout(timer);
    end.abort();
  };
  for (const move of MOVES) {
    window.addEventListener(move, leave, { capture: true, passive: true, signal: end.signal });
  }
  // It begins by telling how long the page is now.
  length.observe(document.body);
}

/** The part of the page that the address names, if any. */
export function named() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null; // It can hold anything.
  }
}

/** The page that is shown. */
let page = location.pathname;
/** Where the reader had left what is on its way, undefined where it is new. */
let left = history.state?.y;
let free = true;

/**
 * What the history now holds is on its way. Material notes where the reader is a moment after each scrolling:
 * before this has arrived, it may have noted the place before over it.
 */
export function setOut() {
  left = history.state?.y;
}

/** Whether the page was opened at no place of its own, so that what a link asks may come into view. */
export const isFree = () => free;

/** Stays where the reader had left the page, or else at what the address names. */
export function arrive() {
  const another = page !== location.pathname;
  page = location.pathname;
  const y = left;
  const part = named();
  free = y === undefined && !location.hash;
  if (y !== undefined) stayAt(() => scrollTo(0, y));
  else if (part) stayAt(() => part.scrollIntoView());
  else {
    leave();
    if (another) scrollTo(0, 0);
  }
}

// A place on another page is gone to when that page is there.
window.addEventListener("hashchange", () => page === location.pathname && arrive());
