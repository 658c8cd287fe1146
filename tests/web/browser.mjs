// browser.mjs: what the tests of the page share: tables, a server, a browser, and the gestures of
// somebody who uses the page. Whatever a page writes to the console fails the test that opened it.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const merels = process.env.MERELS ?? join(root, 'build/release/query/merels');

// A folder with the solved tables of these rules, each in one of its own.
export function makeTables(...rules) {
    const folder = mkdtempSync(join(tmpdir(), 'merels-web-'));
    for (const name of rules)
        execFileSync(merels, ['solve', name, '--db', join(folder, name), '--threads', '1'], { stdio: 'ignore' });
    return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

// A program that prints its address in its first line.
async function startServer(command, args) {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
        const address = /http:\S+/.exec(line);
        if (address) {
            child.stdout.resume();
            return { url: address[0], stop: () => child.kill('SIGINT') };
        }
    }
    throw new Error(`${command} has ended without an address`);
}

export function serve(folder, rules, page = join(root, 'web')) {
    const db = rules.length === 1 ? join(folder, rules[0]) : folder;
    return startServer(merels, ['serve', ...rules, '--db', db, '--page', page, '--port', '0']);
}

export function startBrowser() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
}

// A page in a browser of nobody, opened and ready. Messages of the console are collected.
export async function openPage(browser, url, options = {}) {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    page.messages = [];
    page.on('console', (message) => page.messages.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => page.messages.push(`error: ${error.stack}`));
    await page.goto(url);
    await ready(page);
    return page;
}

// The same window once more, with nothing of what was there before.
export async function openAgain(page, url) {
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto(url);
    await ready(page);
}

// The page as it stands when it was opened once and its host has gone.
export async function openWithoutHost(browser, host) {
    const page = await openPage(browser, host.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await host.stop();
    await page.reload();
    await ready(page);
    return page;
}

export async function closePage(page) {
    await page.context().close();
    assert.deepEqual(page.messages, []);
}

// Waits until the current position has an answer, and is shown.
export async function ready(page) {
    await page.waitForFunction(() => {
        const words = document.getElementById('verdict-words')?.textContent ?? '';
        return words !== '' && !words.startsWith('Looking') && !words.startsWith('Wird nach');
    });
}

export const point = (page, name) => page.locator(`[data-point="${name}"]`);

export async function click(page, ...names) {
    for (const name of names) {
        await point(page, name).click();
        await ready(page);
    }
}

export const textOf = (page, id) => page.locator(`#${id}`).textContent();

export async function waitForText(page, id, text) {
    await page.waitForFunction(([i, t]) => document.getElementById(i).textContent.includes(t), [id, text]).catch(async (error) => {
        throw new Error(`#${id} is '${await textOf(page, id)}', not '${text}'`, { cause: error });
    });
}

// The names of points of the board that a selector finds.
export const names = (page, selector) =>
    page.locator(selector).evaluateAll((points) => points.map((p) => p.dataset.point));
