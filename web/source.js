// source.js: where values come from. The page asks a source and knows nothing of what is behind
// it: the HTTP interface of `merels serve` (source_http.js), or files of a static host, read by a
// worker (source_files.js). This file keeps answers, and fetches ahead what is likely
// to be asked next.
//
// A backend has:
//
//     list()           the rules there are: [{rules}]
//     open(rules)      {rules, text, first, second, depths, toRemoval}: the facts; depths: answers
//                      have plies; toRemoval: not to the end but to the next removal, if one is
//                      before it
//     ahead            how many positions to fetch ahead, if not as usual
//     probe(text)      {value, plies, toRemoval, over, complete, moves}; value: win, draw, loss for
//                      the side to move; over: why the game is over, or null; complete: every move
//                      has a value, else `lacking` may say why not; moves, best first for the side
//                      that chooses: [{text, ply, value, plies, toRemoval, holds, replies, chance}],
//                      the last three where the backend knows how many of the replies hold a draw
//     check(text)      the value of a position that may be none: {value, plies, toRemoval},
//                      {problem} with a message, or {fault} with the key of one
//     readGame(text)   a game in any form: {from, plies, problem}
//     traffic()        {requests, bytes, whole} so far, or null; whole: all has been fetched
//
// and fails with a SourceError.

export class SourceError extends Error {
    // kind: illegal, missing, notKept, damaged, unreachable, ranges, other
    constructor(kind, message) {
        super(message);
        this.kind = kind;
    }
}

const KEPT = 2000; // answers
const AHEAD = 6; // positions

export class Source {
    constructor(backend) {
        this.backend = backend;
        this.kept = new Map(); // text of a position: promise of its answer, oldest first
        this.waiting = [];
        this.fetching = false;
    }

    list() {
        return this.backend.list();
    }

    async open(rules) {
        this.waiting = [];
        const facts = await this.backend.open(rules);
        this.kept.clear();
        this.depths = facts.depths;
        this.toRemoval = Boolean(facts.toRemoval);
        return facts;
    }

    probe(text) {
        let promise = this.kept.get(text);
        if (promise) {
            this.kept.delete(text); // the youngest again
        } else {
            promise = this.backend.probe(text);
            promise.catch(() => this.kept.delete(text));
        }
        this.kept.set(text, promise);
        if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
        return promise;
    }

    // What is likely to be asked next, the likeliest first. Replaces what was said before.
    ahead(texts) {
        this.waiting = texts.filter((text) => !this.kept.has(text)).slice(0, this.backend.ahead ?? AHEAD);
        if (!this.fetching) this.fetchAhead();
    }

    async fetchAhead() {
        this.fetching = true;
        while (this.waiting.length > 0) await this.probe(this.waiting.shift()).catch(() => {});
        this.fetching = false;
    }

    check(text) {
        return this.backend.check(text);
    }

    readGame(text) {
        return this.backend.readGame(text);
    }

    traffic() {
        return this.backend.traffic();
    }
}
