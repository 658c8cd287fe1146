// answers.mjs: the answers of tests/compact/answers.c by the WebAssembly reader, for the positions that
// stand at the beginnings of the lines of standard input.
//
//     node answers.mjs INDEX_JS MODULE FILE

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [, , index, module, file] = process.argv;
const { Merels, MerelsError } = await import(pathToFileURL(index));
const CODES = { illegal: 2, 'not-covered': 3, damaged: 4 };
const merels = await Merels.openFile(file, { wasm: await readFile(module) });
const lines = (await readFile('/dev/stdin', 'utf8')).split('\n').slice(0, -1);

async function answer(words) {
    const [own, other, ownHand, otherHand, due] = words.map(Number);
    const position = { own, other, ownHand, otherHand, due };
    try {
        const value = await merels.value(position);
        const plies = await merels.rank(position);
        return [0, value, ...plies.map((ply) =>
            [ply.from, ply.to, ply.value, Number(ply.picked), ...ply.removed].join(','))];
    } catch (error) {
        if (!(error instanceof MerelsError) || !(error.code in CODES))
            throw error;
        return [CODES[error.code]];
    }
}

const out = [];
for (const line of lines) {
    const words = line.split(' ').slice(0, 5);
    out.push([...words, ...(await answer(words))].join(' '));
}
process.stdout.write(out.join('\n') + '\n');
await merels.close();
