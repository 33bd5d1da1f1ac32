// What works while the server cannot be reached: introductions, lessons and some puzzles, which were looked at before;
// for everything else a page that says so. The network comes first, always: what is kept is shown only where nothing
// answers, so nothing is ever out of date. Rooms, games and anything of a person are never kept.
const CACHE = "boyi-offline-2";
const ROOT = new URL("./", location.href).pathname;
const KEPT = ["offline.html", "offline.css", "icon.svg"].map((name) => ROOT + name);
/** The page itself, which is the same at every address. */
const SHELL = `${ROOT}?shell`;
/** Addresses at which the page is of use without the server, and what it asks for there. */
const PAGES = /^(?:learn|puzzles)(?:\/|$)/;
const FACTS = /^api\/(?:games|games\/[^/]+|games\/[^/]+\/board|games\/[^/]+\/introduction|games\/[^/]+\/lessons\/[^/]+|puzzles|puzzle-bundles\/[^/]+)$/;
/** Files with a hash in their name; older ones make room. */
const ASSETS = /^assets\//;
const MOST_ASSETS = 80;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT.map((path) => new Request(path, { cache: "reload" })))).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => clients.claim()));
});

async function keep(key, response) {
  if (!response.ok) return;
  const cache = await caches.open(CACHE);
  await cache.put(key, response);
  const assets = (await cache.keys()).filter((request) => ASSETS.test(new URL(request.url).pathname.slice(ROOT.length)));
  await Promise.all(assets.slice(0, Math.max(0, assets.length - MOST_ASSETS)).map((request) => cache.delete(request)));
}

/** From the network, kept under a key; from what is kept where there is none. */
async function fresh(event, key, fallback) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(keep(key, response.clone()));
    return response;
  } catch (error) {
    const found = (await caches.match(key)) ?? (fallback && (await caches.match(fallback)));
    if (found) return found;
    throw error;
  }
}

async function asset(event) {
  return (await caches.match(event.request)) ?? fresh(event, event.request);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET" || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length);
  if (request.mode === "navigate") {
    if (PAGES.test(path)) event.respondWith(fresh(event, SHELL, KEPT[0]));
    else event.respondWith(fetch(request).catch(() => caches.match(KEPT[0])));
  } else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  else if (ASSETS.test(path)) event.respondWith(asset(event));
  else if (FACTS.test(path) && !request.headers.has("Authorization")) event.respondWith(fresh(event, request));
});
