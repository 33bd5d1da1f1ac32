// What is shown while the server cannot be reached: one cached page that says so. Nothing else is cached, so nothing
// shown is ever out of date.
const CACHE = "boyi-offline-1";
const KEPT = ["offline.html", "offline.css", "icon.svg"].map((name) => new URL(name, location.href).pathname);

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT.map((path) => new Request(path, { cache: "reload" })))).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(KEPT[0])));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});
