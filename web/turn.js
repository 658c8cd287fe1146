// turn.js: a ply that is being made, click by click: the man that moves, where it goes, the men
// that it takes. Legal is what the list of moves of the source holds; every click narrows it.
//
// chosen: null, or {from, to, removed}: `to` is undefined while only a man has been picked. In
// the middle of a turn (removals due) from and to are null.

export class Turn {
    constructor(position, moves) {
        Object.assign(this, { position, moves, chosen: null });
    }

    // The moves that go on from a choice.
    open(chosen = this.chosen) {
        if (!chosen) return this.moves;
        return this.moves.filter(
            ({ ply }) =>
                ply.from === chosen.from &&
                (chosen.to === undefined || ply.to === chosen.to) &&
                (chosen.removed ?? []).every((p) => ply.removed.includes(p)),
        );
    }

    get taking() {
        return this.position.due > 0 || this.chosen?.to !== undefined;
    }

    // The points that can be chosen next, each with the best move that it leads to.
    choices() {
        const choices = new Map();
        const done = this.chosen?.removed ?? [];
        const put = (p, move) => p !== null && !choices.has(p) && choices.set(p, move);
        for (const move of this.open()) {
            const { from, to, removed } = move.ply;
            if (this.taking) removed.filter((p) => !done.includes(p)).forEach((p) => put(p, move));
            else put(this.chosen || from === null ? to : from, move);
        }
        return choices;
    }

    // The men as they stand once what has been chosen is made.
    men() {
        const men = [...this.position.men];
        const { from, to, removed } = this.chosen ?? {};
        if (to === undefined || to === null) return men;
        if (from !== null) men[from] = null;
        men[to] = this.position.side;
        for (const p of removed) men[p] = null;
        return men;
    }

    // What a click on a point does. Returns {move} if a whole ply was made, {fault, p} with the
    // key of the reason if nothing can be done there, else {}.
    click(p) {
        if (this.moves.length === 0) return { fault: 'gameOver', p };
        if (this.taking) return this.take(p);
        const man = this.position.men[p];
        if (man === null) return this.goTo(p);
        if (man === 'x') return { fault: 'closedPoint', p };
        return man === this.position.side ? this.pick(p) : { fault: 'notYours', p };
    }

    pick(p) {
        if (this.chosen?.from === p) this.chosen = null;
        else if (this.moves.some(({ ply }) => ply.from === p)) this.chosen = { from: p };
        else return { fault: this.moves.every(({ ply }) => ply.from === null) ? 'placeFirst' : 'cannotMove', p };
        return {};
    }

    goTo(p) {
        const next = { from: this.chosen?.from ?? null, to: p, removed: [] };
        if (this.open(next).length === 0) return { fault: this.chosen ? 'cannotGo' : 'chooseMan', p };
        return this.goOn(next);
    }

    take(p) {
        const chosen = this.chosen ?? { from: null, to: null, removed: [] };
        if (p === chosen.to || p === chosen.from) {
            this.chosen = null;
            return {};
        }
        const next = { ...chosen, removed: [...chosen.removed, p] };
        if (chosen.removed.includes(p) || this.open(next).length === 0) return { fault: 'cannotTake', p };
        return this.goOn(next);
    }

    // A whole ply, if nothing of it is left to choose.
    goOn(next) {
        const moves = this.open(next);
        const whole = moves.find(({ ply }) => ply.removed.length === next.removed.length);
        if (whole && moves.length === 1) return { move: whole };
        this.chosen = next;
        return {};
    }
}
