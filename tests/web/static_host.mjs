// static_host.mjs: a host that serves the files of a folder and nothing else, well or badly.
//
//     ranges: false   sends whole files whatever is asked for, as some hosts do

import { createServer } from 'node:http';
import { open, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const types = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm',
};

async function readPart(file, first, n) {
    const handle = await open(file);
    try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(n), 0, n, first);
        return buffer.subarray(0, bytesRead);
    } finally {
        await handle.close();
    }
}

// Returns how many bytes it has sent.
async function answer(request, response, file, ranges) {
    const { size } = await stat(file);
    const headers = { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' };
    const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range) {
        const whole = await readPart(file, 0, size);
        response.writeHead(200, headers).end(whole);
        return size;
    }
    const [first, last] = [Number(range[1]), Math.min(Number(range[2]), size - 1)];
    if (first > last) {
        response.writeHead(416, headers).end();
        return 0;
    }
    const told = { ...headers, 'Content-Range': `bytes ${first}-${last}/${size}` };
    const part = await readPart(file, first, last - first + 1);
    response.writeHead(206, told).end(part);
    return last - first + 1;
}

export async function startHost(folder, { ranges = true } = {}) {
    const requests = []; // paths, with the ranges that were asked for
    const sent = []; // [path, bytes]
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
        requests.push(`${path}${request.headers.range ? ` ${request.headers.range}` : ''}`);
        const file = join(folder, normalize(path), path.endsWith('/') ? 'index.html' : '');
        try {
            sent.push([path, await answer(request, response, file, ranges)]);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const stop = () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
    };
    // Bytes of the answers whose path has a part.
    const bytes = (part = '') => sent.filter(([path]) => path.includes(part)).reduce((sum, [, n]) => sum + n, 0);
    return { url: `http://127.0.0.1:${server.address().port}/`, requests, bytes, stop };
}
