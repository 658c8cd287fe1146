// source_http.js: the backend over the HTTP interface of `merels serve`, which also reads games
// in every form of docs/NOTATION.md.

import { readPly, readPosition } from './position.js';
import { readRules } from './rules.js';
import { SourceError } from './source.js';

const kinds = { 400: 'illegal', 404: 'missing', 422: 'illegal', 500: 'damaged' };

export class HttpBackend {
    constructor(base) {
        this.base = base; // ends in /v1/
    }

    async request(path, options) {
        let response;
        try {
            response = await fetch(this.base + path, options);
        } catch (error) {
            throw new SourceError('unreachable', error.message);
        }
        if (response.ok) return response;
        const body = await response.json().catch(() => ({}));
        throw new SourceError(kinds[response.status] ?? 'other', body.error ?? response.statusText);
    }

    async list() {
        const { served } = await (await this.request('')).json();
        this.editions = new Map(served.map((entry) => [entry.rules, entry.editions.map((e) => e.edition)]));
        return served.map(({ rules }) => ({ rules }));
    }

    async open(rules) {
        this.path = `${encodeURIComponent(rules)}/`;
        const facts = await (await this.request(`${this.path}rules`)).json();
        const description = { rules, text: facts.text, first: facts.first_men, second: facts.second_men, curves: facts.curves };
        this.rules = readRules(description);
        const editions = this.editions.get(rules);
        const toRemoval = editions.includes('dtc');
        return { ...description, depths: toRemoval || editions.includes('dtm'), toRemoval };
    }

    // A step whose men the other side picks says how many by the position behind it.
    plyOf(move) {
        const ply = readPly(this.rules, move.move);
        return move.picks ? { ...ply, due: readPosition(this.rules, move.after).due } : ply;
    }

    async probe(text) {
        const path = `${this.path}probe?position=${encodeURIComponent(text)}`;
        const answer = await (await this.request(path)).json();
        const toRemoval = answer.metric === 'dtc';
        return {
            value: answer.value,
            plies: answer.plies,
            toRemoval,
            over: answer.over ?? null,
            complete: answer.complete,
            moves: answer.moves.map((move) => ({
                text: move.move,
                ply: this.plyOf(move),
                value: move.value,
                plies: move.plies,
                toRemoval,
                holds: move.replies_that_hold ?? null,
                replies: move.replies ?? null,
                chance: move.wrong_chance ?? null,
            })),
        };
    }

    // A batch of one line: what is no position is an answer there, not a failed request.
    async check(text) {
        const response = await this.request(`${this.path}probe`, { method: 'POST', body: text });
        const answer = await response.json();
        if (answer.status === 'cannot arise') return { fault: 'faultCounts' };
        if (answer.error) return { problem: answer.error };
        return { value: answer.value, plies: answer.plies, toRemoval: answer.metric === 'dtc' };
    }

    async readGame(text) {
        const response = await this.request(`${this.path}analyse`, { method: 'POST', body: text });
        const game = await response.json();
        return {
            from: game.position,
            plies: game.moves.map((move) => move.move),
            problem: game.error ?? null,
        };
    }

    traffic() {
        return null;
    }
}
