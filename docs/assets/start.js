// The first script of a game page, and the only one that the page waits for. A link that asks something needs
// the engine and the widgets' words: these are got before the page is read, and the engine has its question
// at once. engine-client.js and data.js take them over from here. On a line on which the page takes its time,
// the page comes first.

/** @typedef {import("./engine-client.js").Ahead} Ahead */

/** A page that has not come so far within so many milliseconds is on a line on which all else waits. */
const NEAR = 90;

const page = /** @type {{ahead?: Ahead | null}} */ (globalThis);
const link = new URLSearchParams(location.search);
const check = link.get("check");
const here = /** @type {HTMLScriptElement | null} */ (document.currentScript);

function start() {
  const slug = location.pathname.match(/\/games\/(\w+)\//)?.[1];
  // Where it has been started by other means, that will do.
  if (!slug || !here || page.ahead !== undefined) return;
  const lang = document.documentElement.lang;
  const args = { slug, name: check, question: link.get("in") ?? "{}" };
  const request = JSON.stringify({ op: "ask", args, lang });
  // The answer is shown by the page's script, which stands at the end of a long page.
  const script = document.createElement("link");
  script.rel = "modulepreload";
  script.href = new URL("./page.js", here.src).href;
  document.head.append(script);
  let worker;
  try {
    worker = new Worker(new URL("./engine-worker.js", here.src), { type: "module" });
  } catch {
    return;
  }
  /** @type {any[]} */
  const heard = [];
  worker.onmessage = (event) => heard.push(event.data);
  worker.onerror = (event) => heard.push({ state: "failed", reason: event.message });
  worker.postMessage({ id: 0, request });
  const name = `${slug}.${lang}`;
  const text = fetch(new URL(`./widgets/${name}.json`, here.src)).then((response) =>
    response.ok ? response.text() : Promise.reject(new Error(`${name}: ${response.status}`)),
  );
  text.catch(() => {});
  page.ahead = { worker, request, heard, words: { name, text } };
}

if (check !== null) {
  if (performance.now() <= NEAR) start();
  else document.addEventListener("readystatechange", start, { once: true });
}
