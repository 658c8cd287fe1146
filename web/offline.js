// offline.js: the service worker of a folder that scripts/site wrote: it keeps the page, the
// reader and the small games, so that they work without a network. Parts of large files go past
// it. What is kept belongs to one version of the folder; scripts/site fills in both names.

const VERSION = '@VERSION@';
const FILES = ['@FILES@'];
const kept = new Set(FILES.map((name) => new URL(name, self.registration.scope).href));

addEventListener('install', (event) => {
    const requests = FILES.map((name) => new Request(name, { cache: 'no-cache' }));
    event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(requests)).then(() => self.skipWaiting()));
});

addEventListener('activate', (event) => {
    const clean = async () => {
        for (const name of await caches.keys()) if (name.startsWith('merels-') && name !== VERSION) await caches.delete(name);
        await self.clients.claim();
    };
    event.waitUntil(clean());
});

addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    url.hash = url.search = '';
    if (event.request.method !== 'GET' || event.request.headers.has('range') || !kept.has(url.href)) return;
    event.respondWith(caches.match(url.href, { cacheName: VERSION }).then((found) => found ?? fetch(event.request)));
});
