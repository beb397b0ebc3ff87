// What the page about the app gets of the documentation.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { DocsPages } from './docs-pages.js';
import type { DocsPage, DocsPageSummary, DocsResult } from './protocol.js';

const { routes } = new DocsPages();
const ended: unknown[] = [];
const response = { setHeader: () => {}, end: (bytes: unknown) => void ended.push(bytes) };
const ask = (path: string, query = ''): unknown =>
  routes[`GET /_fw/${path}`]?.(
    { url: `/_fw/${path}${query}` } as IncomingMessage,
    response as unknown as ServerResponse,
    Number.NaN,
  );

it('lists the pages, gives one, and searches', async () => {
  const all = ask('docs') as DocsPageSummary[];
  expect(all.find(({ name }) => name === 'sessions')).toEqual({
    name: 'sessions',
    title: 'Sessions',
    group: 'Framework',
  });
  expect((ask('docs-page', '?name=errors%2FFW_ENV') as DocsPage).blocks[0]).toMatchObject({
    kind: 'heading',
  });
  const [first] = (await ask('docs-search', '?q=FW_ENV')) as DocsResult[];
  expect(first).toMatchObject({ name: 'errors/FW_ENV', title: 'FW_ENV' });
});

it('has the pictures of the pages, and no other file', () => {
  ask('docs-picture', '?file=workbench-light.webp');
  expect((ended[0] as Buffer).length).toBeGreaterThan(1000);
  for (const file of ['../limits.md', '..%2F..%2F..%2Fpackage.json', 'none.webp', 'a.webp%00.md', ''])
    expect(() => ask('docs-picture', `?file=${file}`)).toThrow(/no (?:such )?picture/);
});

it.each(['', '?name=none', '?name=../../package', '?name=__proto__'])('refuses the page %j', (query) =>
  expect(() => ask('docs-page', query)).toThrow('the documentation has no page'),
);
