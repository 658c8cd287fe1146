// index.d.ts: types of index.js.

/** Bit p of a set is point p of the file's rules. The side to move is `own`. */
export interface Position {
    own: number;
    other: number;
    /** Men in hand, 0 if left out. */
    ownHand?: number;
    otherHand?: number;
    /** Removals that the mover owes in the middle of a turn, 0 if left out. */
    due?: number;
}

export type Value = 1 | 0 | -1;

export interface Step {
    /** -1 for a placement. */
    from: number;
    /** -1 for a pass, and in the middle of a turn. */
    to: number;
    removed: number[];
}

export interface Ply extends Step {
    /** For the side that plays it. */
    value: Value;
    /** False for removals that the other side, where it chooses, would not choose. */
    picked: boolean;
}

/** A source of bytes; fewer than asked for come only where the file ends. What it throws comes to who asks. */
export interface Source {
    fetch(offset: number, length: number): Promise<Uint8Array>;
    close?(): Promise<void> | void;
    /** Bytes of the file, if they are known: a file of another length than its head says is damaged. */
    readonly length?: number;
}

/** Men on the board and in hand of the side to move and of the other one. */
export interface Counts {
    own: number;
    other: number;
    ownHand: number;
    otherHand: number;
}

export interface OpenOptions {
    /** The module, if it does not lie beside index.js. */
    wasm?: BufferSource | WebAssembly.Module;
    /** Bytes of a page, the unit of fetching: 16384. */
    pageBytes?: number;
    /** Bytes of pages that are kept: 32 MB. */
    cacheBytes?: number;
}

export interface UrlOptions extends OpenOptions {
    fetch?: typeof globalThis.fetch;
    /** Further options of every request. */
    init?: RequestInit;
    /** The length of all pieces but the last, if there are several. */
    pieceBytes?: number;
}

export type ErrorCode =
    | 'illegal' | 'not-covered' | 'damaged' | 'newer' | 'no-memory' | 'read-failed'
    | 'ranges-ignored' | 'http' | 'closed' | 'bad-input' | 'no-module';

export class MerelsError extends Error {
    readonly code: ErrorCode;
    constructor(code: ErrorCode, message?: string, options?: { cause?: unknown });
}

export function bufferSource(buffer: ArrayBuffer | ArrayBufferView): Source;
export function fileSource(path: string): Promise<Source>;
export function urlSource(urls: string | string[], options?: UrlOptions): Source;

export class Merels {
    private constructor();
    static open(source: Source, options?: OpenOptions): Promise<Merels>;
    static openBuffer(buffer: ArrayBuffer | ArrayBufferView, options?: OpenOptions): Promise<Merels>;
    static openFile(path: string, options?: OpenOptions): Promise<Merels>;
    static openUrl(urls: string | string[], options?: UrlOptions): Promise<Merels>;

    /** Points of the board. */
    readonly points: number;
    /** The rules, a line for each fact. */
    readonly rules: string;
    /** Names of the points, in their order. */
    readonly names: string[];
    /** The counts of men of all positions that the file covers. */
    readonly counts: Counts[];
    /** The empty boards that it covers, with most men in hand first. */
    readonly starts: Required<Position>[];
    /** Of the rules, 32 hexadecimal digits. */
    readonly fingerprint: string;
    readonly fetched: { requests: number; bytes: number };

    value(position: Position): Promise<Value>;
    rank(position: Position): Promise<Ply[]>;
    /** Ends the reader: calls that were made before are answered, later ones fail with the code 'closed'. */
    close(): Promise<void>;
}

/** Fails with the code 'illegal' for what is no ply of the position. */
export function play(position: Position, ply: Step): Required<Position>;
/** Fails with the code 'illegal' for what is no point from 0 to 23. */
export function points(...list: number[]): number;
