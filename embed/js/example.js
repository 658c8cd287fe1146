// example.js: the plies of the empty board of three men's morris with their values, best first.
//
//     ./build.sh && node example.js ../../data/three.mce

import { readFile } from 'node:fs/promises';
import { Merels } from './index.js';

const [, , file, module] = process.argv;
const options = module ? { wasm: await readFile(module) } : {};
const merels = /^https?:/.test(file)
    ? await Merels.openUrl(file, options)
    : await Merels.openFile(file, options);

const words = { 1: 'wins', 0: 'draws', '-1': 'loses' };
for (const ply of await merels.rank({ own: 0, other: 0, ownHand: 3, otherHand: 3 }))
    console.log(`place on ${ply.to}: ${words[ply.value]}`);
await merels.close();
