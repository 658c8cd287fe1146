// source_files.js: the backend over files of a static host: compact files, or tables with depths. A
// worker (files_worker.js) reads them through WebAssembly, so that decoding never stops the page. The
// folder's merels.json, which scripts/site writes, says what there is:
//
//     {"games": [{"rules", "facts", "edition", "bytes", "pieceBytes", "whole", ...}]}
//     facts:               as of "merels rules RULES --json"
//     edition "compact":   "urls": pieces of the file, in order
//     edition "dtm":       "folder", "files": {name: bytes}; those above pieceBytes are cut
//
// whole: small enough to be fetched at once, so that it needs no ranges and works without a
// network later on. Compact files hold who wins, not in how many plies.

import { formatPly, otherSide, readPly, readPosition } from './position.js';
import { hasMill, readRules } from './rules.js';
import { SourceError } from './source.js';

const values = { 1: 'win', 0: 'draw', '-1': 'loss' };
const order = { win: 0, draw: 1, loss: 2 };
const kinds = {
    illegal: 'illegal',
    'not-covered': 'missing',
    damaged: 'damaged',
    newer: 'damaged',
    'ranges-ignored': 'ranges',
    unreachable: 'unreachable',
    http: 'unreachable',
    'no-module': 'unreachable',
};

const setOf = (men, side) => men.reduce((set, man, p) => (man === side ? set | (1 << p) : set), 0);
const pointOf = (p) => (p < 0 ? null : p);
const neverKept = /^not kept: /; // a table that was made, and is not there by intent
const cannotArise = /^not covered: cannot arise/;
const AHEAD = 3; // positions of tables fetched ahead: each takes some twenty blocks

// Why a position without plies is over, in the words of the command line.
function overReason(rules, { side, men, hand }) {
    const other = otherSide(side);
    const count = (one) => men.filter((man) => man === one).length + hand[one];
    if (count(side) < rules.least || count(other) < rules.least) return 'too few men';
    if (rules.millWins && hasMill(rules, men, other)) return 'mill';
    return men.every(Boolean) ? 'full board' : 'blocked';
}

// Where the files of a table's game are: those above `pieceBytes` in pieces with four digits.
function tableUrls({ folder, files, pieceBytes }, base) {
    const urlsOf = (name, bytes) => {
        const url = new URL(`${folder}/${name}`, base).href;
        if (!(pieceBytes > 0 && bytes > pieceBytes)) return [url];
        return Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, k) => `${url}.${String(k).padStart(4, '0')}`);
    };
    return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, { bytes, urls: urlsOf(name, bytes) }]));
}

export class FilesBackend {
    constructor(base) {
        this.base = base;
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
        const kind = error && (neverKept.test(error.message) ? 'notKept' : (kinds[error.code] ?? 'other'));
        if (error) reject(new SourceError(kind, error.message));
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
        this.hasTables = this.game.edition === 'dtm';
        this.ahead = this.hasTables ? AHEAD : undefined;
        const { text, edition } = await this.ask({ do: 'open', game: { ...this.game, ...this.places() } });
        this.toRemoval = edition === 'dtc';
        const { first_men: first, second_men: second, curves } = this.game.facts;
        const description = { rules, text, first, second, curves };
        this.rules = readRules(description);
        return { ...description, depths: edition === 'dtm' || edition === 'dtc', toRemoval: this.toRemoval };
    }

    // Where the files are, and the text of the facts.
    places() {
        const { text: facts, first_men: first, second_men: second } = this.game.facts;
        const text = `${facts}\nmen ${first === second ? first : `${first}-${second}`}`;
        if (this.hasTables) return { text, files: tableUrls(this.game, this.base) };
        return { text, urls: this.game.urls.map((url) => new URL(url, this.base).href) };
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
    // are one move, the step. entries: {from, to, removed, value, plies}
    movesOf(entries) {
        const moves = [];
        for (const { from, to, removed, value, plies } of entries) {
            const due = this.rules.otherChooses && to !== null ? removed.length : 0;
            const ply = { from, to, removed: due > 0 ? [] : removed, ...(due > 0 && { due }) };
            const text = formatPly(this.rules, ply);
            if (due > 0 && moves[moves.length - 1]?.text === text) continue;
            moves.push({ text, ply, value, plies, toRemoval: this.toRemoval, holds: null, replies: null, chance: null });
        }
        return moves;
    }

    async probe(text) {
        const position = readPosition(this.rules, text);
        return this.hasTables ? this.probeTables(text) : this.probeCompact(position);
    }

    async probeTables(text) {
        const { value, plies, over, lacking, moves } = await this.ask({ do: 'rank', position: text });
        const entries = moves.map((move) => ({ ...readPly(this.rules, move.text), value: move.value, plies: move.plies }));
        return { value, plies, toRemoval: this.toRemoval, over, complete: lacking === null, lacking, moves: this.movesOf(entries) };
    }

    async probeCompact(position) {
        const plies = await this.about(position, 'rank');
        const entries = plies.map(({ from, to, removed, value }) => ({ from: pointOf(from), to: pointOf(to), removed, value: values[value], plies: null }));
        const moves = this.movesOf(entries);
        // As everywhere else: of the same value by text. Where the other side picks, what it prefers is first.
        if (!this.rules.otherChooses) moves.sort((a, b) => order[a.value] - order[b.value] || (a.text < b.text ? -1 : 1));
        const over = moves.length === 0 ? overReason(this.rules, position) : null;
        const value = over ? values[await this.about(position, 'value')] : moves[0].value;
        return { value, plies: null, over, complete: true, moves };
    }

    async check(text) {
        try {
            if (this.hasTables) return { ...(await this.ask({ do: 'value', position: text })), toRemoval: this.toRemoval };
            return { value: values[await this.about(readPosition(this.rules, text), 'value')], plies: null };
        } catch (error) {
            if (error.kind === 'illegal') return { fault: 'faultIllegal' };
            if (error.kind === 'missing' && (!this.hasTables || cannotArise.test(error.message))) return { fault: 'faultCounts' };
            throw error;
        }
    }

    readGame(text) {
        return this.ask({ do: 'readGame', text });
    }

    traffic() {
        return { ...this.fetched, whole: this.game.whole };
    }
}
