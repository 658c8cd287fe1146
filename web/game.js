// game.js: the plies that were played, as a tree: whoever goes back and plays something else
// keeps what was there. One node is the current one; the line through it is what is shown.
//
// A node: {position, ply, text, parent, children, next, answer, number}; `next` is the child
// that the line goes on with, `answer` what the source said of the position, once it did.

export class Game {
    constructor(position, isStart) {
        this.root = { position, ply: null, text: '', parent: null, children: [], next: null, answer: null, number: 0 };
        this.isStart = isStart;
        this.current = this.root;
    }

    // Plays a ply from the current node, or from another one, and returns the node behind it.
    add(ply, text, position, from = this.current) {
        let node = from.children.find((child) => child.text === text);
        if (!node) {
            node = { position, ply, text, parent: from, children: [], next: null, answer: null, number: from.number + 1 };
            from.children.push(node);
        }
        from.next = node;
        return node;
    }

    // Makes a node the current one, and the line lead to it.
    go(node) {
        for (let child = node; child.parent; child = child.parent) child.parent.next = child;
        this.current = node;
    }

    // All nodes of the line, the first position included.
    line() {
        const nodes = [];
        for (let node = this.root; node; node = node.next) nodes.push(node);
        return nodes;
    }

    // From the first position to the current one.
    path() {
        const nodes = [];
        for (let node = this.current; node; node = node.parent) nodes.unshift(node);
        return nodes;
    }

    last() {
        let node = this.current;
        while (node.next) node = node.next;
        return node;
    }

    // As docs/NOTATION.md writes it; start is the text of the first position.
    text(start, nodes = this.line()) {
        const plies = nodes.slice(1).map((node) => node.text);
        const first = this.isStart ? 'startpos' : start;
        return plies.length ? `${first} moves ${plies.join(' ')}` : first;
    }
}
