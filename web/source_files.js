// source_files.js: the backend over compact files of a static host. A worker (files_worker.js)
// reads them through the WebAssembly reader, so that decoding never stops the page. The folder's
// merels.json, which scripts/site writes, says what there is:
//
//     {"games": [{"rules", "first", "second", "urls", "pieceBytes", "bytes", "whole"}]}
//
// whole: small enough to be fetched at once, so that it needs no ranges and works without a
// network later on. Compact files hold who wins, not in how many plies.

import { formatPly, otherSide, readPosition } from './position.js';
import { hasMill, readRules } from './rules.js';
import { SourceError } from './source.js';

const values = { 1: 'win', 0: 'draw', '-1': 'loss' };
const kinds = {
    illegal: 'illegal',
    'not-covered': 'missing',
    damaged: 'damaged',
    newer: 'damaged',
    'ranges-ignored': 'ranges',
    unreachable: 'unreachable',
    http: 'unreachable',
};

const setOf = (men, side) => men.reduce((set, man, p) => (man === side ? set | (1 << p) : set), 0);
const pointOf = (p) => (p < 0 ? null : p);

// Why a position without plies is over, in the words of the command line.
function overReason(rules, { side, men, hand }) {
    const other = otherSide(side);
    const count = (one) => men.filter((man) => man === one).length + hand[one];
    if (count(side) < rules.least || count(other) < rules.least) return 'too few men';
    if (rules.millWins && hasMill(rules, men, other)) return 'mill';
    return men.every(Boolean) ? 'full board' : 'blocked';
}

export class FilesBackend {
    constructor(base) {
        this.base = base;
        this.readsAnyGame = false;
        this.worker = new Worker(new URL('files_worker.js', import.meta.url), { type: 'module' });
        this.waiting = new Map(); // number of a question: how to answer it
        this.asked = 0;
        this.fetched = { requests: 0, bytes: 0 };
        this.worker.onmessage = ({ data }) => this.take(data);
    }

    take({ id, result, error, fetched }) {
        const { resolve, reject } = this.waiting.get(id);
        this.waiting.delete(id);
        if (fetched) this.fetched = fetched;
        if (error) reject(new SourceError(kinds[error.code] ?? 'other', error.message));
        else resolve(result);
    }

    ask(question) {
        const id = ++this.asked;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.worker.postMessage({ id, ...question });
        });
    }

    async list() {
        const response = await fetch(new URL('merels.json', this.base)).catch((error) => {
            throw new SourceError('unreachable', error.message);
        });
        if (!response.ok) throw new SourceError('unreachable', response.statusText);
        this.games = (await response.json()).games;
        return this.games.map(({ rules, title }) => ({ rules, title }));
    }

    async open(rules) {
        this.game = this.games.find((game) => game.rules === rules);
        const urls = this.game.urls.map((url) => new URL(url, this.base).href);
        const text = await this.ask({ do: 'open', game: { ...this.game, urls } });
        const description = { rules, text, first: this.game.first, second: this.game.second };
        this.rules = readRules(description);
        return { ...description, depths: false };
    }

    // What is asked of the reader about a position.
    about(position, what) {
        const { side, due, men, hand } = position;
        const other = otherSide(side);
        return this.ask({
            do: what,
            position: { own: setOf(men, side), other: setOf(men, other), ownHand: hand[side], otherHand: hand[other], due },
        });
    }

    // Where the other side picks the men that are taken, the plies of one step stand together: they
    // are one move, the step.
    movesOf(position, plies) {
        const moves = [];
        for (const { from, to, removed, value } of plies) {
            const due = this.rules.otherChooses && to >= 0 ? removed.length : 0;
            const ply = { from: pointOf(from), to: pointOf(to), removed: due > 0 ? [] : removed, ...(due > 0 && { due }) };
            const text = formatPly(this.rules, ply);
            if (due > 0 && moves[moves.length - 1]?.text === text) continue;
            moves.push({ text, ply, value: values[value], plies: null, holds: null, replies: null, chance: null });
        }
        return moves;
    }

    async probe(text) {
        const position = readPosition(this.rules, text);
        const plies = await this.about(position, 'rank');
        const moves = this.movesOf(position, plies);
        const over = moves.length === 0 ? overReason(this.rules, position) : null;
        const value = over ? values[await this.about(position, 'value')] : moves[0].value;
        return { value, plies: null, over, complete: true, moves };
    }

    async check(text) {
        try {
            return { value: values[await this.about(readPosition(this.rules, text), 'value')], plies: null };
        } catch (error) {
            if (error.kind === 'illegal') return { fault: 'faultIllegal' };
            if (error.kind === 'missing') return { fault: 'faultCounts' };
            throw error;
        }
    }

    async readGame() {
        return null;
    }

    traffic() {
        return { ...this.fetched, whole: this.game.whole };
    }
}
