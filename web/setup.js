// setup.js: a position that is being set up: men are put and taken, hands and the side to move
// are changed, and it is said why a position cannot be. What is wrong with the counts is found
// here, in words of the page; the rest the source knows.

import { hasMill, inMill } from './rules.js';
import { otherSide } from './position.js';

export class Setup {
    constructor(rules, position) {
        this.rules = rules;
        this.set(position);
    }

    set(position) {
        this.position = { ...position, men: [...position.men], hand: { ...position.hand } };
    }

    count(side) {
        return this.position.men.filter((man) => man === side).length;
    }

    // What a click with a tool ('w', 'b', 'x' or null) does: puts its man, or closes the point, or takes
    // away what is there.
    // A man that is put comes out of the hand while there is one, one that is taken goes back.
    put(point, side) {
        const { men } = this.position;
        const wanted = men[point] === side ? null : side;
        this.take(point);
        if (wanted) {
            men[point] = wanted;
            if (this.position.hand[wanted] > 0) this.position.hand[wanted]--;
        }
    }

    take(point) {
        const { men, hand } = this.position;
        const side = men[point];
        men[point] = null;
        if (side && this.count(side) + hand[side] < this.rules.men[side]) hand[side]++;
    }

    // Drags a man to another point, or off the board (null).
    move(from, to) {
        const { men } = this.position;
        if (to === null) return this.take(from);
        const side = men[from];
        if (men[to]) this.take(to);
        men[from] = null;
        men[to] = side;
    }

    setHand(side, n) {
        const most = this.rules.men[side];
        this.position.hand[side] = Math.max(0, Math.min(most, Number.isFinite(n) ? Math.trunc(n) : 0));
    }

    setCount(n) {
        this.position.count = Math.max(0, Math.min(this.rules.nMove, Number.isFinite(n) ? Math.trunc(n) : 0));
    }

    // Why this can be no position: {key, values} of the words, or null.
    fault() {
        const { rules, position } = this;
        const { side, due, hand, men, count } = position;
        if (count > 0 && (count > rules.nMove || this.onlyPlaces()))
            return { key: rules.past.counts ? 'faultCounted' : 'faultUncounted', values: { most: rules.nMove } };
        for (const one of ['w', 'b']) {
            const [n, most] = [this.count(one) + hand[one], rules.men[one]];
            if (n > most) return { key: 'faultTooMany', values: { side: one, n, most } };
        }
        const other = otherSide(side);
        if (this.count(other) + hand[other] < rules.least)
            return { key: 'faultOver', values: { side: other, least: rules.least } };
        if (rules.millWins && hasMill(rules, men, side)) return { key: 'faultMillWon', values: { side } };
        return due > 0 ? this.faultOfRemoval() : null;
    }

    // Plies are counted where some can be played that place no man.
    onlyPlaces() {
        const { hand } = this.position;
        return !this.rules.past.movesEarly && hand.w + hand.b > 0;
    }

    faultOfRemoval() {
        const { rules, position } = this;
        const { side, men } = position;
        if (rules.millWins) return { key: 'faultNoRemovals', values: {} };
        const closed = men.some((man, p) => man === side && inMill(rules, men, p, side));
        return closed ? null : { key: 'faultNoMill', values: { side } };
    }
}
