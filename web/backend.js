// backend.js: which backend this page has. The page's head says it: "server" where `merels serve`
// answers beside the page, "files" in a folder that scripts/site wrote.

import { HttpBackend } from './source_http.js';

export async function openBackend() {
    const kind = document.querySelector('meta[name="merels-source"]').content;
    if (location.protocol === 'file:') return null;
    if (kind !== 'files') return new HttpBackend(new URL('v1/', document.baseURI).href);
    keepForOffline();
    const { FilesBackend } = await import('./source_files.js');
    return new FilesBackend(new URL('.', document.baseURI).href);
}

// Where the browser can: only on https and on this machine itself.
function keepForOffline() {
    navigator.serviceWorker?.register(new URL('offline.js', document.baseURI)).catch(() => {});
}
