// Which `fw dev` shows a page of the documentation.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ManualSection } from '../manual/sections.js';

const openBrowser = vi.hoisted(() => vi.fn());
const runningAddresses = vi.hoisted(() => vi.fn());
vi.mock('../dev/terminal/open-browser.js', () => ({ openBrowser }));
vi.mock('../process/running-dev.js', () => ({ runningAddresses }));

const { openInWorkbench } = await import('./open-in-workbench.js');

const page = { name: 'sessions', title: 'Sessions', group: '', file: '', markdown: '', blocks: [] };
const section = (slug: string): ManualSection => ({ page, heading: '', slug, blocks: [] });

let servers: Server[];
beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  openBrowser.mockReset();
  for (const server of servers) await new Promise((closed) => server.close(closed));
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function gone(): Promise<string> {
  const address = await serve(() => {});
  await new Promise((closed) => servers.pop()?.close(closed));
  return address;
}

it('is the first that answers without a token, at the place of the page', async () => {
  const asked: (string | undefined)[] = [];
  const live = await serve(({ url }, response) => {
    asked.push(url);
    response.end('[]');
  });
  const closed = await serve((_, response) => void response.writeHead(403).end('no'));
  runningAddresses.mockReturnValue([await gone(), closed, live]);
  expect(await openInWorkbench(page, undefined)).toBe(`${live}/_fw/#/docs/sessions`);
  expect(await openInWorkbench(page, section(''))).toBe(`${live}/_fw/#/docs/sessions`);
  expect(await openInWorkbench(page, section('cookies'))).toBe(`${live}/_fw/#/docs/sessions:cookies`);
  expect(openBrowser.mock.calls.map(([url]) => url).at(-1)).toBe(`${live}/_fw/#/docs/sessions:cookies`);
  expect(new Set(asked)).toEqual(new Set(['/_fw/docs']));
});

it('is none where none answers', async () => {
  runningAddresses.mockReturnValue([await gone()]);
  expect(await openInWorkbench(page, undefined)).toBeUndefined();
  expect(openBrowser).not.toHaveBeenCalled();
});
