// The page without a connection: what was loaded once is kept, and asked for where the server does not answer.
// SPDX-License-Identifier: BSD-3-Clause
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
const files = ["./", "style.css", "main.mjs", "worker.mjs", "noether.wasm", "models.json"];
const kept = "noether playground";
self.addEventListener("activate", event => event.waitUntil(caches.open(kept).then(cache => cache.addAll(files))));
const same = (a, b) => b && ["etag", "last-modified"].some(name => a.headers.get(name) && a.headers.get(name) === b.headers.get(name));
self.addEventListener("fetch", event => event.respondWith(fetch(event.request).then(async answer => {
    const old = await caches.match(event.request);
    if (!answer.ok || same(answer, old)) return answer;
    const copy = answer.clone();
    event.waitUntil(caches.open(kept).then(cache => cache.put(event.request, copy)));
    return answer;
}).catch(() => caches.match(event.request, { ignoreSearch: true }).then(answer => answer ?? Response.error()))));
