// compact_reader.js: reads a file of edition compact of a static host, through the reader of embed/js,
// which scripts/site puts beside it as merels_compact.js. That one knows no notation: games are read by
// the module of tables_reader.js, which is fetched for the first of them.

import { Merels, MerelsError, bufferSource, urlSource } from './merels_compact.js';

export class CompactReader {
    edition = 'compact';
    #opened;
    #whole = null; // what was fetched if the file came at once
    #game;
    #fetch;
    #notation = null; // a promise of the reader of games

    // game: {urls, bytes, pieceBytes, whole, text}: the text of "merels rules RULES"; fetch as of the browser.
    static async open(game, fetch) {
        const reader = new CompactReader();
        const { urls, pieceBytes, whole } = game;
        reader.#game = game;
        reader.#fetch = fetch;
        const source = whole ? await reader.#fetchWhole(game, fetch) : urlSource(urls, { fetch, pieceBytes });
        reader.#opened = await Merels.open(source);
        reader.rules = reader.#opened.rules;
        return reader;
    }

    // All of a file, of its pieces in order.
    async #fetchWhole({ urls, bytes }, fetch) {
        const all = new Uint8Array(bytes);
        let at = 0;
        for (const url of urls) {
            const response = await fetch(url);
            if (!response.ok) throw new MerelsError('http', `${url}: the host answers ${response.status}`);
            const piece = new Uint8Array(await response.arrayBuffer());
            if (at + piece.length > bytes) throw new MerelsError('damaged', `${url}: longer than it should be`);
            all.set(piece, at);
            at += piece.length;
        }
        this.#whole = { requests: urls.length, bytes: at };
        return bufferSource(all.subarray(0, at));
    }

    get fetched() {
        return this.#whole ?? this.#opened.fetched;
    }

    value(position) {
        return this.#opened.value(position);
    }

    rank(position) {
        return this.#opened.rank(position);
    }
    // {from, plies, problem}: a game in any form of docs/NOTATION.md
    async readGame(text) {
        this.#notation ??= this.#openNotation();
        this.#notation.catch(() => (this.#notation = null));
        return (await this.#notation).readGame(text);
    }

    async #openNotation() {
        const { TablesReader } = await import('./tables_reader.js').catch((error) => {
            throw new MerelsError('unreachable', error.message);
        });
        return TablesReader.openRules({ text: this.#game.text, whole: true }, this.#fetch);
    }
}
