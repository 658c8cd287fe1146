// example.js: the plies of the empty board with their values, best first. Board and men are those of the file.
//
//     ./build.sh && node example.js ../../data/three.mce
//     node example.js https://example.org/nine.mce
//     node example.js FILE MODULE         the module lies elsewhere

import { readFile } from 'node:fs/promises';
import { Merels, MerelsError } from './index.js';

const words = { 1: 'wins', 0: 'draws', '-1': 'loses' };

function text(merels, ply) {
    const name = (point) => merels.names[point];
    const step = ply.to < 0 ? 'pass' : ply.from < 0 ? name(ply.to) : `${name(ply.from)}-${name(ply.to)}`;
    return step + ply.removed.map((point) => `x${name(point)}`).join('');
}

async function show(file, module) {
    const options = module ? { wasm: await readFile(module) } : {};
    const merels = /^https?:/.test(file)
        ? await Merels.openUrl(file, options)
        : await Merels.openFile(file, options);
    try {
        if (merels.starts.length === 0)
            throw new MerelsError('not-covered', `${file}: it has no empty board with men in hand`);
        for (const ply of await merels.rank(merels.starts[0]))
            console.log(`${text(merels, ply)}: ${words[ply.value]}`);
    } finally {
        await merels.close();
    }
}

const [, , file, module] = process.argv;
if (file === undefined) {
    console.error('usage: node example.js FILE|URL [MODULE]');
    process.exitCode = 2;
} else {
    await show(file, module).catch((error) => {
        console.error(`${file}: ${error.message}`);
        process.exitCode = 1;
    });
}
